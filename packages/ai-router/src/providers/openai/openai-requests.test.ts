import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../json.ts';
import type { PreparedRequest } from '../adapter.ts';
import { adapterOf } from '../adapters.ts';
import type { Provider } from '../provider.ts';
import { bodyOf, headersOf, testCall, type TestCall, testProvider } from '../provider.test-support.ts';
import { openAiAdapter } from './openai-adapter.ts';

const provider = testProvider('openai', 'https://api.openai.com/v1');

async function prepare(call: Partial<TestCall>, more: Partial<Provider> = {}): Promise<PreparedRequest> {
  return await openAiAdapter.prepare(testCall({ provider: { ...provider, ...more }, ...call }));
}

test.each([
  ['chat', 'https://api.openai.com/v1/chat/completions'],
  ['completions', 'https://api.openai.com/v1/completions'],
  ['embeddings', 'https://api.openai.com/v1/embeddings'],
  ['responses', 'https://api.openai.com/v1/responses'],
] as const)('%s goes to %s', async (operation, url) => {
  const request = await prepare({ operation, body: { model: 'm' } });
  expect(request.url).toBe(url);
  expect(headersOf(request)).toEqual({
    'content-type': 'application/json',
    accept: 'application/json',
    authorization: 'Bearer k',
  });
});

test('the bytes go on as they came when the model is the same', async () => {
  const bytes = Buffer.from('{"model":"m","messages":[]}');
  const request = await prepare({ bytes, body: { model: 'm', messages: [] } });
  expect(request.body).toBe(bytes);
});

test('stream options are not for servers that do not take them', async () => {
  const body = { model: 'm', messages: [], stream: true, stream_options: { include_usage: true } };
  const supports = { ...provider.supports, streamUsage: false };
  const bytes = Buffer.from(JSON.stringify(body));
  expect(bodyOf(await prepare({ body, bytes, stream: true }, { supports }))).not.toHaveProperty('stream_options');
  expect(bodyOf(await prepare({ body, bytes, stream: true }))).toHaveProperty('stream_options');
});

test('the model is what the provider calls it', async () => {
  const body = { messages: [], model: 'public', seed: 1, n: 2 };
  const request = await prepare({ body });
  expect(request.body).toBe('{"messages":[],"model":"m","seed":1,"n":2}');
  expect(body.model).toBe('public');
});

describe('usage in streams', () => {
  const streaming = { stream: true, wantsStreamUsage: true } as const;

  test.each([
    [{ stream: true }, { include_usage: true }],
    [
      { stream: true, stream_options: { include_obfuscation: false } },
      { include_obfuscation: false, include_usage: true },
    ],
    [{ stream: true, stream_options: null }, { include_usage: true }],
    [{ stream: true, stream_options: { include_usage: false } }, { include_usage: true }],
  ])('is asked for: %j', async (body, expected) => {
    const request = await prepare({ ...streaming, body });
    expect(bodyOf(request)).toMatchObject({ stream_options: expected });
    expect(headersOf(request)).toMatchObject({ accept: 'text/event-stream', 'accept-encoding': 'identity' });
  });

  test.each([
    [
      'the client asked',
      { ...streaming, body: { model: 'm', stream: true, stream_options: { include_usage: true } } },
      {},
    ],
    ['nobody wants it', { stream: true, body: { model: 'm', stream: true } }, {}],
    ['responses tell it anyway', { ...streaming, operation: 'responses', body: { model: 'm', stream: true } }, {}],
    [
      'the provider does not know it',
      { ...streaming, body: { model: 'm', stream: true } },
      { supports: { streamUsage: false, tools: true, jsonSchema: true } },
    ],
  ] as const)('is not asked for when %s', async (_why, call, more) => {
    const bytes = Buffer.from(JSON.stringify(call.body));
    expect((await prepare({ ...call, bytes }, more)).body).toBe(bytes);
  });
});

test('stream is set to what the call is', async () => {
  expect(bodyOf(await prepare({ body: { stream: true } }))).toEqual({ model: 'm', stream: false });
  expect(bodyOf(await prepare({ body: {}, stream: true }))).toEqual({ model: 'm', stream: true });
});

describe('headers', () => {
  test('of organisation and project', async () => {
    const request = await prepare({}, { organization: 'org', project: 'proj' });
    expect(headersOf(request)).toMatchObject({ 'openai-organization': 'org', 'openai-project': 'proj' });
  });

  test("of the config take the place of the vendor's", async () => {
    const request = await prepare({}, { headers: ['Authorization', 'Basic x', 'X-Tenant', 't'], organization: 'o' });
    const names = request.headers.filter((_header, at) => at % 2 === 0);
    expect(names).toEqual(['content-type', 'accept', 'openai-organization', 'Authorization', 'X-Tenant']);
  });
});

describe('the key', () => {
  test.each([
    ['in a header', { headerName: 'X-Api-Key' }, { 'x-api-key': 'k' }, '', {}],
    [
      'in a header as it says',
      { headerName: 'authorization', headerValue: 'Token {key}!' },
      { authorization: 'Token k!' },
      '',
      {},
    ],
    [
      'a secret of its own',
      { headerName: 'authorization', headerValue: 'Basic abc' },
      { authorization: 'Basic abc' },
      '',
      {},
    ],
    ['in the query', { paramName: 'api key', paramLocation: 'query' }, {}, '?api%20key=k', {}],
    ['in the query by default', { paramName: 'key', paramValue: 'a&{key}' }, {}, '?key=a%26k', {}],
    ['in the body', { paramName: 'key', paramLocation: 'body' }, {}, '', { key: 'k' }],
  ] as const)('%s', async (_where, auth, headers, query, field) => {
    const request = await prepare({ body: { n: 1 } }, { auth });
    expect(headersOf(request)).toEqual({ 'content-type': 'application/json', accept: 'application/json', ...headers });
    expect(request.url).toBe(`https://api.openai.com/v1/chat/completions${query}`);
    expect(bodyOf(request)).toEqual({ n: 1, model: 'm', ...field });
  });

  test('with signs that replacement would read is what it is', async () => {
    const auth = { headerName: 'x', headerValue: '{key}' };
    const request = await prepare({ apiKey: "$&$'{key}" }, { auth });
    expect(headersOf(request)['x']).toBe("$&$'{key}");
  });

  test('is not needed', async () => {
    const call = { ...testCall({ provider }), credential: {} };
    const request = await openAiAdapter.prepare(call);
    expect(request.headers).not.toContain('authorization');
  });
});

test("a path of the config takes the place of the vendor's", async () => {
  expect((await prepare({}, { path: '/my/chat' })).url).toBe('https://api.openai.com/v1/my/chat');
});

test.each([
  ['openai', 'max_completion_tokens'],
  ['azure_openai', 'max_completion_tokens'],
  ['openai_compatible', 'max_tokens'],
] as const)('a limit by both of its names has one at %s', async (type, name) => {
  const both = { model: 'm', messages: [], max_tokens: 7, max_completion_tokens: 7 };
  const { max_tokens: _old, max_completion_tokens: _new, ...rest } = both;
  const sent = async (body: JsonObject): Promise<unknown> => {
    const call = testCall({ provider: testProvider(type, 'https://example.com/v1'), body });
    return bodyOf(await adapterOf(type).prepare(call));
  };
  expect(await sent(both)).toMatchObject({ ...rest, [name]: 7 });
  expect(Object.keys((await sent(both)) as JsonObject)).toHaveLength(3);
  // What a client says of its own goes on.
  expect(await sent({ ...both, max_tokens: 5 })).toMatchObject({ max_tokens: 5, max_completion_tokens: 7 });
});
