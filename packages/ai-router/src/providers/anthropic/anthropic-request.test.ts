import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../json.ts';
import type { Provider } from '../provider.ts';
import { UnsupportedRequestError } from '../errors.ts';
import { bodyOf, headersOf, testCall, testProvider } from '../provider.test-support.ts';
import { anthropicAdapter } from './anthropic-adapter.ts';

const provider = testProvider('anthropic', 'https://api.anthropic.com/v1');
const hi = [{ role: 'user', content: 'Hi' }];

async function sent(body: JsonObject, more: Partial<Provider> = {}): Promise<unknown> {
  const call = testCall({ provider: { ...provider, ...more }, body, model: 'claude' });
  return bodyOf(await anthropicAdapter.prepare(call));
}

/** What a request becomes but for the model, the limit and a message that says nothing. */
async function sentBeside(body: JsonObject): Promise<unknown> {
  const {
    model: _model,
    max_tokens: _maxTokens,
    messages: _messages,
    ...rest
  } = (await sent({
    messages: hi,
    ...body,
  })) as JsonObject;
  return rest;
}

describe('a chat', () => {
  test('goes to the Messages API with a key and a version', async () => {
    const request = await anthropicAdapter.prepare(testCall({ provider, body: { messages: hi }, model: 'claude' }));
    expect(request.url).toBe('https://api.anthropic.com/v1/messages');
    expect(headersOf(request)).toEqual({
      'content-type': 'application/json',
      accept: 'application/json',
      'x-api-key': 'k',
      'anthropic-version': '2023-06-01',
    });
    expect(bodyOf(request)).toEqual({
      model: 'claude',
      max_tokens: 4096,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
    });
  });

  test('as a stream asks for one', async () => {
    const request = await anthropicAdapter.prepare(testCall({ provider, body: { messages: hi }, stream: true }));
    expect(headersOf(request)).toMatchObject({ accept: 'text/event-stream', 'accept-encoding': 'identity' });
    expect(bodyOf(request)).toMatchObject({ stream: true });
  });

  test('keeps its limits and wishes', async () => {
    const body = { max_tokens: 5, max_completion_tokens: 7, temperature: 1.7, top_p: 0.5, stop: 'END', user: 'u1' };
    expect(await sent({ messages: hi, ...body })).toMatchObject({
      max_tokens: 7,
      temperature: 1,
      top_p: 0.5,
      stop_sequences: ['END'],
      metadata: { user_id: 'u1' },
    });
    expect(await sent({ messages: hi, max_tokens: 5, stop: ['a', 'b'], max_completion_tokens: null })).toMatchObject({
      max_tokens: 5,
      stop_sequences: ['a', 'b'],
    });
  });

  test('of several system messages has one system', async () => {
    const messages = [
      { role: 'system', content: 'A' },
      ...hi,
      { role: 'developer', content: [{ type: 'text', text: 'B' }] },
    ];
    expect(await sent({ messages })).toMatchObject({
      system: [
        { type: 'text', text: 'A' },
        { type: 'text', text: 'B' },
      ],
      messages: [{ role: 'user' }],
    });
    // Anthropic wants a user to say something.
    expect(await sent({ messages: messages.slice(0, 1) })).toMatchObject({
      messages: [{ role: 'user', content: [{ type: 'text', text: 'A' }] }],
    });
  });

  test('shows images and files', async () => {
    const content = [
      { type: 'image_url', image_url: { url: 'data:image/jpg;base64,AAAA' } },
      { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,BBBB' } },
      { type: 'text', text: '' },
    ];
    expect(await sent({ messages: [{ role: 'user', content }] })).toMatchObject({
      messages: [
        {
          content: [
            { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: 'AAAA' } },
            { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
            {
              type: 'document',
              title: 'a.pdf',
              source: { type: 'base64', media_type: 'application/pdf', data: 'BBBB' },
            },
          ],
        },
      ],
    });
  });

  test('with calls of tools has their results first in one turn', async () => {
    const calls = ['a', 'b:1'].map((id) => ({
      id,
      type: 'function',
      function: { name: 'look', arguments: `{"id":"${id}"}` },
    }));
    const messages = [
      ...hi,
      { role: 'assistant', content: '\n\n', tool_calls: calls },
      { role: 'tool', tool_call_id: 'a', content: 'one' },
      { role: 'tool', tool_call_id: 'b:1', content: '' },
      { role: 'user', content: 'Go on' },
    ];
    const { messages: turns } = (await sent({ messages })) as { messages: { role: string; content: JsonObject[] }[] };
    expect(turns.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    const [, assistant, user] = turns;
    expect(assistant?.content[0]).toEqual({ type: 'tool_use', id: 'a', name: 'look', input: { id: 'a' } });
    const strict = assistant?.content[1]?.['id'];
    expect(strict).toMatch(/^[\w-]{1,64}$/);
    expect(user?.content).toEqual([
      { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'one' }] },
      { type: 'tool_result', tool_use_id: strict },
      { type: 'text', text: 'Go on' },
    ]);
  });
});

describe('tools', () => {
  const tools = [
    { type: 'function', function: { name: 'look', description: 'Looks', parameters: { properties: {} } } },
  ];
  const declared = [{ name: 'look', description: 'Looks', input_schema: { type: 'object', properties: {} } }];

  test.each([
    [{}, {}],
    [{ tool_choice: 'auto' }, { tool_choice: { type: 'auto' } }],
    [{ tool_choice: 'required' }, { tool_choice: { type: 'any' } }],
    [{ tool_choice: 'none', parallel_tool_calls: false }, { tool_choice: { type: 'none' } }],
    [{ parallel_tool_calls: false }, { tool_choice: { type: 'auto', disable_parallel_tool_use: true } }],
    [
      { tool_choice: { type: 'function', function: { name: 'look' } }, parallel_tool_calls: false },
      { tool_choice: { type: 'tool', name: 'look', disable_parallel_tool_use: true } },
    ],
  ])('are chosen: %j', async (choice, expected) => {
    expect(await sentBeside({ tools, ...choice })).toEqual({ tools: declared, ...expected });
  });

  test('of earlier calls are declared although nobody may call them', async () => {
    const call = { id: 'a', type: 'function', function: { name: 'look', arguments: '' } };
    const messages = [
      ...hi,
      { role: 'assistant', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'a', content: '1' },
    ];
    expect(await sent({ messages })).toMatchObject({
      tools: [{ name: 'look', input_schema: { type: 'object' } }],
      tool_choice: { type: 'none' },
    });
  });
});

test('answers by a schema are asked for', async () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } } };
  const response_format = { type: 'json_schema', json_schema: { name: 'x', schema, strict: true } };
  const closed = { ...schema, additionalProperties: false };
  expect(await sentBeside({ response_format })).toEqual({
    output_config: { format: { type: 'json_schema', schema: closed } },
  });
});

describe('refused', () => {
  test.each([
    [{ n: 2 }],
    [{ stop: ['\n'] }],
    [{ response_format: { type: 'json_object' } }],
    [{ response_format: { type: 'json_schema', json_schema: { name: 'x' } } }],
    [{ logprobs: true }],
    [{ audio: {} }],
    [{ functions: [] }],
    [{ tools: [{ type: 'custom' }] }],
    [{ messages: [] }],
    [{ messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio: { format: 'wav', data: 'AA' } }] }] }],
    [{ messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'http://a/b.png' } }] }] }],
    [{ messages: [{ role: 'assistant', tool_calls: [{ id: 'a', function: { name: 'f', arguments: '[1]' } }] }] }],
  ])('%j', async (body: JsonObject) => {
    await expect(sentBeside(body)).rejects.toBeInstanceOf(UnsupportedRequestError);
  });
});

describe('a message', () => {
  const text = '{ "model":"claude", "max_tokens":1.50e1, "messages":[], "thinking":{"type":"enabled"} }';

  function message(model: string, stream = false): Promise<string> {
    const call = testCall({
      provider,
      operation: 'messages',
      body: JSON.parse(text) as JsonObject,
      bytes: Buffer.from(text),
      model,
      stream,
    });
    return Promise.resolve(anthropicAdapter.prepare(call)).then(({ body }) => Buffer.from(body).toString());
  }

  test('goes on as it came', async () => {
    expect(await message('claude')).toBe(text);
  });

  test('gets its model in place', async () => {
    expect(await message('other')).toBe(text.replace('"claude"', '"other"'));
  });

  test('loses what Anthropic refuses of other vendors, and nothing else', async () => {
    const thought = { type: 'thinking', thinking: 'Hm', signature: '' };
    const messages = [
      ...hi,
      { role: 'assistant', content: [thought] },
      {
        role: 'assistant',
        content: [
          thought,
          { ...thought, signature: 's' },
          { type: 'tool_use', id: 'functions.f:0', name: 'f', input: {} },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'functions.f:0', content: 'ok' }] },
    ];
    const body = { model: 'claude', max_tokens: 9, messages };
    const call = testCall({ provider, operation: 'messages', body, bytes: Buffer.from(JSON.stringify(body)) });
    const id: unknown = expect.stringMatching(/^call_[0-9a-f]{40}$/);
    const sentMessages = (bodyOf(await anthropicAdapter.prepare(call)) as JsonObject)['messages'] as JsonObject[];
    expect(sentMessages).toEqual([
      ...hi,
      {
        role: 'assistant',
        content: [
          { ...thought, signature: 's' },
          { type: 'tool_use', id, name: 'f', input: {} },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'ok' }] },
    ]);
    expect(new Set(JSON.stringify(sentMessages).match(/call_[0-9a-f]{40}/g)).size).toBe(1);
  });

  test('is a stream when it has to be one', async () => {
    expect(JSON.parse(await message('claude', true))).toMatchObject({ stream: true, model: 'claude' });
  });
});
