import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../json.ts';
import { MalformedAnswerError } from '../../providers/errors.ts';
import { messagesSurface } from './messages-surface.ts';

function answer(message: JsonObject, finish_reason = 'stop', request: JsonObject = {}): JsonObject {
  const usage = { prompt_tokens: 9, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 4 } };
  const body = { id: 'chatcmpl-1', model: 'gpt', choices: [{ message, finish_reason }], usage };
  return messagesSurface.fromChat(body, { model: 'm', ...request });
}

function call(args: unknown): JsonObject {
  return { tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: args } }] };
}

test('a chat answer is a message', () => {
  expect(answer({ content: 'Hi' })).toEqual({
    id: 'msg_chatcmpl-1',
    type: 'message',
    role: 'assistant',
    model: 'gpt',
    content: [{ type: 'text', text: 'Hi' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 4, output_tokens: 2 },
  });
});

test.each([
  ['length', 'max_tokens'],
  ['content_filter', 'refusal'],
  ['stop', 'end_turn'],
])('that ended with %s ended with %s', (reason, expected) => {
  expect(answer({ content: '' }, reason)).toMatchObject({ content: [], stop_reason: expected });
});

describe('calls', () => {
  test('are blocks with their input', () => {
    expect(answer({ content: 'Look', ...call('{"x":1}') }, 'tool_calls')).toMatchObject({
      content: [
        { type: 'text', text: 'Look' },
        { type: 'tool_use', id: 'a', name: 'f', input: { x: 1 } },
      ],
      stop_reason: 'tool_use',
    });
  });

  test('are to be run although the provider said stop', () => {
    expect(answer(call(''), 'stop')).toMatchObject({ content: [{ input: {} }], stop_reason: 'tool_use' });
  });

  test('have IDs that Anthropic takes in a later turn', () => {
    const given = { type: 'function', function: { name: 'f', arguments: '{}' } };
    const { content } = answer({ tool_calls: [{ ...given, id: 'functions.f:0' }, given, given] }, 'tool_calls');
    const ids = (content as JsonObject[]).map(({ id }) => String(id));
    expect(ids).toEqual(Array.from({ length: 3 }, () => expect.stringMatching(/^[\w-]{1,64}$/) as unknown));
    expect(new Set(ids).size).toBe(3);
    const other = messagesSurface.fromChat({ id: 'chatcmpl-2', choices: [{ message: { tool_calls: [given] } }] }, {});
    expect(ids).not.toContain((other['content'] as JsonObject[])[0]?.['id']);
  });

  test('that were cut off are left out, others that are no JSON are refused', () => {
    expect(answer(call('{"x":'), 'length')).toMatchObject({ content: [], stop_reason: 'max_tokens' });
    for (const args of ['{"x":', '[1]', 7])
      expect(() => answer(call(args), 'tool_calls')).toThrow(MalformedAnswerError);
  });
});

test('thoughts are for who asked for them', () => {
  const message = { reasoning_content: 'Hm', content: 'Hi' };
  expect(answer(message)['content']).toHaveLength(1);
  expect(answer(message, 'stop', { thinking: { type: 'enabled' } })['content']).toEqual([
    { type: 'thinking', thinking: 'Hm', signature: '' },
    { type: 'text', text: 'Hi' },
  ]);
});

test('a refusal is one', () => {
  expect(answer({ content: null, refusal: 'No' })).toMatchObject({
    content: [{ type: 'text', text: 'No' }],
    stop_reason: 'refusal',
  });
});

test('what is no answer is refused', () => {
  for (const body of [
    {},
    { choices: [] },
    { choices: [{ message: null }] },
    { choices: [{ message: { tool_calls: {} } }] },
  ]) {
    expect(() => messagesSurface.fromChat(body, {})).toThrow(MalformedAnswerError);
  }
});
