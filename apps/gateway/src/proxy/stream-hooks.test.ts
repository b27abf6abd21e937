import { definePlugin, type Plugin, type PluginHooks } from '@portcullis/plugin-runtime';
import { eventually, startUpstream } from '@portcullis/testkit';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { everythingTo, exchangeRaw, openRaw, startTestGateway } from '../testing/test-gateway.test-support.ts';

/** A plugin of the test with these hooks, and an instance of it on every route. */
function withHooks(hooks: PluginHooks): { plugins: readonly Plugin[]; instances: readonly Record<string, unknown>[] } {
  const plugin = definePlugin({
    name: 'test_hooks',
    version: '1.0.0',
    category: 'enforcement',
    triggers: ['all'],
    config: v.object({}),
    setup: () => hooks,
  });
  const instance = { id: 'p', name: 'test_hooks', scope: 'tenant', trigger: 'all', config: {} };
  return { plugins: [plugin], instances: [instance] };
}

const get = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
const upper = (bytes: Uint8Array): Buffer => Buffer.from(Buffer.from(bytes).toString('latin1').toUpperCase());

describe('stream hooks', () => {
  it('see every chunk of an answer in order and the end, and change what the client gets; its length is not told', async () => {
    const seen: [number, string, boolean][] = [];
    const { plugins, instances } = withHooks({
      stream: (_exchange, { bytes, index, last }) => {
        seen.push([index, Buffer.from(bytes).toString(), last]);
        return last ? { bytes: Buffer.concat([upper(bytes), Buffer.from('!')]) } : { bytes: upper(bytes) };
      },
    });
    await using upstream = await startUpstream({
      stream: (_req, res) => {
        res.writeHead(200, { 'content-length': 6 });
        res.write('abc');
        setImmediate(() => res.end('def'));
      },
    });
    const resources = { ...everythingTo(upstream.url), plugins: instances };
    await using gateway = await startTestGateway(resources, {}, {}, { plugins });
    const answer = await fetch(gateway.url);
    expect([await answer.text(), answer.headers.get('content-length')]).toEqual(['ABCDEF!', null]);
    expect(seen.map(([index]) => index)).toEqual(seen.map((_, index) => index));
    expect(seen.map(([, text]) => text).join('')).toBe('abcdef');
    expect(seen.filter(([, , last]) => last)).toEqual([seen.at(-1)]);
  });

  it('let the upstream wait while one of them takes its time', async () => {
    let release: (() => void) | undefined;
    const pause = new Promise<void>((resolve) => (release = resolve));
    const { plugins, instances } = withHooks({
      stream: async (_exchange, { index }) => {
        if (index === 0) await pause;
        return undefined;
      },
    });
    let sent = 0;
    let isFull = false;
    let hasEnded = false;
    const chunk = Buffer.alloc(64 * 1024, 'x');
    const total = chunk.length * 512;
    await using upstream = await startUpstream({
      stream: (_req, res) => {
        const send = (): void => {
          while (sent < total) {
            sent += chunk.length;
            isFull = !res.write(chunk);
            if (isFull) {
              res.once('drain', send);
              return;
            }
          }
          hasEnded = true;
          res.end();
        };
        send();
      },
    });
    const resources = {
      ...everythingTo(upstream.url),
      plugins: [{ ...instances[0], timeout_ms: 60_000 }],
    };
    await using gateway = await startTestGateway(resources, {}, {}, { plugins });
    const answer = fetch(gateway.url).then((response) => response.arrayBuffer());
    // Buffers hold a part of it; while the hook waits the upstream stands, whatever else goes through the same loop.
    await eventually(() => sent > 0 && isFull);
    for (let other = 0; other < 20; other += 1) await (await fetch(gateway.statusUrl)).text();
    expect([sent < total, hasEnded]).toEqual([true, false]);
    release?.();
    expect((await answer).byteLength).toBe(total);
    expect(hasEnded).toBe(true);
  });

  it.each([
    ['says so', { stream: (_: unknown, { index }: { index: number }) => (index > 0 ? { cut: 'enough' } : undefined) }],
    [
      'fails',
      {
        stream: (_: unknown, { index }: { index: number }) => {
          if (index > 0) throw new Error('broken');
        },
      },
    ],
    [
      'fails later',
      {
        stream: async (_: unknown, { index }: { index: number }) => {
          if (index > 0) throw new Error('broken');
        },
      },
    ],
  ] as const)('cut the answer when one %s: the client never takes it for whole', async (_name, hooks) => {
    const { plugins, instances } = withHooks(hooks);
    let isClosed = false;
    await using upstream = await startUpstream({
      stream: (_req, res) => {
        res.on('close', () => (isClosed = true));
        res.write('part');
        const more = setInterval(() => res.write('more'), 5);
        res.on('close', () => clearInterval(more));
      },
    });
    await using gateway = await startTestGateway(
      { ...everythingTo(upstream.url), plugins: instances },
      {},
      {},
      { plugins },
    );
    const raw = await exchangeRaw(gateway.port, get);
    await eventually(() => isClosed);
    expect(raw).not.toContain('\r\n0\r\n\r\n');
    if (raw !== '') expect(raw).toMatch(/^HTTP\/1\.1 200 /);
  });

  it("see a plugin's answer as one chunk, and none where there is no body", async () => {
    const seen: [string, boolean][] = [];
    const { plugins, instances } = withHooks({
      request: ({ request }) => (request.path === '/own' ? { status: 203, body: 'own' } : undefined),
      stream: (_exchange, { bytes, last }) => {
        seen.push([Buffer.from(bytes).toString(), last]);
        return { bytes: upper(bytes) };
      },
    });
    await using upstream = await startUpstream((req, res) => {
      if (req.url === '/none') res.writeHead(204).end();
      else if (req.url === '/same') res.writeHead(304).end();
      else res.end('body');
    });
    const resources = { ...everythingTo(upstream.url), plugins: instances };
    await using gateway = await startTestGateway(resources, {}, {}, { plugins });
    const own = await fetch(`${gateway.url}/own`);
    expect([own.status, await own.text(), own.headers.get('content-length')]).toEqual([203, 'OWN', '3']);
    expect(seen.splice(0)).toEqual([['own', true]]);
    expect((await fetch(gateway.url, { method: 'HEAD' })).status).toBe(200);
    expect((await fetch(`${gateway.url}/none`)).status).toBe(204);
    expect((await fetch(`${gateway.url}/same`)).status).toBe(304);
    expect(seen).toEqual([]);
  });

  it('see nothing more when the client left, and the upstream is given up', async () => {
    let isClosed = false;
    const indexes: number[] = [];
    const { plugins, instances } = withHooks({
      stream: (_exchange, { index }) => void indexes.push(index),
    });
    await using upstream = await startUpstream({
      stream: (_req, res) => {
        res.on('close', () => (isClosed = true));
        res.write('begun');
      },
    });
    const resources = { ...everythingTo(upstream.url), plugins: instances };
    await using gateway = await startTestGateway(resources, {}, {}, { plugins });
    const client = openRaw(gateway.port);
    client.socket.write(get);
    await eventually(() => client.text().includes('begun'));
    client.socket.destroy();
    await eventually(() => isClosed);
    expect(indexes).toEqual([0]);
  });
});

describe('what plugins say for observation', () => {
  it('thins raw records, never counters, and puts their words into the record', async () => {
    const { plugins, instances } = withHooks({
      request: ({ request }) => ({
        observation: request.path === '/dull' ? { sampled: false } : { ai: { model: 'm-1', tokens: 7 } },
      }),
    });
    await using upstream = await startUpstream((_req, res) => void res.end('ok'));
    const resources = { ...everythingTo(upstream.url), plugins: instances };
    await using gateway = await startTestGateway(resources, {}, {}, { plugins });
    for (const path of ['/dull', '/dull', '/bright']) await (await fetch(gateway.url + path)).text();
    await eventually(() => gateway.controlPlane.countedRequests() === 3);
    const { batches } = gateway.controlPlane;
    expect(batches.flatMap(({ records }) => records)).toMatchObject([
      { path: '/bright', path_template: '/', ai: { model: 'm-1', tokens: 7 } },
    ]);
    expect(batches.reduce((sum, { dropped_records: dropped }) => sum + dropped, 0)).toBe(0);
  });
});
