import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../json.ts';
import { messagesSurface } from '../../surfaces/messages/messages-surface.ts';
import { anthropicAdapter } from '../anthropic/anthropic-adapter.ts';
import { createBedrockAdapter } from '../bedrock/bedrock-adapter.ts';
import { UnsupportedRequestError } from '../errors.ts';
import { createGeminiAdapter, createVertexAdapter } from '../gemini/gemini-adapter.ts';
import type { ProviderType } from '../provider.ts';
import { testCall, testProvider } from '../provider.test-support.ts';
import { nested, wronged } from './wrong-values.test-support.ts';

const adapters = {
  anthropic: anthropicAdapter,
  bedrock: createBedrockAdapter(() => 'id'),
  gemini: createGeminiAdapter(() => 'id'),
  vertex: createVertexAdapter(() => 'id'),
} as const satisfies Partial<Record<ProviderType, unknown>>;
const types = Object.keys(adapters) as (keyof typeof adapters)[];

const chat: JsonObject = {
  model: 'm',
  messages: [
    { role: 'system', content: [{ type: 'text', text: 'S' }] },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Hi' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
        { type: 'file', file: { filename: 'a', file_data: 'data:application/pdf;base64,AA==' } },
      ],
    },
    {
      role: 'assistant',
      content: 'Look',
      tool_calls: [
        {
          id: 'a',
          type: 'function',
          function: { name: 'f', arguments: '{"__proto__":1}' },
          extra_content: { google: { thought_signature: 's' } },
        },
      ],
    },
    { role: 'tool', tool_call_id: 'a', content: 'x' },
  ],
  tools: [
    {
      type: 'function',
      function: {
        name: 'f',
        description: 'F',
        parameters: { type: 'object', properties: { a: { type: ['string', 'null'], enum: ['x'] } }, required: ['a'] },
      },
    },
  ],
  tool_choice: { type: 'function', function: { name: 'f' } },
  response_format: {
    type: 'json_schema',
    json_schema: { name: 'n', schema: { type: 'array', items: { type: 'string' } } },
  },
  max_tokens: 5,
  temperature: 1,
  top_p: 1,
  n: 1,
  stop: ['x'],
  user: 'u',
  parallel_tool_calls: true,
  stream: false,
  modalities: ['text'],
};

const messages: JsonObject = {
  model: 'm',
  max_tokens: 5,
  system: [{ type: 'text', text: 'S' }],
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Hi' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
        { type: 'document', source: { type: 'text', data: 'x' }, title: 't' },
      ],
    },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: { x: 1 } }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'x' }], is_error: true }],
    },
  ],
  tools: [{ name: 'f', description: 'F', input_schema: { type: 'object' } }],
  tool_choice: { type: 'tool', name: 'f', disable_parallel_tool_use: true },
  stop_sequences: ['x'],
  metadata: { user_id: 'u' },
  thinking: { type: 'enabled' },
  output_config: { format: { type: 'json_schema', schema: {} } },
  stream: true,
};

/** What a request becomes, or the refusal. Anything else that is thrown fails the test. */
function tried(make: () => unknown): unknown {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof UnsupportedRequestError)) throw error;
    return error;
  }
}

function prepare(type: keyof typeof adapters, body: JsonObject, operation: 'chat' | 'embeddings' = 'chat'): unknown {
  const provider = testProvider(type, 'https://p.example.com/v1', { region: 'eu-west-1' });
  const credential = { apiKey: 'k', accessKeyId: 'a', secretAccessKey: 's' };
  return tried(() => adapters[type].prepare({ ...testCall({ provider, body, operation, model: 'm' }), credential }));
}

describe.each(types)('%s', (type) => {
  test('takes the request that the wrong ones are made of', () => {
    const { response_format: _format, ...body } = chat;
    for (const sent of [body, chat]) expect(prepare(type, sent)).toHaveProperty('url');
  });

  test('refuses wrong values at every place', () => {
    for (const body of wronged(chat)) expect(prepare(type, body)).toBeDefined();
    for (const body of wronged({ input: ['a'], dimensions: 2, encoding_format: 'float' }))
      if (type !== 'anthropic') prepare(type, body, 'embeddings');
  });

  test('refuses any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(...Object.keys(chat)), (value, name) => {
        expect(prepare(type, { ...chat, [name]: value })).toBeDefined();
      }),
    );
  });

  test('refuses what is nested too deeply', () => {
    const tool = {
      type: 'function',
      function: { name: 'f', parameters: { type: 'object', properties: nested(), default: nested() } },
    };
    prepare(type, { ...chat, tools: [tool] });
    const call = { id: 'a', type: 'function', function: { name: 'f', arguments: JSON.stringify({ a: 1 }) } };
    const args = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
    const deep = { role: 'assistant', tool_calls: [{ ...call, function: { name: 'f', arguments: args } }] };
    expect(prepare(type, { ...chat, messages: [deep] })).toBeInstanceOf(UnsupportedRequestError);
  });

  test('reads very many parts', () => {
    const content = Array.from({ length: 200_000 }, () => ({ type: 'text', text: 'x' }));
    for (const role of ['system', 'user', 'assistant']) {
      // A user first: not every provider lets the model begin.
      expect(
        prepare(type, {
          messages: [
            { role: 'user', content: 'Hi' },
            { role, content },
          ],
        }),
      ).toHaveProperty('url');
    }
  });
});

test('the form of vectors is refused before they are asked for', () => {
  const body = { input: 'a', encoding_format: 5 };
  for (const type of ['gemini', 'vertex'] as const) {
    expect(prepare(type, body, 'embeddings')).toBeInstanceOf(UnsupportedRequestError);
  }
});

describe('messages', () => {
  test('refuse wrong values at every place', () => {
    expect(messagesSurface.toChat(messages)).toHaveProperty('messages');
    for (const body of wronged(messages)) {
      const made = tried(() => messagesSurface.toChat(body));
      if (made instanceof Error) continue;
      for (const type of types) prepare(type, made as JsonObject);
    }
  });

  test('refuse any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(...Object.keys(messages)), (value, name) => {
        expect(tried(() => messagesSurface.toChat({ ...messages, [name]: value }))).toBeDefined();
      }),
    );
  });

  test('refuse what is nested too deeply', () => {
    const content = [{ type: 'tool_use', id: 'a', name: 'f', input: nested() }];
    expect(tried(() => messagesSurface.toChat({ messages: [{ role: 'assistant', content }] }))).toBeInstanceOf(
      UnsupportedRequestError,
    );
  });
});

test('what a client calls __proto__ reaches the provider and nobody else', () => {
  const input = JSON.parse('{"__proto__":{"polluted":1}}') as JsonObject;
  const call = { id: 'a', type: 'function', function: { name: 'f', arguments: JSON.stringify(input) } };
  const sent = prepare('anthropic', { messages: [{ role: 'assistant', tool_calls: [call] }] }) as { body: string };
  expect(sent.body).toContain('"input":{"__proto__":{"polluted":1}}');
  expect({}).not.toHaveProperty('polluted');
});
