import { describe, expect, it } from 'vitest';
import { createFetchHandler, type FetchHandlerOptions } from '../fetch.ts';
import type { HookFault, PluginHooks } from '../index.ts';
import { pluginOf } from '../testing/fixtures.ts';

const request = (init: RequestInit & { readonly duplex?: 'half' } = {}) => new Request('http://api.test/orders', init);

/** A handler around one plugin, with what was logged and which faults its hooks had. */
function benchOf(hooks: PluginHooks, options: Partial<FetchHandlerOptions> = {}) {
  const plugin = pluginOf('subject', () => hooks, { triggers: ['all'] });
  const logged: string[] = [];
  const faults: HookFault[] = [];
  const note = (message: string, details?: object): void => void logged.push(`${message} ${JSON.stringify(details)}`);
  const handle = createFetchHandler({
    plugins: [plugin],
    inline: [{ name: 'subject' }],
    upstream: () => new Response('hello'),
    log: { warn: note, error: note },
    events: { onHookFault: (_instance, _stage, fault) => void faults.push(fault) },
    ...options,
  });
  return { handle, logged, faults };
}

/** A body that fails after its first chunk. */
function broken(): ReadableStream<Uint8Array> {
  let isBegun = false;
  return new ReadableStream({
    pull(controller) {
      if (isBegun) throw new Error('gone');
      isBegun = true;
      controller.enqueue(new Uint8Array(1));
    },
  });
}

describe('createFetchHandler', () => {
  it.each<[string, Partial<FetchHandlerOptions>]>([
    [
      'clientIp',
      {
        clientIp: () => {
          throw new Error('no server');
        },
      },
    ],
    [
      'newId',
      {
        newId: () => {
          throw new Error('no server');
        },
      },
    ],
  ])('rejects when the host’s own %s throws, and can be closed all the same', async (_name, options) => {
    const { handle } = benchOf({}, options);
    await expect(handle(request())).rejects.toThrow('no server');
    await handle.close();
  });

  it('logs what the upstream threw, and tells the client nothing of it', async () => {
    const { handle, logged } = benchOf(
      {},
      {
        upstream: () => {
          throw new Error('refused by 10.0.0.1');
        },
      },
    );
    const response = await handle(request());
    expect([response.status, await response.text()]).toEqual([502, expect.not.stringContaining('10.0.0.1')]);
    expect(logged).toEqual([expect.stringMatching(/upstream .*Error: refused by 10\.0\.0\.1/)]);
  });

  it('tells hooks at once of a client that left before they ran', async () => {
    let isTold: unknown;
    const { handle, faults } = benchOf({
      request: (exchange) => void (isTold = exchange.signal().aborted),
    });
    await handle(request({ signal: AbortSignal.abort() }));
    expect([isTold, faults]).toEqual([true, []]);
  });

  it.each<[string, PluginHooks, Partial<FetchHandlerOptions>]>([
    ['a plugin', { request: () => ({ status: 200, body: 'hello' }) }, {}],
    ['a plugin’s stream', { request: () => new Response('hello') }, {}],
    ['the upstream', {}, {}],
  ])('gives no body to HEAD that %s wrote', async (_who, hooks, options) => {
    const { handle } = benchOf(hooks, options);
    const response = await handle(request({ method: 'HEAD' }));
    expect([response.status, response.body]).toEqual([200, null]);
  });

  it('says of a 205 that it is empty', async () => {
    const { handle } = benchOf({ response: () => ({ replaceStatus: 205, body: 'reset' }) });
    const response = await handle(request());
    expect([response.headers.get('content-length'), response.body]).toEqual(['0', null]);
  });

  it.each<[string, PluginHooks, number, string]>([
    [
      'client',
      { request: async (exchange) => void (await exchange.request.readBody(100)) },
      400,
      'request_body_failed',
    ],
    [
      'upstream',
      { response: async ({ response }) => void (await response.readBody(100)) },
      502,
      'upstream_body_failed',
    ],
  ])('charges a body that breaks off to the %s', async (who, hooks, status, code) => {
    const { handle, faults } = benchOf(hooks, { upstream: () => new Response(broken()) });
    const sent = who === 'client' ? request({ method: 'POST', body: broken(), duplex: 'half' }) : request();
    const response = await handle(sent);
    expect([response.status, await response.json(), faults]).toMatchObject([status, { code }, ['given_up']]);
  });

  it('charges a body that is not made of bytes to nobody’s plugin', async () => {
    const { handle, faults } = benchOf(
      { stream: (_exchange, { bytes }) => ({ bytes }) },
      {
        upstream: () =>
          new Response(new ReadableStream({ start: (controller) => controller.enqueue('text' as never) })),
      },
    );
    await expect((await handle(request())).text()).rejects.toThrow('not made of bytes');
    expect(faults).toEqual([]);
  });
});

describe('a consumer that a hook names', () => {
  it.each<[string, object]>([
    ['has no ID', { id: '', groups: [] }],
    ['has groups that are no names', { id: 'a', groups: [5, {}] }],
    ['has an empty group', { id: 'a', groups: [''] }],
    ['has a username that is no text', { id: 'a', groups: [], username: {} }],
    ['is frozen and wrong', Object.freeze({ id: 'a', groups: Object.freeze([5]) })],
  ])('is a bad result when it %s', async (_how, consumer) => {
    const { handle, faults } = benchOf({ request: () => ({ consumer: consumer as never }) });
    expect([(await handle(request())).status, faults]).toEqual([200, ['bad_result']]);
  });
});

describe('the fields that say who the client is', () => {
  it('are the consumer’s alone, whatever a plugin wrote into them', async () => {
    const { handle } = benchOf(
      {
        request: () => ({
          headers: [{ op: 'set', name: 'X-Consumer-Groups', value: 'admin' }],
          consumer: { id: 'c1', groups: [] },
        }),
      },
      { upstream: ({ headers }) => Response.json([headers.get('x-consumer-id'), headers.get('x-consumer-groups')]) },
    );
    expect(await (await handle(request())).json()).toEqual(['c1', null]);
  });
});

describe('what the requests of an adapter belong to', () => {
  it('cannot be changed by a hook', async () => {
    const seen: unknown[] = [];
    const { handle, faults } = benchOf(
      {
        request: ({ facts }) => {
          seen.push(facts.gateway.id);
          (facts.gateway as { id: string }).id = 'evil';
        },
        response: ({ facts }) => void ((facts as { tenantId: string }).tenantId = 'evil'),
      },
      { gateway: { id: 'g1', name: 'edge' } },
    );
    await handle(request());
    await handle(request());
    expect([seen, faults]).toEqual([
      ['g1', 'g1'],
      ['threw', 'threw', 'threw', 'circuit_open'],
    ]);
  });
});
