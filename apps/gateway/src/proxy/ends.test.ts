import { definePlugin, type ExchangeEnd, type PluginHooks } from '@portcullis/plugin-runtime';
import { eventually, startUpstream } from '@portcullis/testkit';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { everythingTo, openRaw, startTestGateway } from '../testing/test-gateway.test-support.ts';

type Upstream = Parameters<typeof startUpstream>[0];

/** A gateway with a plugin that waits for the end of each request. */
async function startNoted(
  upstream: Upstream,
  hooks: PluginHooks = {},
  env: Readonly<Record<string, string>> = {},
  times: Parameters<typeof startTestGateway>[2] = {},
) {
  const heard: ExchangeEnd[] = [];
  const startedMs: (number | undefined)[] = [];
  let seen = 0;
  const plugin = definePlugin({
    name: 'test_ends',
    version: '1.0.0',
    category: 'authentication',
    triggers: ['all'],
    config: v.object({}),
    setup: () => ({
      ...hooks,
      request: (exchange, place) => {
        seen += 1;
        startedMs.push(exchange.startedMs);
        exchange.onEnd((end) => {
          heard.push(end);
          if (exchange.request.path === '/throw') throw new Error('a fault of the listener');
        });
        return hooks.request?.(exchange, place);
      },
    }),
  });
  const backend = await startUpstream(upstream);
  const plugins = [{ id: 'p', name: 'test_ends', trigger: 'all', config: {} }];
  const gateway = await startTestGateway({ ...everythingTo(backend.url), plugins }, env, times, { plugins: [plugin] });
  return {
    heard,
    startedMs,
    gateway,
    backend,
    seen: () => seen,
    [Symbol.asyncDispose]: async () => {
      await gateway[Symbol.asyncDispose]();
      await backend[Symbol.asyncDispose]();
    },
  };
}

const hello: Upstream = (_req, res) => void res.end('hello');
const begun: Upstream = { stream: (_req, res) => void res.write('begun') };
const fail = (): never => {
  throw new Error('a fault of the plugin');
};
const never = () => new Promise<undefined>(() => undefined);

describe('the end of a request', () => {
  it.each<[string, Upstream, PluginHooks, number]>([
    ['an answer', hello, {}, 200],
    ['an answer behind stream hooks', hello, { stream: () => undefined }, 200],
    [
      'an answer that a hook reads',
      hello,
      { response: async ({ response }) => void (await response.readBody(9)) },
      200,
    ],
    ['a refusal of a plugin', hello, { request: () => ({ status: 403 }) }, 403],
    ['a plugin that fails', hello, { request: fail }, 503],
    ['a plugin that fails over the answer', hello, { response: fail }, 503],
    ['an upstream that gives no answer', { stream: (_req, res) => res.destroy() }, {}, 502],
  ])('%s is told once, with its status', async (_name, upstream, hooks, status) => {
    await using noted = await startNoted(upstream, hooks);
    const answer = await fetch(noted.gateway.url, { method: 'POST', body: 'x' });
    await answer.text();
    expect(answer.status).toBe(status);
    await eventually(() => noted.heard.length > 0);
    expect(noted.heard).toMatchObject([{ status, isComplete: true }]);
  });

  it('has figures: bytes of both bodies, and how long whoever answered took', async () => {
    await using noted = await startNoted(hello, {
      request: ({ request }) => (request.path === '/refused' ? { status: 403, body: 'no' } : undefined),
    });
    for (const path of ['/', '/refused']) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await (await fetch(`${noted.gateway.url}${path}`, { method: 'POST', body: 'four' })).text();
    }
    await eventually(() => noted.heard.length === 2);
    const [answered, refused] = noted.heard.map(({ figures }) => figures);
    expect(answered).toMatchObject({ requestBytes: 4, responseBytes: 5 });
    expect(answered?.upstreamLatencyMs).toBeGreaterThan(0);
    expect(answered?.latencyMs).toBeGreaterThanOrEqual(answered?.upstreamLatencyMs ?? Number.POSITIVE_INFINITY);
    expect(refused).toMatchObject({ upstreamLatencyMs: undefined, responseBytes: 2 });
    expect(noted.startedMs.every((startedMs) => startedMs !== undefined)).toBe(true);
  });

  it('is told of an upstream that breaks off, and of a stream hook that cuts', async () => {
    const cut = { status: 200, isComplete: false, failure: { code: 'upstream_reset' } };
    await using broken = await startNoted({ stream: (_req, res) => res.write('begun', () => res.destroy()) });
    await expect((await fetch(broken.gateway.url)).text()).rejects.toThrow('terminated');
    await eventually(() => broken.heard.length > 0);
    expect(broken.heard).toMatchObject([cut]);
    await using hooked = await startNoted(begun, { stream: fail });
    await fetch(hooked.gateway.url).then(
      (answer) => answer.text(),
      () => undefined,
    );
    await eventually(() => hooked.heard.length > 0);
    expect(hooked.heard).toMatchObject([{ isComplete: false, failure: { code: 'plugin_failed' } }]);
  });

  it.each<[string, Upstream, PluginHooks, { status: number | undefined; isComplete: boolean }]>([
    ['while a hook works', hello, { request: never }, { status: undefined, isComplete: false }],
    ['while the upstream works', { stream: () => undefined }, {}, { status: undefined, isComplete: false }],
    ['while a response hook works', hello, { response: never }, { status: undefined, isComplete: false }],
    ['in the middle of its answer', begun, {}, { status: 200, isComplete: false }],
  ])('is told of a client that left %s', async (_name, upstream, hooks, end) => {
    await using noted = await startNoted(upstream, hooks);
    const { socket, text } = openRaw(noted.gateway.port);
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await eventually(() => (end.status === undefined ? noted.seen() > 0 : text().includes('begun')));
    socket.destroy();
    await eventually(() => noted.heard.length > 0);
    expect(noted.heard).toMatchObject([{ ...end, failure: { code: 'client_left' } }]);
  });

  it('is told of a client that does not take its answer', async () => {
    const large: Upstream = { stream: (_req, res) => void res.write(Buffer.alloc(64 * 1024 * 1024)) };
    await using noted = await startNoted(large, {}, {}, { readerWindowMs: 200 });
    const { socket } = openRaw(noted.gateway.port);
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await eventually(() => noted.heard.length > 0);
    expect(noted.heard).toMatchObject([{ status: 200, isComplete: false, failure: { code: 'client_too_slow' } }]);
    socket.destroy();
  });

  it('is told of requests that a stop cuts', async () => {
    await using noted = await startNoted(begun, {}, { PORTCULLIS_DRAIN_SECONDS: '1' });
    const { socket, text } = openRaw(noted.gateway.port);
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await eventually(() => text().includes('begun'));
    await noted.gateway.stop();
    expect(noted.heard).toMatchObject([{ status: 200, isComplete: false, failure: { code: 'gateway_stopped' } }]);
  });

  it('is no trouble for anybody when a listener throws', async () => {
    await using noted = await startNoted(hello);
    const answers = await Promise.all(['/throw', '/'].map((path) => fetch(`${noted.gateway.url}${path}`)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(noted.heard).toHaveLength(2);
  });
});
