import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StreamEvent } from '../adapter.ts';
import { chunksOf, readStream, saidInChat, testCall, testProvider } from '../provider.test-support.ts';
import { anthropicAdapter } from './anthropic-adapter.ts';

const provider = testProvider('anthropic', 'https://api.anthropic.com/v1');
const chat = testCall({ provider, stream: true, model: 'claude' });
const messages = testCall({ provider, stream: true, model: 'claude', operation: 'messages' });

function transcript(name: string): string {
  return readFileSync(new URL(`../../testdata/apisix/${name}`, import.meta.url), 'utf8');
}

/** Events as plain data. */
function plain(events: readonly StreamEvent[]): unknown {
  return events.map((event) => (event.type === 'chunk' ? { ...event, value: event.value() } : event));
}

function events(...data: readonly object[]): string {
  return data
    .map((value) => `event: ${'type' in value ? String(value.type) : ''}\ndata: ${JSON.stringify(value)}\n\n`)
    .join('');
}

const start = { type: 'message_start', message: { id: 'msg_1', model: 'claude-x', usage: { input_tokens: 4 } } };

describe('transcripts cut at every byte', () => {
  test.each([
    'anthropic/messages-streaming.sse',
    'anthropic/messages-streaming-with-cache.sse',
    'anthropic/messages-streaming-with-tool-use.sse',
    'protocol-conversion/anthropic-mismatch.sse',
  ])('%s', (name) => {
    const text = transcript(name);
    for (const call of [chat, messages]) {
      const whole = plain(readStream(anthropicAdapter, call, text));
      for (let at = 0; at <= text.length; at += 1) {
        const reader = anthropicAdapter.openStream(call);
        const bytes = Buffer.from(text);
        const read = [...reader.push(bytes.subarray(0, at)), ...reader.push(bytes.subarray(at)), ...reader.end()];
        expect(plain(read)).toEqual(whole);
      }
      expect(plain(readStream(anthropicAdapter, call, text, 1))).toEqual(whole);
      expect(readStream(anthropicAdapter, call, text).at(-1)).toMatchObject({ type: 'done' });
    }
  });
});

test('a chat has text, a reason and usage in a chunk of its own', () => {
  const read = readStream(anthropicAdapter, chat, transcript('anthropic/messages-streaming.sse'));
  const chunks = chunksOf(read);
  expect(saidInChat(read).text).toBe('Hello!');
  expect(chunks[0]?.value()).toMatchObject({
    id: 'msg_abc123',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model: 'claude-3-5-sonnet-20241022',
    choices: [{ index: 0, delta: { role: 'assistant' }, finish_reason: null }],
  });
  expect(chunks.at(-2)).toMatchObject({ finishReason: 'stop', usage: { inputTokens: 10, outputTokens: 8 } });
  expect(chunks.at(-1)).toMatchObject({ isUsageOnly: true });
  expect(chunks.at(-1)?.value()).toMatchObject({
    choices: [],
    usage: { prompt_tokens: 10, completion_tokens: 8, total_tokens: 18 },
  });
});

test('cached tokens are among those of the prompt', () => {
  const read = readStream(anthropicAdapter, chat, transcript('anthropic/messages-streaming-with-cache.sse'));
  expect(chunksOf(read).at(-1)?.usage).toEqual({ inputTokens: 350, outputTokens: 30, cachedInputTokens: 200 });
});

test('counts that come late take the place of those before', () => {
  const delta = { type: 'message_delta', delta: {}, usage: { input_tokens: 9, output_tokens: 3 } };
  const read = readStream(anthropicAdapter, chat, events(start, delta, { type: 'message_stop' }));
  expect(chunksOf(read).at(-1)?.usage).toEqual({ inputTokens: 9, outputTokens: 3 });
});

test('messages go on frame by frame as they came', () => {
  const text = transcript('anthropic/messages-streaming.sse');
  const read = readStream(anthropicAdapter, messages, text);
  const bytes = read.map((event) => ('bytes' in event && event.bytes !== undefined ? event.bytes : Buffer.alloc(0)));
  expect(Buffer.concat(bytes).toString()).toBe(text);
  expect(chunksOf(read)[0]).toMatchObject({ name: 'message_start', model: 'claude-3-5-sonnet-20241022' });
  expect(chunksOf(read).at(-1)).toMatchObject({ finishReason: 'stop', usage: { inputTokens: 10, outputTokens: 8 } });
  expect(chunksOf(read).reduce((sum, { textLength }) => sum + textLength, 0)).toBe('Hello!'.length);
});

describe('calls of tools', () => {
  const call = (index: number, id: string): object => ({
    type: 'content_block_start',
    index,
    content_block: { type: 'tool_use', id, name: `f_${id}`, input: {} },
  });
  const fragment = (index: number, partial_json: string): object => ({
    type: 'content_block_delta',
    index,
    delta: { type: 'input_json_delta', partial_json },
  });
  const stop = (index: number): object => ({ type: 'content_block_stop', index });

  test('keep their arguments however these are cut, in blocks that are filled by turns', () => {
    const json = fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value));
    const cuts = fc.array(fc.nat(200), { maxLength: 8 });
    fc.assert(
      fc.property(json, json, cuts, fc.integer({ min: 1, max: 40 }), (first, second, at, size) => {
        const pieces = [first, second].map((text) => piecesOf(text, at));
        const turns = Math.max(...pieces.map(({ length }) => length));
        const filled = Array.from({ length: turns }, (_, turn) =>
          pieces.flatMap((list, index) => (list[turn] === undefined ? [] : [fragment(index + 1, list[turn])])),
        ).flat();
        const text = events(start, call(1, 'a'), call(2, 'b'), ...filled, stop(1), stop(2), { type: 'message_stop' });
        const said = saidInChat(readStream(anthropicAdapter, chat, text, size));
        expect(said.calls).toEqual([
          { id: 'a', name: 'f_a', arguments: first },
          { id: 'b', name: 'f_b', arguments: second },
        ]);
      }),
    );
  });

  test('count from 0 although blocks of text come before', () => {
    const text = events(start, { ...call(3, 'a') }, fragment(3, '{"x":'), fragment(3, '1}'), stop(3));
    const chunks = chunksOf(readStream(anthropicAdapter, chat, text));
    expect(chunks.slice(1).map((chunk) => chunk.value()['choices'])).toMatchObject([
      [{ delta: { tool_calls: [{ index: 0, id: 'a', type: 'function' }] } }],
      [{ delta: { tool_calls: [{ index: 0, function: { arguments: '{"x":' } }] } }],
      [{ delta: { tool_calls: [{ index: 0, function: { arguments: '1}' } }] } }],
    ]);
  });

  test('without arguments have an empty object', () => {
    const read = readStream(anthropicAdapter, chat, transcript('anthropic/messages-streaming-with-tool-use.sse'));
    expect(saidInChat(read).calls).toEqual([{ id: 'toolu_1', name: 'get_weather', arguments: '{}' }]);
    expect(chunksOf(read).some(({ finishReason }) => finishReason === 'tool_calls')).toBe(true);
  });
});

describe('trouble', () => {
  test('an overloaded provider says so within its stream', () => {
    const text = events({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } });
    for (const call of [chat, messages]) {
      expect(readStream(anthropicAdapter, call, text)).toEqual([
        { type: 'error', errorType: 'overloaded_error', status: 503 },
      ]);
    }
  });

  test('pings and comments keep the connection alive, and are no sign that the message has begun', () => {
    const ping = events({ type: 'ping' });
    const read = readStream(anthropicAdapter, chat, `${ping}: a\n\n`);
    expect(read.map((event) => [event.type, 'bytes' in event ? String(event.bytes) : ''])).toEqual([
      ['comment', ': ping\n\n'],
      ['comment', ': a\n\n'],
    ]);
    const native = readStream(anthropicAdapter, messages, `${ping}: a\n\n${events(start)}${ping}`);
    expect(native.map(({ type }) => type)).toEqual(['comment', 'comment', 'chunk', 'chunk']);
  });

  test('what cannot be read is told, and does not end the stream', () => {
    const text = `data: {"type":\n\n${events(start)}`;
    for (const call of [chat, messages]) {
      expect(readStream(anthropicAdapter, call, text).map(({ type }) => type)).toEqual(['unreadable', 'chunk']);
    }
  });

  test('thoughts are told apart from text, signatures are not told', () => {
    const block = { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } };
    const delta = (given: object): object => ({ type: 'content_block_delta', index: 0, delta: given });
    const text = events(
      start,
      block,
      delta({ type: 'thinking_delta', thinking: 'Hm' }),
      delta({ type: 'signature_delta', signature: 'sig' }),
      delta({ type: 'text_delta', text: 'Yes' }),
    );
    const chunks = chunksOf(readStream(anthropicAdapter, chat, text));
    expect(chunks.slice(1).map((chunk) => chunk.value()['choices'])).toMatchObject([
      [{ delta: { reasoning_content: 'Hm' } }],
      [{ delta: { content: 'Yes' } }],
    ]);
  });
});

function piecesOf(text: string, cuts: readonly number[]): readonly string[] {
  const ends = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].toSorted((left, right) => left - right);
  return [...ends, text.length].map((end, index) => text.slice(ends[index - 1] ?? 0, end));
}
