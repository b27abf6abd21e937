import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../json.ts';
import { parsedChunk } from '../../providers/openai/chunks.ts';
import { UnsupportedRequestError } from '../../providers/errors.ts';
import { completionsSurface } from './completions-surface.ts';

describe('requests', () => {
  test.each([
    ['text', 'say hi'],
    ['a list of one', ['say hi']],
  ])('of %s become a chat of one message', (_case, prompt) => {
    const shared = {
      model: 'm',
      max_tokens: 5,
      temperature: 0,
      top_p: 1,
      stop: ['x'],
      seed: 1,
      logit_bias: { 5: -1 },
      user: 'u',
      stream: true,
    };
    const rest = { n: 1, best_of: 1, echo: false, suffix: null, logprobs: null, unknown: 1 };
    expect(completionsSurface.toChat({ prompt, ...shared, ...rest })).toEqual({
      messages: [{ role: 'user', content: 'say hi' }],
      ...shared,
    });
  });

  test.each([
    [{ prompt: ['a', 'b'] }, 'more than one prompt'],
    [{ prompt: [1, 2] }, 'prompt must be text'],
    [{ prompt: [[1, 2]] }, 'prompt must be text'],
    [{ prompt: [] }, 'prompt must be text'],
    [{}, 'prompt must be text'],
    [{ prompt: 'a', echo: true }, 'echo'],
    [{ prompt: 'a', suffix: 'b' }, 'suffix'],
    [{ prompt: 'a', n: 2 }, 'n above 1'],
    [{ prompt: 'a', best_of: 3 }, 'best_of above 1'],
    [{ prompt: 'a', logprobs: 0 }, 'logprobs'],
    [{ prompt: 'a', n: 'x' }, 'n must be'],
  ])('%j is refused', (body, message) => {
    expect(() => completionsSurface.toChat(body)).toThrow(UnsupportedRequestError);
    expect(() => completionsSurface.toChat(body)).toThrow(message);
  });
});

describe('answers', () => {
  test.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['content_filter', 'content_filter'],
    ['tool_calls', 'stop'],
  ])('that ended with %s', (reason, expected) => {
    const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
    const answer = {
      id: 'x',
      created: 5,
      model: 'm',
      choices: [{ index: 0, message: { content: 'hi' }, finish_reason: reason }],
      usage,
    };
    expect(completionsSurface.fromChat(answer, {})).toEqual({
      id: 'x',
      object: 'text_completion',
      created: 5,
      model: 'm',
      choices: [{ text: 'hi', index: 0, logprobs: null, finish_reason: expected }],
      usage,
    });
  });

  test('of any shape have text', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('id', 'choices', 'usage', '__proto__'), fc.jsonValue()), (answer) => {
        expect(completionsSurface.fromChat(answer as JsonObject, {})).toMatchObject({ object: 'text_completion' });
      }),
    );
  });
});

/** What a stream writes for chunks of a chat, as objects; the end as its text. */
function written(request: JsonObject, chunks: readonly JsonObject[]): readonly unknown[] {
  const stream = completionsSurface.openStream(request);
  const text = chunks.map((chunk) => stream.push(parsedChunk(chunk, undefined))).join('') + stream.end();
  return text
    .split('\n\n')
    .filter((frame) => frame !== '')
    .map((frame) => (frame === 'data: [DONE]' ? frame : (JSON.parse(frame.slice('data: '.length)) as unknown)));
}

const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
const chat: readonly JsonObject[] = [
  {
    id: 'x',
    created: 5,
    model: 'm',
    choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }],
  },
  { id: 'x', created: 5, model: 'm', choices: [{ index: 0, delta: { content: 'hi' }, finish_reason: null }] },
  { id: 'x', created: 5, model: 'm', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  { id: 'x', created: 5, model: 'm', choices: [], usage },
];
const head = { id: 'x', object: 'text_completion', created: 5, model: 'm' };
const texts = [
  { ...head, choices: [{ text: 'hi', index: 0, logprobs: null, finish_reason: null }] },
  { ...head, choices: [{ text: '', index: 0, logprobs: null, finish_reason: 'stop' }] },
];

describe('streams', () => {
  test('are chunks of text', () => {
    expect(written({}, chat)).toEqual([...texts, 'data: [DONE]']);
  });

  test('tell usage to those who asked', () => {
    expect(written({ stream_options: { include_usage: true } }, chat)).toEqual([
      ...texts,
      { ...head, choices: [], usage },
      'data: [DONE]',
    ]);
  });
});

test('usage is told once, though a provider says with each chunk what is known so far', () => {
  const stream = completionsSurface.openStream({ stream_options: { include_usage: true } });
  const usage = { inputTokens: 1, outputTokens: 2 };
  const word = {
    ...parsedChunk({ choices: [{ index: 0, delta: { content: 'a' }, finish_reason: null }] }, undefined),
    usage,
  };
  const last = { ...parsedChunk({ choices: [] }, undefined), usage, isUsageOnly: true };
  expect(stream.push(word)).not.toContain('usage');
  expect(stream.push(last)).toContain('"total_tokens":3');
});
