import { describe, expect, it } from 'vitest';
import {
  ChatBench,
  chatExchange,
  chatOf,
  serviceFaults,
  startService,
} from '../shared/chat/chat-bench.test-support.ts';
import { FAILURES_MAX, REST_MS } from '../shared/chat/service-rest.ts';
import { mistakesOf } from '../testing/bad-configs.ts';
import type { TestRequest } from '../testing/plugin-bench.ts';
import { aiRagInjector } from './index.ts';

const user = (content: unknown) => ({ role: 'user', content });
const context = (content: string, role = 'system') => ({ role, content });
const plain = { context_template: 'C:{{context}}' };

/** Runs one request through the plugin whose service answers with this. */
async function sent(config: object, found: unknown, body: unknown, request: TestRequest = {}) {
  await using service = await startService();
  service.say(found);
  await using bench = new ChatBench(aiRagInjector, { ...plain, retrieval_url: `${service.url}/q`, ...config });
  return {
    body: await bench.sent(body, request),
    asked: service.requests.map(({ body: asked }) => JSON.parse(asked.toString()) as unknown),
    requests: service.requests,
  };
}

describe('the context', () => {
  const results = { results: [{ content: 'one' }, { content: 'two' }] };
  const turns = [{ role: 'system', content: 'S' }, user('a'), { role: 'assistant', content: 'b' }, user('q')];
  it.each<[string, object, unknown]>([
    ['before the user’s last message', {}, [...turns.slice(0, 3), context('C:one\n\ntwo'), turns[3]]],
    [
      'after what systems are told',
      { position: 'after_system' },
      [turns[0], context('C:one\n\ntwo'), ...turns.slice(1)],
    ],
    ['at the start', { position: 'start', separator: '|' }, [context('C:one|two'), ...turns]],
    ['at the start, in another word', { position: 'prepend', top_k: 1 }, [context('C:one'), ...turns]],
    ['at the end', { position: 'end', role: 'user' }, [...turns, context('C:one\n\ntwo', 'user')]],
    ['at the end, in another word', { position: 'append', max_context_chars: 5 }, [...turns, context('C:one')]],
    ['cut', { position: 'end', max_context_chars: 2 }, [...turns, context('C:on')]],
  ])('goes %s', async (_name, config, messages) => {
    expect((await sent(config, results, { messages: turns })).body).toEqual({ messages });
  });

  it('goes where systems are told in other forms', async () => {
    const anthropic = await sent({}, results, { system: 'S', messages: [user('q')] }, { path: '/v1/messages' });
    expect(anthropic.body).toEqual({ system: 'S\n\nC:one\n\ntwo', messages: [user('q')] });
    const responses = await sent({ role: 'user' }, results, { input: 'q' }, { path: '/v1/responses' });
    expect(responses.body).toEqual({ input: [user('C:one\n\ntwo'), user('q')] });
  });

  it.each<[string, object, unknown, string]>([
    ['a list of texts', {}, { results: ['a', ' ', 'b'] }, 'a\n\nb'],
    ['the answer itself', { results_path: '$' }, ['a'], 'a'],
    [
      'deep paths',
      { results_path: 'data.0.hits', content_field: 'doc.text' },
      { data: [{ hits: [{ doc: { text: 'a' } }] }] },
      'a',
    ],
    [
      'results without a text, which are left out',
      {},
      { results: [{ x: 1 }, { content: 2 }, null, { content: 'a' }] },
      'a',
    ],
    ['words that templates have', {}, { results: ['$& {{context}}'] }, '$& {{context}}'],
    ['half a character that is cut', { max_context_chars: 1 }, { results: ['𝒳'] }, ''],
  ])('is made of %s', async (_name, config, found, expected) => {
    const { body } = await sent({ position: 'end', ...config }, found, chatOf('q'));
    expect(body).toEqual({
      ...chatOf('q'),
      messages: [user('q'), ...(expected === '' ? [] : [context(`C:${expected}`)])],
    });
  });

  it('is none where nothing was found: the request is as it was', async () => {
    expect((await sent({}, { results: [] }, chatOf('q'))).body).toEqual(chatOf('q'));
  });
});

describe('the service is asked', () => {
  it('about the user’s last text, with the headers of the config', async () => {
    const config = { query_field: 'q', top_k: 3, headers: { Authorization: 'Bearer k' }, include_tenant_header: true };
    const { asked, requests } = await sent(
      config,
      { results: [] },
      { messages: [user('old'), user([{ type: 'text', text: ' new' }])] },
    );
    expect(asked).toEqual([{ q: 'new', top_k: 3 }]);
    expect(requests).toMatchObject([
      {
        method: 'POST',
        url: '/q',
        headers: { authorization: 'Bearer k', 'x-tenant-id': 't1', 'content-type': 'application/json' },
      },
    ]);
  });

  it('without the tenant unless a config wants it, and about the end of a long text', async () => {
    const { asked, requests } = await sent({}, { results: [] }, chatOf(`${'x'.repeat(9000)}?`));
    expect(asked).toEqual([{ query: `${'x'.repeat(8191)}?`, top_k: 5 }]);
    expect(requests[0]?.headers).not.toHaveProperty('x-tenant-id');
  });

  it.each<[string, unknown, TestRequest]>([
    ['vectors', { input: 'x' }, { path: '/v1/embeddings' }],
    ['completions', { prompt: 'x' }, { path: '/v1/completions' }],
    ['chats without a text', chatOf([{ type: 'image_url', image_url: { url: 'u' } }]), {}],
    ['other JSON', { a: 1 }, {}],
  ])('not for %s', async (_name, body, request) => {
    const { asked, body: left } = await sent({}, {}, body, request);
    expect([asked, left]).toEqual([[], body]);
  });
});

describe('a service that fails', () => {
  const unfit = [['no list', 'no_results_list', undefined] as const];
  it.each([...serviceFaults, ...unfit])('by %s', async (_name, reason, behaviour) => {
    await using service = await startService();
    if (behaviour !== undefined) service.behave(behaviour);
    for (const failsOpen of [false, true]) {
      await using bench = new ChatBench(aiRagInjector, {
        retrieval_url: service.url,
        fail_open: failsOpen,
        timeout_seconds: reason === 'timeout' ? 0.1 : 4,
      });
      const exchange = await bench.ask(chatOf('q'));
      expect(exchange.hasResponse ? exchange.response.status : 200).toBe(failsOpen ? 200 : 503);
      expect(bench.lines).toEqual([expect.stringContaining(`"reason":"${reason}","goes_on":${failsOpen}`)]);
      expect(bench.lines.join()).not.toContain('127.0.0.1');
      if (!failsOpen) expect(Buffer.from(exchange.response.body ?? []).toString()).toContain('retrieval_unavailable');
    }
  });

  it.each([false, true])('for a while is left alone (fail_open %s)', async (failsOpen) => {
    await using service = await startService();
    service.say({}, 500);
    await using bench = new ChatBench(aiRagInjector, { ...plain, retrieval_url: service.url, fail_open: failsOpen });
    const statuses: number[] = [];
    for (let turn = 0; turn < FAILURES_MAX + 2; turn += 1) {
      const exchange = await bench.ask(chatOf('q'));
      statuses.push(exchange.hasResponse ? exchange.response.status : 200);
    }
    expect([service.requests.length, new Set(statuses)]).toEqual([FAILURES_MAX, new Set([failsOpen ? 200 : 503])]);
    service.say({ results: ['a'] });
    bench.clock.advance(REST_MS);
    expect(await bench.sent(chatOf('q'))).toEqual({ ...chatOf('q'), messages: [context('C:a'), user('q')] });
  });

  it.each([
    ['a status for one question', { error: 'not this one' }, 422],
    ['no list for one question', {}, 200],
  ])('by %s is asked about all others', async (_name, said, status) => {
    await using service = await startService();
    service.say(said, status);
    await using bench = new ChatBench(aiRagInjector, { ...plain, retrieval_url: service.url });
    for (let turn = 0; turn <= FAILURES_MAX; turn += 1) {
      expect((await bench.ask(chatOf('poison'))).response.status).toBe(503);
    }
    service.say({ results: ['a'] });
    expect(await bench.sent(chatOf('q'))).toEqual({ ...chatOf('q'), messages: [context('C:a'), user('q')] });
  });

  it('by not being there, or where it must not be', async () => {
    const gone = await startService();
    await gone[Symbol.asyncDispose]();
    for (const [url, reason] of [
      [gone.url, 'unreachable'],
      ['http://169.254.169.254/', 'refused'],
      ['http://192.0.2.1/', 'refused'],
    ] as const) {
      await using bench = new ChatBench(aiRagInjector, { retrieval_url: url });
      expect((await bench.ask(chatOf('q'))).response.status).toBe(503);
      expect(bench.lines).toEqual([expect.stringContaining(`"reason":"${reason}"`)]);
    }
  });
});

it.each<[string, string | Uint8Array, readonly string[], number]>([
  ['cannot be decoded', 'x', ['content-encoding', 'gzip'], 400],
  ['is no UTF-8', Buffer.from([0xff]), [], 400],
  ['has several types', 'x', ['content-type', 'a/b', 'content-type', 'c/d'], 400],
])('refuses a body that %s', async (_name, body, headers, status) => {
  await using bench = new ChatBench(aiRagInjector, { retrieval_url: 'https://search.test' });
  expect((await bench.ask(body, { headers })).response.status).toBe(status);
});

it('leaves requests without a body alone', async () => {
  await using bench = new ChatBench(aiRagInjector, { retrieval_url: 'https://search.test' });
  const exchange = await bench.ask(undefined, { method: 'GET' });
  expect([exchange.hasResponse, chatExchange(undefined).request.hasBody]).toEqual([false, false]);
});

it.each<[string, object, readonly string[]]>([
  ['no address', { retrieval_url: undefined }, ['/retrieval_url: is required']],
  [
    'a password in an address',
    { retrieval_url: 'https://a:b@c.test' },
    ['/retrieval_url: must begin with https:// and a host, and have no user, password and fragment'],
  ],
  ['a template without a place', { context_template: 'x' }, ['/context_template: must hold {{context}}']],
  [
    'a position that is none',
    { position: 'middle' },
    ['/position: must be one of before_user, after_system, start, prepend, end, append'],
  ],
  [
    'a header that breaks lines',
    { headers: { a: 'b\nc: d' } },
    ['/headers/a: must be a header value of visible ASCII characters'],
  ],
  [
    'a header of its own',
    { headers: { 'Content-Type': 'a/b' } },
    ['/headers/Content-Type: names a header that the plugin itself sets'],
  ],
  [
    'a tenant of its own',
    { headers: { 'X-Tenant-Id': 'other' }, include_tenant_header: true },
    ['/headers: must not hold X-Tenant-ID beside include_tenant_header'],
  ],
  [
    'a path that is none',
    { results_path: 'a..b' },
    ['/results_path: must be names with dots between, such as data.results'],
  ],
])('refuses %s in a config', (_name, config, mistakes) => {
  expect(mistakesOf(aiRagInjector, JSON.parse(JSON.stringify({ retrieval_url: 'https://s.test', ...config })))).toEqual(
    mistakes,
  );
});
