import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../json.ts';
import type { StreamEvent } from '../adapter.ts';
import { chunksOf, readStream, saidInChat, testCall, testProvider } from '../provider.test-support.ts';
import { createGeminiAdapter } from './gemini-adapter.ts';

const adapter = createGeminiAdapter(() => 'id');
const call = testCall({ provider: testProvider('gemini', 'https://g'), stream: true, model: 'gemini' });

function events(...data: readonly JsonObject[]): string {
  return data.map((value) => `data: ${JSON.stringify(value)}\r\n\r\n`).join('');
}

function said(parts: readonly JsonObject[], more: JsonObject = {}, rest: JsonObject = {}): JsonObject {
  return { responseId: 'r', modelVersion: 'gemini-x', candidates: [{ content: { parts }, ...more }], ...rest };
}

function plain(read: readonly StreamEvent[]): unknown {
  return read.map((event) => (event.type === 'chunk' ? { ...event, value: event.value() } : event));
}

const stream = events(
  said([{ text: 'Hm', thought: true }], {}, { usageMetadata: { promptTokenCount: 9, thoughtsTokenCount: 1 } }),
  said([{ text: 'Grüße ' }]),
  said([{ text: '🎉' }, { functionCall: { name: 'f', args: { a: 'é' } } }]),
  said(
    [{ functionCall: { name: 'g' } }],
    { finishReason: 'STOP' },
    {
      usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 6, thoughtsTokenCount: 2 },
    },
  ),
);

describe('a stream', () => {
  test('is the same cut at every byte', () => {
    const bytes = Buffer.from(stream);
    const whole = plain(readStream(adapter, call, bytes));
    for (let at = 0; at <= bytes.length; at += 1) {
      const reader = adapter.openStream(call);
      const read = [...reader.push(bytes.subarray(0, at)), ...reader.push(bytes.subarray(at)), ...reader.end()];
      expect(plain(read)).toEqual(whole);
    }
    expect(plain(readStream(adapter, call, bytes, 1))).toEqual(whole);
  });

  test('has text, calls, a reason, the last usage and an end', () => {
    const read = readStream(adapter, call, stream);
    expect(saidInChat(read)).toEqual({
      text: 'Grüße 🎉',
      calls: [
        { id: 'call_id', name: 'f', arguments: '{"a":"é"}' },
        { id: 'call_id', name: 'g', arguments: '{}' },
      ],
    });
    expect(read.slice(-3)).toMatchObject([
      { type: 'chunk', finishReason: 'tool_calls' },
      { type: 'chunk', isUsageOnly: true, usage: { inputTokens: 9, outputTokens: 8 } },
      { type: 'done' },
    ]);
    expect(chunksOf(read)[0]?.value()).toMatchObject({
      id: 'r',
      model: 'gemini-x',
      choices: [{ delta: { role: 'assistant' } }],
    });
  });

  test('that says STOP all along ends once', () => {
    const read = readStream(
      adapter,
      call,
      events(said([{ text: 'a' }], { finishReason: 'STOP' }), said([{ text: 'b' }], { finishReason: 'STOP' })),
    );
    expect(saidInChat(read).text).toBe('ab');
    expect(chunksOf(read).filter(({ finishReason }) => finishReason !== undefined)).toHaveLength(1);
  });

  test('that was cut has no end', () => {
    expect(readStream(adapter, call, events(said([{ text: 'a' }]))).some(({ type }) => type === 'done')).toBe(false);
  });

  test('of several answers tells them apart', () => {
    const two = {
      candidates: [0, 1].map((index) => ({ index, content: { parts: [{ text: `t${index}` }] }, finishReason: 'STOP' })),
    };
    const chunks = chunksOf(readStream(adapter, call, events(two)));
    expect(chunks.map((chunk) => chunk.value()['choices'])).toMatchObject([
      [{ index: 0 }],
      [{ index: 0, delta: { content: 't0' } }],
      [{ index: 1 }],
      [{ index: 1, delta: { content: 't1' } }],
      [{ index: 0, finish_reason: 'stop' }],
      [{ index: 1, finish_reason: 'stop' }],
    ]);
  });

  test('whose prompt was blocked ends at once', () => {
    const read = readStream(adapter, call, events({ promptFeedback: { blockReason: 'OTHER' } }));
    expect(read.map((event) => ('finishReason' in event ? event.finishReason : event.type))).toEqual([
      'chunk',
      'content_filter',
      'done',
    ]);
  });
});

test('a model that failed ends the stream as an error', () => {
  const candidate = { index: 0, content: { parts: [{ text: 'a' }] }, finishReason: 'MALFORMED_FUNCTION_CALL' };
  expect(readStream(adapter, call, events({ candidates: [candidate] })).at(-1)).toEqual({
    type: 'error',
    errorType: 'malformed_function_call',
  });
});

test('an error within the stream is told, as is what cannot be read', () => {
  const error = { code: 503, status: 'UNAVAILABLE', message: 'secret' };
  const text = `data: {\n\n${events({ error }, {}, { candidates: [1] }, { candidates: [{ index: 99 }] }, { candidates: [{ content: { parts: 1 } }] })}`;
  expect(readStream(adapter, call, text)).toEqual([
    { type: 'unreadable' },
    { type: 'error', errorType: 'overloaded_error', status: 503 },
    { type: 'unreadable' },
    { type: 'unreadable' },
    { type: 'unreadable' },
    { type: 'unreadable' },
  ]);
});
