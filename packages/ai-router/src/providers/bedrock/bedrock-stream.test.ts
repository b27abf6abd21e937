import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StreamEvent } from '../adapter.ts';
import { chunksOf, readStream, saidInChat, testCall, testProvider } from '../provider.test-support.ts';
import { createBedrockAdapter } from './bedrock-adapter.ts';
import { awsFrame, converseEvent } from './event-frames.test-support.ts';

const adapter = createBedrockAdapter(() => 'id');
const call = testCall({ provider: testProvider('bedrock', 'https://b'), stream: true });
const transcript = readFileSync(
  new URL('../../testdata/apisix/bedrock/bedrock-converse-streaming.bin', import.meta.url),
);

function plain(events: readonly StreamEvent[]): unknown {
  return events.map((event) => (event.type === 'chunk' ? { ...event, value: event.value() } : event));
}

const stop = converseEvent('messageStop', { stopReason: 'tool_use' });
const metadata = converseEvent('metadata', { usage: { inputTokens: 3, outputTokens: 4 } });

describe('a transcript', () => {
  test('is the same cut at every byte', () => {
    const whole = plain(readStream(adapter, call, transcript));
    for (let at = 0; at <= transcript.length; at += 1) {
      const reader = adapter.openStream(call);
      const read = [
        ...reader.push(transcript.subarray(0, at)),
        ...reader.push(transcript.subarray(at)),
        ...reader.end(),
      ];
      expect(plain(read)).toEqual(whole);
    }
  });

  test('has text, a reason, usage and an end', () => {
    const read = readStream(adapter, call, transcript);
    expect(saidInChat(read).text).toBe('Hello.');
    expect(read.slice(-3)).toMatchObject([
      { type: 'chunk', finishReason: 'stop' },
      { type: 'chunk', isUsageOnly: true, usage: { inputTokens: 13, outputTokens: 5 } },
      { type: 'done' },
    ]);
  });
});

test('arguments of calls are whole however they are cut', () => {
  const json = fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value));
  fc.assert(
    fc.property(json, fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 64 }), (text, length, size) => {
      const bytes = Buffer.concat([
        converseEvent('messageStart', { role: 'assistant' }),
        converseEvent('contentBlockStart', { contentBlockIndex: 1, start: { toolUse: { toolUseId: 'a', name: 'f' } } }),
        ...Array.from({ length: Math.ceil(text.length / length) }, (_, at) =>
          converseEvent('contentBlockDelta', {
            contentBlockIndex: 1,
            delta: { toolUse: { input: text.slice(at * length, (at + 1) * length) } },
          }),
        ),
        converseEvent('contentBlockStop', { contentBlockIndex: 1 }),
        stop,
        metadata,
      ]);
      const said = saidInChat(readStream(adapter, call, bytes, size));
      expect(said.calls).toEqual([{ id: 'a', name: 'f', arguments: text }]);
    }),
  );
});

test('a call without arguments has an empty object', () => {
  const start = { contentBlockIndex: 0, start: { toolUse: { toolUseId: 'a', name: 'f' } } };
  const bytes = Buffer.concat([
    converseEvent('contentBlockStart', start),
    converseEvent('contentBlockStop', { contentBlockIndex: 0 }),
    stop,
  ]);
  expect(saidInChat(readStream(adapter, call, bytes)).calls).toEqual([{ id: 'a', name: 'f', arguments: '{}' }]);
});

describe('an end', () => {
  test('without metadata is one all the same', () => {
    expect(readStream(adapter, call, stop).map(({ type }) => type)).toEqual(['chunk', 'done']);
  });

  test('without messageStop is none', () => {
    expect(readStream(adapter, call, Buffer.concat([converseEvent('messageStart', {}), metadata]))).toHaveLength(1);
  });
});

test.each([
  ['throttlingException', 429],
  ['modelStreamErrorException', 424],
  ['internalServerException', 500],
  ['serviceUnavailableException', 503],
  ['somethingNewException', 500],
])('an exception within the stream: %s', (name, status) => {
  const frame = awsFrame({ ':message-type': 'exception', ':exception-type': name }, { message: 'secret' });
  expect(readStream(adapter, call, frame)).toEqual([{ type: 'error', errorType: name, status }]);
});

test('thoughts are told apart, what cannot be read is told', () => {
  const bytes = Buffer.concat([
    converseEvent('contentBlockDelta', { contentBlockIndex: 0, delta: { reasoningContent: { text: 'Hm' } } }),
    converseEvent('contentBlockDelta', '{'),
    converseEvent('contentBlockDelta', { contentBlockIndex: 0, delta: 1 }),
  ]);
  const read = readStream(adapter, call, bytes);
  expect(read.map(({ type }) => type)).toEqual(['chunk', 'unreadable', 'unreadable']);
  expect(chunksOf(read)[0]?.value()).toMatchObject({ choices: [{ delta: { reasoning_content: 'Hm' } }] });
});
