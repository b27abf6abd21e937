import { readdirSync, readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../json.ts';
import type { AiOperation } from '../../operation.ts';
import { MalformedAnswerError } from '../errors.ts';
import { testCall, testProvider } from '../provider.test-support.ts';
import { openAiAdapter } from './openai-adapter.ts';

const provider = testProvider('openai', 'https://api.openai.com/v1');
const folder = new URL('../../testdata/apisix/openai/', import.meta.url);

function fixture(name: string): JsonObject {
  return JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as JsonObject;
}

function read(body: JsonObject, operation: AiOperation = 'chat') {
  return openAiAdapter.readAnswer(testCall({ provider, operation }), body);
}

describe('transcripts', () => {
  test.each([
    ['chat-basic', 'chat', 'stop'],
    ['chat-tools', 'chat', 'tool_calls'],
    ['chat-with-tool-calls', 'chat', 'tool_calls'],
    ['null-content', 'chat', 'stop'],
    ['null-details', 'chat', 'stop'],
    ['null-function', 'chat', 'tool_calls'],
    ['null-message', 'chat', 'stop'],
    ['null-usage', 'chat', 'stop'],
    ['responses-basic', 'responses', 'stop'],
    ['embeddings-list', 'embeddings', undefined],
  ] as const)('%s', (name, operation, finishReason) => {
    const body = fixture(name);
    const answer = read(body, operation);
    expect(answer.body).toBe(body);
    expect(answer.isOriginal).toBe(true);
    expect(answer.finishReason).toBe(finishReason);
  });

  test('all that are chats are read', () => {
    const names = readdirSync(folder).filter((name) => /^chat-(?!error).*\.json$/.test(name));
    expect(names.length).toBeGreaterThan(5);
    for (const name of names) expect(read(fixture(name.replace('.json', ''))).textLength).toBeGreaterThan(0);
  });

  test('usage and text of one that reasons', () => {
    const answer = read(fixture('chat-with-reasoning'));
    expect(answer.usage).toEqual({ inputTokens: 30, outputTokens: 15, cachedInputTokens: 10 });
    expect(answer.textLength).toBe('The answer is 42.'.length + 'Let me think step by step about this problem.'.length);
  });

  test('an error is no answer', () => {
    expect(() => read(fixture('chat-error'))).toThrow(MalformedAnswerError);
  });
});

test.each([
  [
    { prompt_tokens: 0, completion_tokens: 0 },
    { inputTokens: 0, outputTokens: 0 },
  ],
  // What was written is counted from text then.
  [{ prompt_tokens: 5 }, undefined],
  [{ prompt_tokens: 5, completion_tokens: null, total_tokens: 5 }, undefined],
  [
    { prompt_tokens: 5, total_tokens: 9 },
    { inputTokens: 5, outputTokens: 4 },
  ],
  [
    { prompt_tokens: 5, completion_tokens: 2, total_tokens: 19 },
    { inputTokens: 5, outputTokens: 14 },
  ],
  [
    { prompt_tokens: 5, completion_tokens: 2, prompt_cache_hit_tokens: 4 },
    { inputTokens: 5, outputTokens: 2, cachedInputTokens: 4 },
  ],
  [
    { input_tokens: 5, output_tokens: 2, input_tokens_details: { cached_tokens: 0 } },
    { inputTokens: 5, outputTokens: 2, cachedInputTokens: 0 },
  ],
  [{ completion_tokens: 2 }, undefined],
  [{ prompt_tokens: -1, completion_tokens: 2 }, undefined],
  [{ prompt_tokens: Infinity, completion_tokens: 2 }, undefined],
  [{ prompt_tokens: '5' }, undefined],
  [null, undefined],
  [[], undefined],
])('usage %j', (usage, expected) => {
  expect(read({ choices: [{}], usage }).usage).toEqual(expected);
});

test('embeddings write nothing', () => {
  const { usage } = read({ data: [{}], usage: { prompt_tokens: 5 } }, 'embeddings');
  expect(usage).toEqual({ inputTokens: 5, outputTokens: 0 });
});

test.each([
  ['chat', {}],
  ['chat', { choices: [] }],
  ['chat', { choices: {} }],
  ['chat', { choices: [null] }],
  ['chat', JSON.parse('{"__proto__":{"choices":[{}]}}')],
  ['completions', { data: [] }],
  ['embeddings', { choices: [{}] }],
  ['responses', { output: 'x' }],
] as const)('%s: %j is no answer', (operation, body) => {
  expect(() => read(body as JsonObject, operation)).toThrow(MalformedAnswerError);
});

test('whatever the body, it is read or refused', () => {
  const names = fc.constantFrom(
    'choices',
    'data',
    'output',
    'usage',
    'message',
    'delta',
    'content',
    'tool_calls',
    '__proto__',
    'model',
  );
  const value = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom<unknown>(null, 1e308, -1, '', 'x', true),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(names, tie('value'), { maxKeys: 4 }),
    ),
  })).value;
  fc.assert(
    fc.property(
      fc.dictionary(names, value),
      fc.constantFrom<AiOperation>('chat', 'completions', 'embeddings', 'responses'),
      (body, operation) => {
        try {
          read(body, operation);
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedAnswerError);
        }
      },
    ),
  );
});

test('deep nesting is not followed', () => {
  let deep: unknown = 'x';
  for (let level = 0; level < 100_000; level += 1) deep = [deep];
  expect(read({ choices: [{ message: { content: deep } }] }).textLength).toBe(0);
});
