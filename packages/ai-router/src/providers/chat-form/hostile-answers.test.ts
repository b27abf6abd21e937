import { describe, expect, test } from 'vitest';
import * as fc from 'fast-check';
import type { JsonObject } from '../../json.ts';
import { messagesSurface } from '../../surfaces/messages/messages-surface.ts';
import type { ProviderAdapter, StreamEvent } from '../adapter.ts';
import { anthropicAdapter } from '../anthropic/anthropic-adapter.ts';
import { createBedrockAdapter } from '../bedrock/bedrock-adapter.ts';
import { converseEvent } from '../bedrock/event-frames.test-support.ts';
import { MalformedAnswerError, StreamTooLargeError } from '../errors.ts';
import { createGeminiAdapter } from '../gemini/gemini-adapter.ts';
import { testCall, testProvider } from '../provider.test-support.ts';
import { nested, wronged } from './wrong-values.test-support.ts';

const call = testCall({ provider: testProvider('anthropic', 'https://p.example.com'), stream: true });
const native = { ...call, operation: 'messages' } as const;
const bedrock = createBedrockAdapter(() => 'id');
const gemini = createGeminiAdapter(() => 'id');

const answers: readonly (readonly [string, ProviderAdapter, JsonObject])[] = [
  [
    'anthropic',
    anthropicAdapter,
    {
      id: 'msg_1',
      model: 'm',
      content: [
        { type: 'text', text: 'a' },
        { type: 'thinking', thinking: 'b' },
        { type: 'tool_use', id: 't', name: 'f', input: { x: 1 } },
      ],
      stop_reason: 'end_turn',
      usage: { input_tokens: 1, output_tokens: 2, cache_read_input_tokens: 3 },
    },
  ],
  [
    'bedrock',
    bedrock,
    {
      output: {
        message: {
          content: [
            { text: 'a' },
            { reasoningContent: { reasoningText: { text: 'b' } } },
            { toolUse: { toolUseId: 't', name: 'f', input: { x: 1 } } },
          ],
        },
      },
      stopReason: 'end_turn',
      usage: { inputTokens: 1, outputTokens: 2 },
    },
  ],
  [
    'gemini',
    gemini,
    {
      responseId: 'r',
      modelVersion: 'm',
      candidates: [
        {
          index: 0,
          content: { parts: [{ text: 'a' }, { functionCall: { name: 'f', args: { x: 1 } } }] },
          finishReason: 'STOP',
        },
      ],
      promptFeedback: { blockReason: 'SAFETY' },
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 2 },
    },
  ],
];

const chat: JsonObject = {
  id: 'c',
  model: 'm',
  choices: [
    {
      index: 0,
      message: {
        content: 'a',
        refusal: 'b',
        reasoning_content: 'c',
        tool_calls: [{ id: 't', function: { name: 'f', arguments: '{}' } }],
      },
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 1, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 1 } },
};

/** Only a malformed answer, or one that is too large, may come of an answer. */
function tried<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof MalformedAnswerError || error instanceof StreamTooLargeError) return undefined;
    throw error;
  }
}

describe.each(answers)('%s', (_name, adapter, body) => {
  test('reads answers that are wrong somewhere', () => {
    expect(tried(() => adapter.readAnswer(call, body))).toBeDefined();
    for (const wrong of wronged(body)) {
      for (const given of [call, native]) {
        const read = tried(() => adapter.readAnswer(given, wrong));
        if (read !== undefined) expect(Number.isFinite(read.textLength + (read.usage?.inputTokens ?? 0))).toBe(true);
      }
    }
  });

  test('reads errors of any form', () => {
    const error = { type: 'error', error: { type: 't', message: 'm', status: 's', code: 1 }, message: 'm' };
    for (const wrong of wronged(error)) expect(adapter.readError?.(call, 500, wrong)).toBeDefined();
  });
});

/** The events of a stream of each provider, as data. */
const streams = {
  anthropic: [
    { type: 'message_start', message: { id: 'm', model: 'm', usage: { input_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 't', name: 'f', input: {} } },
    { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{}' } },
    { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'x' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 1 } },
    { type: 'error', error: { type: 'x' } },
    { type: 'message_stop' },
  ],
  bedrock: [
    { event: 'messageStart', role: 'assistant' },
    { event: 'contentBlockStart', contentBlockIndex: 0, start: { toolUse: { toolUseId: 't', name: 'f' } } },
    { event: 'contentBlockDelta', contentBlockIndex: 0, delta: { toolUse: { input: '{}' } } },
    { event: 'contentBlockDelta', contentBlockIndex: 0, delta: { text: 'x', reasoningContent: { text: 'y' } } },
    { event: 'contentBlockStop', contentBlockIndex: 0 },
    { event: 'messageStop', stopReason: 'end_turn' },
    { event: 'metadata', usage: { inputTokens: 1, outputTokens: 1 } },
  ],
  gemini: [
    {
      candidates: [
        {
          index: 0,
          content: { parts: [{ text: 'a' }, { functionCall: { name: 'f', args: {} } }] },
          finishReason: 'STOP',
        },
      ],
    },
    { error: { code: 500, status: 'x' }, promptFeedback: { blockReason: 'x' }, usageMetadata: { promptTokenCount: 1 } },
  ],
} as const satisfies Record<string, readonly JsonObject[]>;

function read(name: keyof typeof streams, events: readonly JsonObject[]): readonly StreamEvent[] {
  const adapter = { anthropic: anthropicAdapter, bedrock, gemini }[name];
  return [call, native].flatMap((given) => {
    const reader = adapter.openStream(given);
    const frames = events.map((data) =>
      name === 'bedrock'
        ? converseEvent(String(data['event']), data)
        : Buffer.from(`data: ${JSON.stringify(data)}\n\n`),
    );
    return [...frames.flatMap((frame) => tried(() => reader.push(frame)) ?? []), ...(tried(() => reader.end()) ?? [])];
  });
}

test.each(['anthropic', 'bedrock', 'gemini'] as const)('streams of %s that are wrong somewhere', (name) => {
  const whole: readonly JsonObject[] = streams[name];
  for (const [at, event] of whole.entries()) {
    for (const wrong of wronged(event)) {
      const surface = messagesSurface.openStream({});
      for (const read_ of read(name, whole.with(at, wrong))) if (read_.type === 'chunk') surface.push(read_);
      expect(surface.end()).toContain('message_stop');
    }
  }
});

test.each(['anthropic', 'bedrock', 'gemini'] as const)('streams of %s of any JSON', (name) => {
  fc.assert(
    fc.property(
      fc.array(fc.dictionary(fc.constantFrom('type', 'candidates', 'delta', 'event', 'x'), fc.jsonValue())),
      (events) => {
        expect(read(name, events)).toBeInstanceOf(Array);
      },
    ),
  );
});

test('chats that are wrong somewhere, for a client of messages', () => {
  expect(messagesSurface.fromChat(chat, {})).toHaveProperty('content');
  for (const wrong of wronged(chat)) tried(() => messagesSurface.fromChat(wrong, wrong));
  const delta: JsonObject = {
    id: 'c',
    model: 'm',
    choices: [
      {
        index: 0,
        delta: { content: 'x', tool_calls: [{ index: 0, id: 't', function: { name: 'f', arguments: '{}' } }] },
        finish_reason: null,
      },
    ],
    usage: { prompt_tokens: 1 },
  };
  for (const wrong of wronged(delta)) {
    const stream = messagesSurface.openStream(wrong);
    for (const value of [wrong, delta]) tried(() => stream.push({ type: 'chunk', value: () => value, textLength: 0 }));
    expect(stream.end()).toContain('message_stop');
  }
});

test('answers that are nested too deeply', () => {
  const input = nested();
  const bodies = [
    [anthropicAdapter, { content: [{ type: 'tool_use', id: 'a', name: 'f', input }] }],
    [bedrock, { output: { message: { content: [{ toolUse: { toolUseId: 'a', name: 'f', input } }] } } }],
    [gemini, { candidates: [{ content: { parts: [{ functionCall: { name: 'f', args: input } }] } }] }],
  ] as const;
  for (const [adapter, body] of bodies) expect(() => adapter.readAnswer(call, body)).toThrow(MalformedAnswerError);
});
