import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../json.ts';
import { MalformedAnswerError } from '../errors.ts';
import { testCall, testProvider } from '../provider.test-support.ts';
import { anthropicAdapter } from './anthropic-adapter.ts';

const provider = testProvider('anthropic', 'https://api.anthropic.com/v1');
const chat = testCall({ provider, model: 'claude' });
const messages = testCall({ provider, model: 'claude', operation: 'messages' });

function fixture(name: string): JsonObject {
  return JSON.parse(
    readFileSync(new URL(`../../testdata/apisix/anthropic/${name}`, import.meta.url), 'utf8'),
  ) as JsonObject;
}

test('a message is a chat answer', () => {
  expect(anthropicAdapter.readAnswer(chat, fixture('messages-basic.json'))).toEqual({
    body: {
      id: 'msg_abc123',
      object: 'chat.completion',
      created: 1_700_000_000,
      model: 'claude-3-5-sonnet-20241022',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'Hello! How can I help you?', refusal: null },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: { prompt_tokens: 10, completion_tokens: 8, total_tokens: 18 },
    },
    isOriginal: false,
    usage: { inputTokens: 10, outputTokens: 8 },
    finishReason: 'stop',
    model: 'claude-3-5-sonnet-20241022',
    textLength: 26,
  });
});

test('cached tokens are among those of the prompt', () => {
  const answer = anthropicAdapter.readAnswer(chat, fixture('messages-with-cache.json'));
  expect(answer.usage).toEqual({ inputTokens: 350, outputTokens: 30, cachedInputTokens: 200 });
  expect(answer.body['usage']).toMatchObject({ prompt_tokens: 350, prompt_tokens_details: { cached_tokens: 200 } });
});

test('thoughts and calls have their places', () => {
  const body = {
    content: [
      { type: 'thinking', thinking: 'Hm', signature: 's' },
      { type: 'tool_use', id: 't1', name: 'look', input: { a: [1] } },
      { type: 'server_tool_use', id: 'x' },
    ],
    stop_reason: 'tool_use',
  };
  expect(anthropicAdapter.readAnswer(chat, body)).toMatchObject({
    finishReason: 'tool_calls',
    model: 'claude',
    textLength: 11,
    body: {
      choices: [
        {
          finish_reason: 'tool_calls',
          message: {
            content: null,
            reasoning_content: 'Hm',
            tool_calls: [{ id: 't1', type: 'function', function: { name: 'look', arguments: '{"a":[1]}' } }],
          },
        },
      ],
    },
  });
});

test.each([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['tool_use', 'tool_calls'],
  ['refusal', 'content_filter'],
  ['pause_turn', 'stop'],
])('the reason %s is %s', (stop_reason, expected) => {
  for (const call of [chat, messages]) {
    expect(anthropicAdapter.readAnswer(call, { content: [], stop_reason }).finishReason).toBe(expected);
  }
});

test('a message goes on as it is', () => {
  const body = fixture('messages-with-cache.json');
  const answer = anthropicAdapter.readAnswer(messages, body);
  expect(answer.body).toBe(body);
  expect(answer).toMatchObject({ isOriginal: true, usage: { inputTokens: 350, outputTokens: 30 }, textLength: 18 });
});

test('what is no message is refused', () => {
  for (const body of [{}, { content: 'Hi' }, { content: [1] }, { content: [{ type: 'tool_use', id: 1 }] }]) {
    for (const call of [chat, messages]) {
      expect(() => anthropicAdapter.readAnswer(call, body)).toThrow(MalformedAnswerError);
    }
  }
});

test('errors are those of a chat, or stay as they are', () => {
  const body = { type: 'error', error: { type: 'rate_limit_error', message: 'Slow down' } };
  expect(anthropicAdapter.readError?.(chat, 429, body)).toEqual({
    error: { message: 'Slow down', type: 'rate_limit_error', param: null, code: null },
  });
  expect(anthropicAdapter.readError?.(messages, 429, body)).toBe(body);
});
