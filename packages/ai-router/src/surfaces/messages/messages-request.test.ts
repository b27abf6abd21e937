import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../json.ts';
import { UnsupportedRequestError } from '../../providers/errors.ts';
import { messagesSurface } from './messages-surface.ts';

const hi = [{ role: 'user', content: 'Hi' }];

function toChat(body: JsonObject): JsonObject {
  return messagesSurface.toChat({ model: 'm', max_tokens: 9, messages: hi, ...body });
}

function messagesOf(body: JsonObject): unknown {
  return toChat(body)['messages'];
}

describe('a conversation', () => {
  test('keeps its system, as text or blocks', () => {
    expect(messagesOf({ system: 'S' })).toEqual([{ role: 'system', content: 'S' }, ...hi]);
    const system = [
      { type: 'text', text: 'A', cache_control: { type: 'ephemeral' } },
      { type: 'text', text: 'B' },
    ];
    expect(messagesOf({ system })).toEqual([{ role: 'system', content: 'A\n\nB' }, ...hi]);
  });

  test('keeps images and documents', () => {
    const content = [
      { type: 'text', text: 'See', cache_control: { type: 'ephemeral' } },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
      { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
      { type: 'document', title: 't.pdf', source: { type: 'base64', media_type: 'application/pdf', data: 'BB==' } },
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'plain' } },
    ];
    expect(messagesOf({ messages: [{ role: 'user', content }] })).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'See' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
          { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
          { type: 'file', file: { filename: 't.pdf', file_data: 'data:application/pdf;base64,BB==' } },
          { type: 'text', text: 'plain' },
        ],
      },
    ]);
  });

  test('has calls and their results, failures and images among them', () => {
    const messages = [
      ...hi,
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm', signature: 's' },
          { type: 'redacted_thinking', data: 'x' },
          { type: 'text', text: 'Let me look' },
          { type: 'tool_use', id: 'a', name: 'f', input: { x: 1 } },
          { type: 'tool_use', id: 'b', name: 'g', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'And then' },
          { type: 'tool_result', tool_use_id: 'a', content: 'no such file', is_error: true },
          {
            type: 'tool_result',
            tool_use_id: 'b',
            content: [
              { type: 'text', text: 'one' },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
              { type: 'text', text: 'two' },
            ],
          },
        ],
      },
    ];
    expect(messagesOf({ messages })).toEqual([
      ...hi,
      {
        role: 'assistant',
        content: 'Let me look',
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'f', arguments: '{"x":1}' } },
          { id: 'b', type: 'function', function: { name: 'g', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: 'Error: no such file' },
      { role: 'tool', tool_call_id: 'b', content: 'one\ntwo' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'And then' },
          { type: 'text', text: 'Shown by the tool call b:' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
        ],
      },
    ]);
  });

  test('of calls alone has no text', () => {
    const assistant = { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: {} }] };
    expect(messagesOf({ messages: [assistant] })).toMatchObject([{ role: 'assistant', content: null }]);
  });
});

test('limits and wishes', () => {
  const body = {
    temperature: 0.5,
    top_p: 0.9,
    top_k: 5,
    stop_sequences: ['x'],
    metadata: { user_id: 'u' },
    thinking: { type: 'enabled', budget_tokens: 1024 },
    service_tier: 'auto',
  };
  expect(toChat(body)).toEqual({
    model: 'm',
    messages: hi,
    max_completion_tokens: 9,
    max_tokens: 9,
    temperature: 0.5,
    top_p: 0.9,
    stop: ['x'],
    user: 'u',
  });
  expect(toChat({ stream: true })).toMatchObject({ stream: true, stream_options: { include_usage: true } });
});

const tools = [{ name: 'f', description: 'F', input_schema: { type: 'object' }, cache_control: { type: 'ephemeral' } }];

test.each<[JsonObject, JsonObject]>([
  [
    { type: 'auto', disable_parallel_tool_use: true },
    { tool_choice: 'auto', parallel_tool_calls: false },
  ],
  [{ type: 'any' }, { tool_choice: 'required' }],
  [{ type: 'none' }, { tool_choice: 'none' }],
  [{ type: 'tool', name: 'f' }, { tool_choice: { type: 'function', function: { name: 'f' } } }],
])('tools, chosen by %j', (tool_choice, expected) => {
  expect(toChat({ tools, tool_choice })).toMatchObject({
    tools: [{ type: 'function', function: { name: 'f', description: 'F', parameters: { type: 'object' } } }],
    ...expected,
  });
});

test('an answer by a schema', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false };
  for (const required of [['a'], []]) {
    const given = { ...schema, required };
    expect(toChat({ output_config: { effort: 'low', format: { type: 'json_schema', schema: given } } })).toMatchObject({
      // OpenAI refuses a strict schema with properties that may be missing.
      response_format: { type: 'json_schema', json_schema: { schema: given, strict: required.length > 0 } },
    });
  }
});

test.each<JsonObject>([
  { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
  { mcp_servers: [{}] },
  { container: 'c' },
  { messages: [{ role: 'tool', content: 'x' }] },
  { messages: [{ role: 'user', content: [{ type: 'search_result' }] }] },
  { messages: [{ role: 'assistant', content: [{ type: 'server_tool_use' }] }] },
  { messages: [{ role: 'user', content: [{ type: 'document', source: { type: 'url', url: 'https://a' } }] }] },
  { messages: 'Hi' },
  { system: [{ type: 'image' }] },
  { max_tokens: '9' },
])('%j is refused', (body) => {
  expect(() => toChat(body)).toThrow(UnsupportedRequestError);
});
