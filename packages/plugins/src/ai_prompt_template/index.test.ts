import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ChatBench, chatOf } from '../shared/chat/chat-bench.test-support.ts';
import { mistakesOf } from '../testing/bad-configs.ts';
import type { TestRequest } from '../testing/plugin-bench.ts';
import { aiPromptTemplate } from './index.ts';

const user = (content: unknown) => ({ role: 'user', content });
const system = (content: unknown) => ({ role: 'system', content });

async function sent(config: object, body: unknown, request: TestRequest = {}): Promise<unknown> {
  await using bench = new ChatBench(aiPromptTemplate, config);
  return bench.sent(body, request);
}

async function ran(config: object, body: unknown, request: TestRequest = {}) {
  await using bench = new ChatBench(aiPromptTemplate, config);
  const exchange = await bench.ask(body, request);
  const text = exchange.hasResponse ? Buffer.from(exchange.response.body ?? []).toString('utf8') : '';
  return { exchange, status: exchange.hasResponse ? exchange.response.status : 200, text };
}

const all = {
  system_prompt: 'S',
  prepend_messages: [user('before')],
  append_messages: [system('after')],
  user_prefix: '<',
  user_suffix: '>',
};

describe('a chat gets', () => {
  it.each<[string, object, unknown, unknown]>([
    [
      'messages and what stands around the user’s last text, in their order',
      all,
      { messages: [system('own'), user('first'), { role: 'assistant', content: 'a' }, user('last')] },
      {
        messages: [
          ...[system('S'), user('before'), system('own'), user('first')],
          ...[{ role: 'assistant', content: 'a' }, user('<last>'), system('after')],
        ],
      },
    ],
    [
      'that around a text in parts',
      { user_prefix: '<', user_suffix: '>' },
      {
        messages: [
          user([
            { type: 'image_url', image_url: { url: 'u' } },
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ]),
        ],
      },
      {
        messages: [
          user([
            { type: 'image_url', image_url: { url: 'u' } },
            { type: 'text', text: '<a' },
            { type: 'text', text: 'b>' },
          ]),
        ],
      },
    ],
    [
      'that as a part of its own beside an image',
      { user_prefix: 'what is this?' },
      { messages: [user([{ type: 'image_url', image_url: { url: 'u' } }])] },
      {
        messages: [
          user([
            { type: 'text', text: 'what is this?' },
            { type: 'image_url', image_url: { url: 'u' } },
          ]),
        ],
      },
    ],
    [
      'that around the question and not the result of a tool behind it',
      { user_prefix: '<' },
      { messages: [user('q'), user([{ type: 'tool_result', tool_use_id: 't', content: 'r' }])] },
      { messages: [user('<q'), user([{ type: 'tool_result', tool_use_id: 't', content: 'r' }])] },
    ],
    [
      'nothing around a text that is nowhere',
      { user_prefix: '<' },
      { messages: [system('x')] },
      { messages: [system('x')] },
    ],
    [
      'settings that the client leaves out, and those alone',
      { defaults: { temperature: 0, top_p: 1, model: 'default' } },
      { messages: [user('x')], temperature: 1, top_p: null },
      { model: 'default', messages: [user('x')], temperature: 1, top_p: null },
    ],
    [
      'the model',
      { model: 'ours', defaults: { model: 'other' } },
      chatOf('x'),
      { model: 'ours', messages: [user('x')] },
    ],
    [
      'metadata, whose other members stay',
      { metadata: { team: 'a' } },
      { messages: [user('x')], metadata: { team: 'forged', trace: 't' } },
      { messages: [user('x')], metadata: { team: 'a', trace: 't' } },
    ],
    [
      'metadata where there was something else',
      { metadata: { a: 'b' } },
      { messages: [user('x')], metadata: 'm' },
      { messages: [user('x')], metadata: { a: 'b' } },
    ],
  ])('%s', async (_name, config, body, expected) => {
    expect(await sent(config, body)).toEqual(expected);
  });
});

describe('other forms', () => {
  const config = {
    system_prompt: 'S',
    prepend_messages: [{ role: 'developer', content: 'D' }, user('u')],
    append_messages: [system('A')],
    user_suffix: '!',
  };
  it.each<[string, string, unknown, unknown]>([
    [
      'Anthropic’s messages',
      '/v1/messages',
      { messages: [user('x')] },
      { system: 'S\n\nD\n\nA', messages: [user('u'), user('x!')] },
    ],
    [
      'those with a system text',
      '/v1/messages',
      { system: 'own', messages: [user('x')] },
      { system: 'S\n\nD\n\nown\n\nA', messages: [user('u'), user('x!')] },
    ],
    [
      'those with blocks for the system',
      '/v1/messages',
      { system: [{ type: 'text', text: 'own', cache_control: {} }], messages: [user('x')] },
      {
        system: [
          { type: 'text', text: 'S' },
          { type: 'text', text: 'D' },
          { type: 'text', text: 'own', cache_control: {} },
          { type: 'text', text: 'A' },
        ],
        messages: [user('u'), user('x!')],
      },
    ],
    [
      'responses of a text',
      '/v1/responses',
      { input: 'x' },
      { instructions: 'S\n\nD\n\nA', input: [user('u'), user('x!')] },
    ],
    [
      'responses of items, by their members',
      '/ask',
      { instructions: 'own', input: [user([{ type: 'input_text', text: 'x' }])] },
      { instructions: 'S\n\nD\n\nown\n\nA', input: [user('u'), user([{ type: 'input_text', text: 'x!' }])] },
    ],
  ])('%s', async (_name, path, body, expected) => {
    expect(await sent(config, body, { path })).toEqual(expected);
  });
});

describe('what stays as it came', () => {
  it('the bytes around what is changed', async () => {
    const body = '{ "seed": 12345678901234567890, "messages": [{"role":"user","content":"x"}] , "z":1.0 }';
    const { exchange } = await ran({ defaults: { temperature: 0 } }, body);
    expect(Buffer.from((await exchange.request.readBody(1e6)) ?? []).toString()).toBe(
      '{"temperature":0, "seed": 12345678901234567890, "messages": [{"role":"user","content":"x"}] , "z":1.0 }',
    );
  });

  it.each<[string, object, unknown, TestRequest]>([
    ['vectors', all, { input: 'x' }, { path: '/v1/embeddings' }],
    ['a list of models', all, undefined, { method: 'GET', path: '/v1/models' }],
    ['a request without messages, where that is allowed', { ...all, fail_on_missing_messages: false }, '{"a":1}', {}],
    ['no JSON, where that is allowed', { ...all, fail_on_missing_messages: false }, 'a=b', {}],
  ])('%s', async (_name, config, body, request) => {
    const { exchange, status } = await ran(config, body, request);
    const bytes = body === undefined ? undefined : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    expect([status, await exchange.request.readBody(1e6).then((read) => read && Buffer.from(read))]).toEqual([
      200,
      bytes ?? Buffer.alloc(0),
    ]);
  });

  it('the coding of a body', async () => {
    const headers = ['content-type', 'application/json', 'content-encoding', 'gzip', 'content-digest', 'sha-256=:x:'];
    const { exchange } = await ran({ model: 'm' }, gzipSync(JSON.stringify(chatOf('x'))), { headers });
    const { request } = exchange;
    expect([request.headers.get('content-encoding'), request.headers.get('content-digest')]).toEqual([
      'gzip',
      undefined,
    ]);
    expect(JSON.parse(gunzipSync((await request.readBody(1e6)) ?? '').toString())).toEqual({
      ...chatOf('x'),
      model: 'm',
    });
  });
});

describe('a request is refused', () => {
  it.each<[string, object, unknown, TestRequest, number]>([
    ['without messages', all, { model: 'm' }, {}, 400],
    ['with a list of none', all, { messages: [] }, {}, 400],
    ['as a completion, which has none', all, { prompt: 'x' }, { path: '/v1/completions' }, 400],
    ['without a body', all, undefined, { headers: [] }, 400],
    ['that is no JSON', all, 'x', {}, 400],
    [
      'of another content type, in strict mode',
      { strict_content_type: true, status_code: 415 },
      chatOf('x'),
      { headers: ['content-type', 'text/plain'] },
      415,
    ],
    ['without a content type, in strict mode', { strict_content_type: true }, chatOf('x'), { headers: [] }, 400],
    ['with a status of one’s own', { status_code: 422 }, {}, {}, 422],
    ['whose prompt is too long', { max_prompt_chars: 3 }, chatOf('four'), {}, 400],
    ['whose prompt is too long with the template', { max_prompt_chars: 3, system_prompt: 'abc' }, chatOf('d'), {}, 400],
    [
      'whose system text is too long',
      { max_prompt_chars: 3 },
      { system: 'four', messages: [user('')] },
      { path: '/messages' },
      400,
    ],
    [
      'whose document is too long',
      { max_prompt_chars: 3 },
      chatOf([{ type: 'document', source: { type: 'text', data: 'four' } }]),
      {},
      400,
    ],
    ['in a coding that is not read', all, 'x', { headers: ['content-encoding', 'compress'] }, 415],
    ['that is broken', all, 'x', { headers: ['content-encoding', 'gzip'] }, 400],
    ['that is no UTF-8', all, Buffer.from([0xff]), {}, 400],
  ])('%s', async (_name, config, body, request, expected) => {
    const { status, text } = await ran(config, body, request);
    expect([status, JSON.parse(text)]).toMatchObject([expected, { error: { code: 'invalid_request_error' } }]);
  });

  it.each<[string, object, unknown]>([
    ['as many characters as may be, pairs counted once', { max_prompt_chars: 2 }, chatOf('𝒳é')],
    [
      'an image, which has no characters',
      { max_prompt_chars: 3 },
      chatOf([{ type: 'image', source: { type: 'base64', data: 'QUJDRA==' } }]),
    ],
  ])('but not for %s', async (_name, config, body) => {
    expect((await ran(config, body)).status).toBe(200);
  });
});

it('leaves one reading where a name stood twice', async () => {
  const body = '{"messages":[{"role":"user","content":"much too long"}],"messages":[{"role":"user","content":"x"}]}';
  for (const config of [{ max_prompt_chars: 3 }, { max_prompt_chars: 3, model: 'm' }]) {
    const { exchange } = await ran(config, body);
    expect(Buffer.from((await exchange.request.readBody(1e6)) ?? []).toString()).not.toContain('much');
  }
});

it('reads chats whatever they call themselves, and says what they are', async () => {
  const { exchange } = await ran({ model: 'm' }, chatOf('x'), { headers: ['content-type', 'text/plain'] });
  expect(exchange.request.headers.get('content-type')).toBe('application/json');
  expect(await exchange.request.readBody(1e6).then((body) => Buffer.from(body ?? []).toString())).toContain(
    '"model":"m"',
  );
});

it.each<[string, unknown, readonly string[]]>([
  [
    'a role that nobody has',
    { prepend_messages: [{ role: 'tool', content: 'x' }] },
    ['/prepend_messages/0/role: must be one of system, developer, user, assistant'],
  ],
  [
    'what is no setting',
    { defaults: { messages: [] } },
    ['/defaults/messages: has a field of its own, or is what is asked'],
  ],
  ['a type for several', { content_type: 'text/*' }, ['/content_type: must be one content type']],
  ['an unknown field', { system: 'x' }, ['/system: is no field of this plugin']],
])('refuses %s in a config', (_name, config, mistakes) => {
  expect(mistakesOf(aiPromptTemplate, config)).toEqual(mistakes);
});
