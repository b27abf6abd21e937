import { expect, it } from 'vitest';
import type { JsonObject } from '../json.ts';
import type { AiOperation } from '../operation.ts';
import { isKeepable } from './keepable-answer.ts';

const choice = (message: JsonObject, finish_reason: unknown = 'stop'): JsonObject => ({
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi', ...message }, finish_reason }],
});
const said = [{ type: 'text', text: 'Hi' }];
const output = [{ type: 'message', content: [{ type: 'output_text', text: 'Hi' }] }];

it.each<[boolean, AiOperation, JsonObject]>([
  [true, 'chat', choice({})],
  [true, 'chat', choice({ refusal: null, tool_calls: [] })],
  [false, 'chat', choice({ tool_calls: [{ id: 'c' }] })],
  [false, 'chat', choice({ function_call: { name: 'f' } })],
  [false, 'chat', choice({ refusal: 'No.' })],
  [false, 'chat', choice({ audio: { id: 'a' } })],
  [false, 'chat', choice({ content: '' })],
  [false, 'chat', choice({ content: null })],
  [false, 'chat', choice({}, 'length')],
  [false, 'chat', choice({}, 'content_filter')],
  [false, 'chat', choice({}, 'tool_calls')],
  [false, 'chat', choice({}, null)],
  [false, 'chat', { choices: [] }],
  [false, 'chat', { ...choice({}), error: { message: 'overloaded' } }],
  [
    false,
    'chat',
    { choices: [...(choice({})['choices'] as object[]), ...(choice({}, 'length')['choices'] as object[])] },
  ],
  [true, 'completions', { choices: [{ text: 'Hi', finish_reason: 'stop' }] }],
  [false, 'completions', { choices: [{ text: 'Hi', finish_reason: 'length' }] }],
  [true, 'messages', { content: said, stop_reason: 'end_turn' }],
  [true, 'messages', { content: [{ type: 'thinking', thinking: 'hm' }, ...said], stop_reason: 'stop_sequence' }],
  [false, 'messages', { content: said, stop_reason: 'max_tokens' }],
  [false, 'messages', { content: said, stop_reason: 'refusal' }],
  [false, 'messages', { content: [...said, { type: 'tool_use', name: 'f' }], stop_reason: 'end_turn' }],
  [false, 'messages', { content: [], stop_reason: 'end_turn' }],
  [true, 'responses', { status: 'completed', output: [{ type: 'reasoning' }, ...output] }],
  [false, 'responses', { status: 'incomplete', output }],
  [false, 'responses', { status: 'completed', output: [...output, { type: 'function_call' }] }],
  [false, 'responses', { status: 'completed', output: [{ type: 'message', content: [{ type: 'refusal' }] }] }],
  [true, 'embeddings', { data: [{ embedding: [1, 2] }] }],
  [true, 'embeddings', { data: [{ embedding: 'AAAA' }] }],
  [false, 'embeddings', { data: [] }],
  [false, 'embeddings', { data: [{}] }],
])('%s: %s %j', (isKept, form, body) => {
  expect(isKeepable(form, body)).toBe(isKept);
});
