import { describe, expect, it } from 'vitest';
import { createFetchHandler, type FetchHandlerOptions } from '../fetch.ts';
import type { PluginHooks } from '../index.ts';
import { pluginOf } from '../testing/fixtures.ts';

const URL_BASE = 'http://api.test/orders';

function handlerOf(hooks: PluginHooks, upstream: FetchHandlerOptions['upstream']) {
  const plugin = pluginOf('subject', () => hooks, { triggers: ['all'] });
  return createFetchHandler({ plugins: [plugin], inline: [{ name: 'subject' }], upstream });
}

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const bytesOf = (value: string) => new TextEncoder().encode(value);

/** A body of these chunks, which counts how many were asked for and notes that its reader left. */
function counted(chunks: readonly string[]) {
  const seen = { pulled: 0, isCancelled: false };
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const chunk = chunks[seen.pulled];
        seen.pulled += 1;
        if (chunk === undefined) controller.close();
        else controller.enqueue(bytesOf(chunk));
      },
      cancel: () => void (seen.isCancelled = true),
    },
    { highWaterMark: 0 },
  );
  return { body, seen };
}

const shout: PluginHooks['stream'] = (_exchange, { bytes, last }) => ({
  bytes: bytesOf(`${text(bytes).toUpperCase()}${last ? '!' : ''}`),
});

describe('createFetchHandler with stream hooks', () => {
  it('passes each chunk through them, tells the last one, and announces no length', async () => {
    const seen: [string, number, boolean][] = [];
    const hooks: PluginHooks = {
      stream: (exchange, chunk) => {
        seen.push([text(chunk.bytes), chunk.index, chunk.last]);
        return shout(exchange, chunk);
      },
    };
    const upstream = () => new Response(counted(['one ', 'two']).body, { headers: { 'content-length': '7' } });
    const response = await handlerOf(hooks, upstream)(new Request(URL_BASE));
    expect([await response.text(), response.headers.get('content-length')]).toEqual(['ONE TWO!', null]);
    expect(seen).toEqual([
      ['one ', 0, false],
      ['two', 1, false],
      ['', 2, true],
    ]);
  });

  it.each<[string, () => Response, string]>([
    ['an answer without a body', () => new Response(null), '!'],
    ['what a plugin put in its place', () => new Response('upstream'), 'MINE!'],
  ])('sees the end of %s', async (name, upstream, expected) => {
    const hooks: PluginHooks = {
      stream: shout,
      response: () => (name.includes('plugin') ? { body: 'mine' } : undefined),
    };
    const response = await handlerOf(hooks, upstream)(new Request(URL_BASE));
    expect(await response.text()).toBe(expected);
  });

  it('reads no chunk before the hooks are done with the one before', async () => {
    const { body, seen } = counted(['a', 'b', 'c']);
    const pulledAtHook: number[] = [];
    const hooks: PluginHooks = {
      stream: async () => {
        await new Promise((resolve) => setImmediate(resolve));
        pulledAtHook.push(seen.pulled);
      },
    };
    const response = await handlerOf(hooks, () => new Response(body))(new Request(URL_BASE));
    expect(seen.pulled).toBe(0);
    expect(await response.text()).toBe('abc');
    expect(pulledAtHook).toEqual([1, 2, 3, 4]);
  });

  it('ends a response that a hook cuts in an error, and lets go of its source', async () => {
    const { body, seen } = counted(['a', 'b', 'c']);
    const hooks: PluginHooks = { stream: (_exchange, { index }) => (index === 1 ? { cut: 'enough' } : undefined) };
    const response = await handlerOf(hooks, () => new Response(body))(new Request(URL_BASE));
    const reader = response.body?.getReader();
    expect(text((await reader?.read())?.value ?? new Uint8Array())).toBe('a');
    await expect(reader?.read()).rejects.toThrow(TypeError);
    expect(seen.isCancelled).toBe(true);
  });

  it('fires the signal of a waiting stream hook when the client leaves', async () => {
    const { body, seen } = counted(['a', 'b']);
    let isTold = false;
    let entered = (): void => undefined;
    const isWaiting = new Promise<void>((resolve) => (entered = resolve));
    const hooks: PluginHooks = {
      stream: (exchange) => {
        const signal = exchange.signal();
        entered();
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve(void (isTold = true))));
      },
    };
    const response = await handlerOf(hooks, () => new Response(body))(new Request(URL_BASE));
    const reader = response.body?.getReader();
    const read = reader?.read();
    await isWaiting;
    await reader?.cancel();
    await read;
    expect([isTold, seen.isCancelled]).toEqual([true, true]);
  });

  it.each([
    ['HEAD', 200],
    ['GET', 204],
  ])('is not called where there is no body (%s, %i)', async (method, status) => {
    let calls = 0;
    const hooks: PluginHooks = { stream: () => void (calls += 1) };
    const handler = handlerOf(hooks, () => new Response(null, { status }));
    const response = await handler(new Request(URL_BASE, { method }));
    expect([response.status, await response.text(), calls]).toEqual([status, '', 0]);
  });
});

describe('createFetchHandler and bodies that may not be', () => {
  it.each(['GET', 'HEAD'])(
    'forwards a %s without a body and without its length when a hook gives one',
    async (method) => {
      let forwarded: Request | undefined;
      const handler = handlerOf({ request: () => ({ body: 'surplus' }) }, (request) => {
        forwarded = request;
        return new Response(null);
      });
      await handler(new Request(URL_BASE, { method }));
      expect([forwarded?.headers.has('content-length'), forwarded?.body]).toEqual([false, null]);
    },
  );
});
