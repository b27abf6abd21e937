import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StreamEvent } from '../adapter.ts';
import { chunksOf, readStream, saidInChat, testCall, testProvider } from '../provider.test-support.ts';
import { parsedChunk } from './chunks.ts';
import { openAiAdapter } from './openai-adapter.ts';

const call = testCall({ provider: testProvider('openai', 'https://api.openai.com/v1'), stream: true });

function fixture(name: string): string {
  return readFileSync(new URL(`../../testdata/apisix/${name}.sse`, import.meta.url), 'utf8');
}

/** What an event says, without the way in which it says it. */
function told(event: StreamEvent): unknown {
  if (event.type !== 'chunk') return event;
  const { usage, finishReason, textLength, isUsageOnly } = event;
  return { value: event.value(), usage, finishReason, textLength, isUsageOnly };
}

function types(events: readonly StreamEvent[]): string {
  return events.map(({ type }) => type).join(' ');
}

describe('transcripts', () => {
  test.each([
    ['openai/chat-streaming', 'Hello!', { inputTokens: 10, outputTokens: 8 }, 'stop'],
    ['openai/chat-streaming-no-usage', 'Hello!', undefined, 'stop'],
    ['openai/chat-streaming-with-cache', 'Hi', { inputTokens: 30, outputTokens: 15, cachedInputTokens: 10 }, 'stop'],
    ['openai/chat-streaming-with-tool-calls', '', { inputTokens: 15, outputTokens: 10 }, 'tool_calls'],
    ['protocol-conversion/deepseek-usage-null', 'Hi!', { inputTokens: 5, outputTokens: 2 }, 'stop'],
    ['protocol-conversion/empty-sse-frames', 'Hi', { inputTokens: 3, outputTokens: 1 }, 'stop'],
    ['protocol-conversion/null-finish-reason', 'Hi!', { inputTokens: 5, outputTokens: 3 }, 'stop'],
    ['protocol-conversion/openrouter-double-finish', 'Hi!', { inputTokens: 8, outputTokens: 2 }, 'stop'],
    ['protocol-conversion/openrouter-first-chunk', 'hello world', { inputTokens: 8, outputTokens: 2 }, 'stop'],
    ['protocol-conversion/usage-only-final-chunk', 'Hi', { inputTokens: 10, outputTokens: 5 }, 'stop'],
  ])('%s', (name, text, usage, finishReason) => {
    for (const size of [1, 7, 10_000]) {
      const events = readStream(openAiAdapter, call, fixture(name), size);
      expect(saidInChat(events).text).toBe(text);
      expect(chunksOf(events).findLast((chunk) => chunk.usage !== undefined)?.usage).toEqual(usage);
      expect(chunksOf(events).find((chunk) => chunk.finishReason !== undefined)?.finishReason).toBe(finishReason);
      expect(events.at(-1)?.type).toBe('done');
      expect(types(events)).not.toContain('unreadable');
    }
  });

  test('go on byte by byte as they came', () => {
    const text = fixture('openai/chat-streaming-many-chunks-no-usage');
    const bytes = readStream(openAiAdapter, call, text, 11).map((event) =>
      'bytes' in event ? event.bytes : undefined,
    );
    expect(Buffer.concat(bytes.map((piece) => piece ?? Buffer.alloc(0))).toString()).toBe(text);
  });

  test('the chunk with usage alone is told from others', () => {
    const events = chunksOf(readStream(openAiAdapter, call, fixture('protocol-conversion/usage-only-final-chunk')));
    expect(events.map((chunk) => chunk.isUsageOnly === true)).toEqual([false, false, true]);
    const lame = 'data: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":null}}\n\n';
    const [chunk] = chunksOf(readStream(openAiAdapter, call, lame));
    expect(chunk?.isUsageOnly).toBe(true);
    expect(chunk?.usage).toBeUndefined();
  });

  test('of tools are put together again', () => {
    const events = readStream(openAiAdapter, call, fixture('openai/chat-streaming-with-tool-calls'), 3);
    expect(saidInChat(events).calls).toEqual([{ id: 'call_1', name: 'get_weather', arguments: '{}' }]);
  });

  test('of another protocol are no stream of this one', () => {
    expect(types(readStream(openAiAdapter, call, fixture('protocol-conversion/anthropic-mismatch')))).not.toMatch(
      /chunk|done/,
    );
  });
});

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.constantFrom('"', '\\', '\n', '"usage":{', '"},"x":"', '\\"', ''),
);
const delta = fc.oneof(
  fc.record({ content: text }),
  fc.record({ content: text }),
  fc.record({ content: fc.constant(null), reasoning_content: text }),
  fc.record({ role: fc.constant('assistant'), content: text, refusal: fc.constant(null) }),
  fc.record({ tool_calls: fc.tuple(fc.record({ index: fc.constant(0), function: fc.record({ arguments: text }) })) }),
);
const finish = fc.oneof(
  { weight: 8, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constantFrom('stop', '') },
);
const choices = fc.array(fc.record({ index: fc.nat(2), delta, finish_reason: finish }), { maxLength: 2 });
const usage = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(null, undefined) },
  { weight: 1, arbitrary: fc.record({ prompt_tokens: fc.nat(), completion_tokens: fc.nat() }) },
);
const chunk = fc.record({
  id: fc.constant('chatcmpl-1'),
  choices,
  usage,
  obfuscation: fc.oneof(fc.constant(undefined), fc.stringMatching(/^[a-zA-Z]{0,6}$/)),
});

test('what is only looked at says the same as what is parsed', () => {
  fc.assert(
    fc.property(
      fc.array(chunk, { maxLength: 12 }),
      fc.constantFrom(undefined, 1),
      fc.nat(40),
      (chunks, indent, size) => {
        const written = chunks.map((value) => JSON.stringify(value, null, indent).replaceAll('\n', ''));
        const stream = written.map((json) => `data: ${json}\n\n`).join('');
        const events = readStream(openAiAdapter, call, stream, size + 1);
        const expected = written.map((json) => told(parsedChunk(JSON.parse(json), undefined)));
        expect(events.map(told)).toEqual(expected);
      },
    ),
    { numRuns: 1000 },
  );
});

test('the same, for frames that differ in a word', () => {
  const shape = fc.constantFrom<(word: string) => object>(
    (word) => ({ choices: [{ index: 0, delta: { content: word }, finish_reason: null }], usage: null }),
    (word) => ({ choices: [{ index: 0, delta: { content: word, reasoning_content: 'why' }, finish_reason: null }] }),
    (word) => ({ choices: [{ index: 0, delta: { content: '', refusal: word } }], usage: null, obfuscation: 'ab' }),
    (word) => ({ choices: [{ delta: { content: word } }, { delta: { content: 'other' } }] }),
    (word) => ({ choices: [{ delta: { content: 'fixed', arguments: word } }], p: word.slice(0, 1) }),
  );
  fc.assert(
    fc.property(shape, fc.array(text, { maxLength: 8 }), (made, words) => {
      const chunks = words.map(made);
      const events = readStream(
        openAiAdapter,
        call,
        chunks.map((value) => `data: ${JSON.stringify(value)}\n\n`).join(''),
      );
      expect(events.map(told)).toEqual(chunks.map((value) => told(parsedChunk({ ...value }, undefined))));
    }),
    { numRuns: 1000 },
  );
});

describe('errors within streams', () => {
  const first = 'data: {"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":null}]}\n\n';
  test.each([
    ['data: {"error":{"message":"m","type":"server_error","code":null}}', { errorType: 'server_error' }],
    [
      'data: {"error":{"message":"m","code":502},"choices":[{"finish_reason":"error"}]}',
      { errorType: 'provider_error', status: 502 },
    ],
    ['data: {"error":{"code":"rate_limit_exceeded","status":429}}', { errorType: 'rate_limit_exceeded', status: 429 }],
    ['data: {"error":"out of memory"}', { errorType: 'provider_error' }],
    ['event: error\ndata: {"error":{"type":"overloaded_error"}}', { errorType: 'overloaded_error' }],
    ['event: error\ndata: {"type":"overloaded_error"}', { errorType: 'overloaded_error' }],
    ['event: error\ndata: not JSON', { errorType: 'provider_error' }],
    ['data: {"error":{"type":"a b\\r\\nx: y"}}', { errorType: 'provider_error' }],
  ])('%s', (frame, expected) => {
    for (const before of ['', first]) {
      const events = readStream(openAiAdapter, call, `${before}${frame}\n\n`);
      expect(events.at(-1)).toEqual({ type: 'error', ...expected });
    }
  });

  test('an error that is null is none', () => {
    const events = readStream(openAiAdapter, call, `${first}data: {"error":null,"choices":[]}\n\n`);
    expect(types(events)).toBe('chunk chunk');
  });
});

describe('what is no chunk', () => {
  const good = 'data: {"choices":[{"delta":{"content":"a"}}]}\n\n';

  test.each([
    'data: {"choices":[',
    'data: []',
    'data: 1',
    'data: "x"',
    'data: {"choices":{}}',
    'data: {"choices":[1]}',
    'data: {}',
  ])('%s is unreadable as the first event', (frame) => {
    expect(types(readStream(openAiAdapter, call, `${frame}\n\n${good}`))).toBe('unreadable chunk');
  });

  test('broken events among good ones are counted, and the stream goes on', () => {
    expect(types(readStream(openAiAdapter, call, `${good}data: {"choices":[\n\n${good}`))).toBe(
      'chunk unreadable chunk',
    );
  });

  test('one that only looks like an object says nothing when it is asked', () => {
    const events = chunksOf(readStream(openAiAdapter, call, `${good}data: {"choices":x}\n\n`));
    expect(events[1]?.value()).toMatchObject({ choices: [] });
  });

  test('comments are told, and nothing comes after the end', () => {
    const stream = `: OPENROUTER PROCESSING\n\n${good}data: [DONE]\n\n${good}`;
    expect(types(readStream(openAiAdapter, call, stream))).toBe('comment chunk done');
  });

  test('a cut within an event is unreadable, an end without a line break is none', () => {
    expect(types(readStream(openAiAdapter, call, good.slice(0, -9)))).toBe('unreadable');
    expect(types(readStream(openAiAdapter, call, `${good}data: [DONE]`))).toBe('chunk done');
  });
});

describe('responses', () => {
  const responses = { ...call, operation: 'responses' } as const;

  test.each([
    ['openai/responses-streaming', { inputTokens: 10, outputTokens: 5 }, 'stop', 11],
    ['openai/responses-streaming-with-cache', { inputTokens: 20, outputTokens: 5, cachedInputTokens: 10 }, 'stop', 5],
    ['openai/responses-streaming-with-tool-call', { inputTokens: 20, outputTokens: 5 }, 'tool_calls', 0],
  ])('%s', (name, expected, finishReason, textLength) => {
    const events = readStream(openAiAdapter, responses, fixture(name), 5);
    const last = chunksOf(events).at(-1);
    expect(last).toMatchObject({ usage: expected, finishReason, name: 'response.completed' });
    expect(chunksOf(events).reduce((sum, event) => sum + event.textLength, 0)).toBe(textLength);
    expect(events.at(-1)).toEqual({ type: 'done', bytes: new Uint8Array() });
  });

  test.each([
    ['data: {"type":"error","code":"server_error","message":"m"}', 'server_error'],
    ['event: error\ndata: {"type":"error","error":{"type":"x"}}', 'x'],
    [
      'data: {"type":"response.failed","response":{"status":"failed","error":{"code":"rate_limit_exceeded"}}}',
      'rate_limit_exceeded',
    ],
    ['data: {"error":{"type":"invalid_request_error"}}', 'invalid_request_error'],
  ])('%s', (frame, errorType) => {
    expect(readStream(openAiAdapter, responses, `${frame}\n\n`)).toEqual([{ type: 'error', errorType }]);
  });

  test('that stop early say why', () => {
    const frame =
      'data: {"type":"response.incomplete","response":{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"}}}\n\n';
    expect(chunksOf(readStream(openAiAdapter, responses, frame))[0]?.finishReason).toBe('length');
  });
});
