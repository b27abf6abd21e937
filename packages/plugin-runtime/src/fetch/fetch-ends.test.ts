import { eventually, FakeClock } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { createFetchHandler, type FetchHandlerOptions } from '../fetch.ts';
import type { PluginHooks } from '../index.ts';
import { endNotes } from '../testing/end-notes.ts';
import { pluginOf } from '../testing/fixtures.ts';

type Upstream = FetchHandlerOptions['upstream'];

const url = 'http://api.test/orders';

function handlerOf(hooks: PluginHooks, upstream: Upstream) {
  const plugin = pluginOf('subject', () => hooks, { triggers: ['all'], category: 'authentication' });
  return createFetchHandler({ plugins: [plugin], inline: [{ name: 'subject' }], upstream });
}

/** A body whose chunks somebody else gives. */
function openBody() {
  let writer: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({ start: (controller) => void (writer = controller) });
  return {
    body,
    write: (text: string) => writer?.enqueue(new TextEncoder().encode(text)),
    close: () => writer?.close(),
    break: () => writer?.error(new Error('broken')),
  };
}

const pass: PluginHooks['stream'] = () => undefined;
const fail = (): never => {
  throw new Error('a fault of the plugin');
};
const refuse = () => ({ status: 403, body: 'no' });

describe('the end of a request behind createFetchHandler', () => {
  it.each<[string, PluginHooks, Upstream, { status: number; isComplete: boolean }]>([
    ['an answer', {}, () => new Response('hello'), { status: 200, isComplete: true }],
    ['an answer without a body', {}, () => new Response(null, { status: 204 }), { status: 204, isComplete: true }],
    ['an answer behind stream hooks', { stream: pass }, () => new Response('hello'), { status: 200, isComplete: true }],
    ['a refusal of a plugin', { request: refuse }, () => new Response('hello'), { status: 403, isComplete: true }],
    ['a plugin that fails', { request: fail }, () => new Response('hello'), { status: 503, isComplete: true }],
    [
      'a plugin that fails over the answer',
      { response: fail },
      () => new Response('a'),
      { status: 503, isComplete: true },
    ],
    ['an upstream that fails', {}, fail, { status: 502, isComplete: true }],
    [
      'an answer of a plugin’s',
      { response: () => ({ body: 'x' }) },
      () => new Response('a'),
      { status: 200, isComplete: true },
    ],
  ])('%s is told once, when its body was read', async (_name, hooks, upstream, end) => {
    const notes = endNotes(hooks);
    const answer = await handlerOf(notes.hooks, upstream)(new Request(url));
    await answer.text();
    expect(notes.heard).toMatchObject([end]);
  });

  it.each<[string, PluginHooks]>([
    ['without stream hooks', {}],
    ['with stream hooks', { stream: pass }],
  ])('waits for the last byte of a stream, %s, and so does `close`', async (_name, hooks) => {
    const { body, write, close } = openBody();
    const notes = endNotes(hooks);
    const handle = handlerOf(notes.hooks, () => new Response(body));
    const answer = await handle(new Request(url));
    let isClosed = false;
    const closing = handle.close().then(() => (isClosed = true));
    write('first');
    const reader = answer.body?.getReader();
    await reader?.read();
    expect([notes.heard, isClosed]).toEqual([[], false]);
    close();
    expect((await reader?.read())?.done).toBe(true);
    await closing;
    expect(notes.heard).toMatchObject([{ status: 200, isComplete: true }]);
  });

  it.each<[string, PluginHooks]>([
    ['without stream hooks', {}],
    ['with stream hooks', { stream: pass }],
  ])('tells of an answer that breaks off, %s', async (_name, hooks) => {
    const upstream = openBody();
    const notes = endNotes(hooks);
    const answer = await handlerOf(notes.hooks, () => new Response(upstream.body))(new Request(url));
    const reader = answer.body?.getReader();
    upstream.write('first');
    await reader?.read();
    upstream.break();
    await expect(reader?.read()).rejects.toThrow('broken');
    expect(notes.heard).toMatchObject([{ status: 200, isComplete: false, failure: { code: 'upstream_failed' } }]);
  });

  it('tells of an answer that a stream hook cuts', async () => {
    const notes = endNotes({ stream: () => ({ cut: true }) as never });
    const answer = await handlerOf(notes.hooks, () => new Response('hello'))(new Request(url));
    await expect(answer.text()).rejects.toThrow('the response was cut');
    expect(notes.heard).toMatchObject([{ status: 200, isComplete: false, failure: { code: 'plugin_failed' } }]);
  });

  it.each<[string, PluginHooks]>([
    ['without stream hooks', {}],
    ['with stream hooks', { stream: pass }],
  ])('tells of a client that reads no further, %s', async (_name, hooks) => {
    const notes = endNotes(hooks);
    const answer = await handlerOf(notes.hooks, () => new Response(openBody().body))(new Request(url));
    await answer.body?.cancel();
    expect(notes.heard).toMatchObject([{ status: 200, isComplete: false, failure: { code: 'client_left' } }]);
  });

  it('tells of a client that left before there was an answer, at once', async () => {
    const client = new AbortController();
    const notes = endNotes();
    let called: Request | undefined;
    const left = Promise.withResolvers<Response>();
    const handle = handlerOf(notes.hooks, (request) => {
      called = request;
      request.signal.addEventListener('abort', () => left.reject(new Error('left')));
      return left.promise;
    });
    const answering = handle(new Request(url, { signal: client.signal }));
    await eventually(() => called !== undefined);
    client.abort();
    expect(notes.heard).toMatchObject([{ status: undefined, isComplete: false, failure: { code: 'client_left' } }]);
    await answering;
    expect(notes.heard).toHaveLength(1);
  });

  it('tells of a client that left in the middle of its answer', async () => {
    const client = new AbortController();
    const notes = endNotes();
    const handle = handlerOf(notes.hooks, () => new Response(openBody().body));
    await handle(new Request(url, { signal: client.signal }));
    client.abort();
    expect(notes.heard).toMatchObject([{ status: 200, isComplete: false, failure: { code: 'client_left' } }]);
    await handle.close();
  });

  it.each<[string, PluginHooks, Upstream, object]>([
    ['without stream hooks', {}, () => new Response('hello'), { upstreamLatencyMs: 30, responseBytes: 5 }],
    ['with stream hooks', { stream: pass }, () => new Response('hello'), { upstreamLatencyMs: 30, responseBytes: 5 }],
    ['of a plugin’s answer', { request: refuse }, fail, { upstreamLatencyMs: undefined, responseBytes: 2 }],
  ])('has figures, %s', async (_name, hooks, upstream, figures) => {
    const clock = new FakeClock();
    const notes = endNotes(hooks);
    const started: (number | undefined)[] = [];
    const request: PluginHooks['request'] = (exchange, place) => {
      started.push(exchange.startedMs);
      clock.advance(20);
      return notes.hooks.request?.(exchange, place);
    };
    const late: Upstream = (asked) => (clock.advance(30), upstream(asked));
    const plugin = pluginOf('subject', () => ({ ...notes.hooks, request }), { triggers: ['all'] });
    const handle = createFetchHandler({ plugins: [plugin], inline: [{ name: 'subject' }], upstream: late, clock });
    const before = clock.monotonicMs();
    const answer = await handle(new Request(url));
    clock.advance(10);
    await answer.text();
    expect(started).toEqual([before]);
    const isAsked = 'upstreamLatencyMs' in figures && figures.upstreamLatencyMs !== undefined;
    expect(notes.heard[0]?.figures).toMatchObject({ ...figures, requestBytes: 0 });
    // What has its body at hand is over before it is read.
    expect(notes.heard[0]?.figures?.latencyMs).toBe(isAsked ? 60 : 20);
  });

  it('passes the very body of the upstream where no plugin waits', async () => {
    const { body } = openBody();
    const answer = await handlerOf({}, () => new Response(body))(new Request(url));
    expect(answer.body).toBe(body);
  });

  it('logs what a listener throws, and answers all the same', async () => {
    const lines: string[] = [];
    const log = { warn: () => undefined, error: (message: string) => void lines.push(message) };
    const plugin = pluginOf('subject', () => ({ request: (exchange) => exchange.onEnd(fail) }));
    const handle = createFetchHandler({
      ...{ plugins: [plugin], inline: [{ name: 'subject' }], log },
      upstream: () => new Response('hello'),
    });
    expect(await (await handle(new Request(url))).text()).toBe('hello');
    expect(lines).toEqual(['a plugin failed when its request was over']);
  });
});
