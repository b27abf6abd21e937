import { definePlugin, type Plugin, type PluginHooks } from '@portcullis/plugin-runtime';
import { eventually, startUpstream } from '@portcullis/testkit';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { everythingTo, openRaw, startTestGateway } from '../testing/test-gateway.test-support.ts';

/** A plugin of the test that fails open, whose circuit opens at its first failure, on every route. */
function withHooks(hooks: PluginHooks): { plugins: readonly Plugin[]; instances: readonly Record<string, unknown>[] } {
  const plugin = definePlugin({
    name: 'test_bodies',
    version: '1.0.0',
    category: 'transformation',
    triggers: ['all'],
    config: v.object({}),
    setup: () => hooks,
  });
  const execution = { timeout_ms: 100, failure_threshold: 1, max_concurrency: 1, recovery_timeout_ms: 3_600_000 };
  return { plugins: [plugin], instances: [{ id: 'p', name: 'test_bodies', trigger: 'all', config: {}, execution }] };
}

const half = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nev';

describe('bodies that plugins read', () => {
  it('may take longer than the plugin, fill no place of it, and none of their senders can turn it off', async () => {
    let reads = 0;
    const { plugins, instances } = withHooks({
      async request({ request }) {
        reads += 1;
        const body = Buffer.from((await request.readBody(100)) ?? '').toString();
        return body.includes('evil') ? { status: 403 } : undefined;
      },
    });
    await using upstream = await startUpstream();
    await using gateway = await startTestGateway(
      { ...everythingTo(upstream.url), plugins: instances },
      {},
      {},
      { plugins },
    );
    const slow = [1, 2, 3].map(() => openRaw(gateway.port));
    const leaving = openRaw(gateway.port);
    for (const { socket } of [...slow, leaving]) socket.write(half);
    await eventually(() => reads === 4);
    leaving.socket.destroy();
    // A whole time-out of the plugin later, the others have been read all the same.
    const sinceMs = performance.now();
    await eventually(() => performance.now() - sinceMs > 150);
    expect((await fetch(gateway.url, { method: 'POST', body: 'evil' })).status).toBe(403);
    expect((await fetch(gateway.url, { method: 'POST', body: 'good' })).status).toBe(200);
    for (const { socket } of slow) socket.write('il');
    for (const { text } of slow) await eventually(() => text().startsWith('HTTP/1.1 403 '));
    expect(upstream.requests.map(({ body }) => body.toString())).toEqual(['good']);
    for (const { socket } of slow) socket.destroy();
  });

  it('are the upstream’s failure when its answer breaks off, and no failure of the plugin', async () => {
    const { plugins, instances } = withHooks({
      response: async ({ response }) => {
        const body = Buffer.from((await response.readBody(100).catch(() => undefined)) ?? '').toString();
        return { headers: [{ op: 'set', name: 'x-read', value: body }] };
      },
    });
    let isBroken = true;
    await using upstream = await startUpstream({
      stream: (_req, res) => {
        res.write('one');
        if (isBroken) setImmediate(() => res.destroy());
        else res.end();
      },
    });
    await using gateway = await startTestGateway(
      { ...everythingTo(upstream.url), plugins: instances },
      {},
      {},
      { plugins },
    );
    const broken = await fetch(gateway.url);
    expect([broken.status, await broken.json()]).toMatchObject([502, { code: 'upstream_reset' }]);
    isBroken = false;
    expect((await fetch(gateway.url)).headers.get('x-read')).toBe('one');
  });

  it('that turn out too long go on in one piece of waiting: nothing warns, and the client gets every byte', async () => {
    const { plugins, instances } = withHooks({
      response: async ({ response }) => void (await response.readBody(1_048_576)),
    });
    const sent = Buffer.alloc(3_000_000, 'abcdefg');
    await using upstream = await startUpstream({ stream: (_req, res) => void (res.write(sent), res.end()) });
    await using gateway = await startTestGateway(
      { ...everythingTo(upstream.url), plugins: instances },
      {},
      {},
      { plugins },
    );
    const warnings: string[] = [];
    const onWarning = ({ name }: Error): void => void warnings.push(name);
    process.on('warning', onWarning);
    // The pieces of a body that was held are many more than the listeners that Node takes for a leak.
    const got = Buffer.from(await (await fetch(gateway.url)).arrayBuffer());
    process.off('warning', onWarning);
    expect([got.equals(sent), warnings]).toEqual([true, []]);
  });

  it('are copies: what a plugin writes into them reaches nobody', async () => {
    const fill = (bytes: Uint8Array | undefined): void => void bytes?.fill(0x42);
    const { plugins, instances } = withHooks({
      request: async ({ request }) => fill(await request.readBody(100)),
      response: async ({ response }) => fill(await response.readBody(100)),
    });
    await using upstream = await startUpstream((_req, res) => void res.end('answer'));
    await using gateway = await startTestGateway(
      { ...everythingTo(upstream.url), plugins: instances },
      {},
      {},
      { plugins },
    );
    const answer = await fetch(gateway.url, { method: 'POST', body: 'request' });
    expect([await answer.text(), upstream.requests[0]?.body.toString()]).toEqual(['answer', 'request']);
  });
});
