import type { IncomingMessage, ServerResponse } from 'node:http';
import { definePlugin } from '@portcullis/plugin-runtime';
import { eventually, startUpstream } from '@portcullis/testkit';
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { everythingTo, openRaw, startTestGateway, type TestGateway } from '../testing/test-gateway.test-support.ts';

/** One MB for all bodies: two of this length are too many. */
const oneMb = { PORTCULLIS_HELD_BODIES_MB: '1' };
const most = Buffer.alloc(700_000, 'x');

async function metric(gateway: TestGateway, name: string): Promise<number> {
  const text = await (await fetch(`${gateway.statusUrl}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
}

async function nothingIsHeld(gateway: TestGateway): Promise<void> {
  await eventually(async () => (await metric(gateway, 'gateway_held_body_bytes')) === 0, { timeoutMs: 20_000 });
}

const timeout = 60_000;

describe('the memory for bodies that are held', { timeout }, () => {
  it('is shared: a request that does not fit gets 503, and the next one fits when there is room', async () => {
    await using upstream = await startUpstream((_req, res) => void res.end('ok'));
    await using gateway = await startTestGateway(everythingTo(upstream.url, { request_buffering: true }), oneMb);
    const first = openRaw(gateway.port);
    first.socket.write(`POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: ${most.length}\r\n\r\n`);
    first.socket.write(most.subarray(1));
    await eventually(async () => (await metric(gateway, 'gateway_held_body_bytes')) === most.length - 1);

    const said = openRaw(gateway.port);
    said.socket.write(`POST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: ${most.length}\r\n\r\n`);
    const unsaid = openRaw(gateway.port);
    unsaid.socket.write('POST /3 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
    unsaid.socket.write(`${most.length.toString(16)}\r\n${most.toString()}\r\n`);
    for (const { text, closed } of [said, unsaid]) {
      await eventually(() => text().includes('held_bodies_full'));
      expect(text()).toMatch(/^HTTP\/1\.1 503 .*\r\nretry-after: 1\r\n/is);
      await closed;
    }
    expect(await metric(gateway, 'gateway_held_bodies_refused_total')).toBe(2);
    expect(upstream.requests).toEqual([]);

    first.socket.write(most.subarray(0, 1));
    await eventually(() => first.text().includes('HTTP/1.1 200 OK'));
    await nothingIsHeld(gateway);
    const last = await fetch(`${gateway.url}/4`, { method: 'POST', body: most });
    expect(await last.text()).toBe('ok');
    expect(upstream.requests.map(({ url, body }) => [url, body.length])).toEqual([
      ['/1', most.length],
      ['/4', most.length],
    ]);
    await nothingIsHeld(gateway);
    first.socket.destroy();
  });

  it('is shared by answers, which are held until the client has them: one that does not fit becomes a 502', async () => {
    const running: ServerResponse[] = [];
    await using upstream = await startUpstream({
      stream: (_req, res) => {
        res.write(most);
        running.push(res);
      },
    });
    await using gateway = await startTestGateway(everythingTo(upstream.url, { response_buffering: true }), oneMb);
    const first = fetch(`${gateway.url}/1`);
    await eventually(async () => (await metric(gateway, 'gateway_held_body_bytes')) === most.length);
    const second = await fetch(`${gateway.url}/2`);
    expect([second.status, await second.json()]).toMatchObject([502, { code: 'held_bodies_full' }]);
    expect(second.headers.get('retry-after')).toBeNull();
    running[0]?.end();
    expect((await (await first).text()).length).toBe(most.length);
    await nothingIsHeld(gateway);
  });

  it('is the limit of plugins that read bodies too, whatever a plugin makes of it; and no plugin is blamed', async () => {
    const plugin = definePlugin({
      name: 'test_reader',
      version: '1.0.0',
      category: 'enforcement',
      triggers: ['all'],
      config: v.object({}),
      setup: () => ({
        request: async ({ request }) => {
          const body = await request.readBody(most.length).catch(() => undefined);
          return body === undefined ? { status: 418 } : undefined;
        },
      }),
    });
    const instance = { id: 'p', name: 'test_reader', scope: 'tenant', trigger: 'all', config: {} };
    await using upstream = await startUpstream((_req, res) => void res.end('ok'));
    const resources = { ...everythingTo(upstream.url), plugins: [instance] };
    await using gateway = await startTestGateway(resources, oneMb, {}, { plugins: [plugin] });
    const first = openRaw(gateway.port);
    first.socket.write(`POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: ${most.length}\r\n\r\n`);
    first.socket.write(most.subarray(1));
    await eventually(async () => (await metric(gateway, 'gateway_held_body_bytes')) === most.length - 1);
    const second = openRaw(gateway.port);
    second.socket.write(`POST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: ${most.length}\r\n\r\n`);
    await second.closed;
    expect(second.text()).toMatch(/^HTTP\/1\.1 503 .*"code":"held_bodies_full"/s);
    first.socket.destroy();
    await nothingIsHeld(gateway);
    expect((await fetch(gateway.url, { method: 'POST', body: most })).status).toBe(200);
    const text = await (await fetch(`${gateway.statusUrl}/metrics`)).text();
    expect(text).not.toMatch(/^gateway_plugin_failures_total\{.*reason="(?!given_up")/m);
    expect(text).toContain('gateway_plugin_circuit_state{plugin="test_reader",instance="p"} 0\n');
  });

  it('is free again whatever client and upstream did', async () => {
    const stream = (req: IncomingMessage, res: ServerResponse): void => {
      req.on('error', () => undefined);
      const what = req.url?.slice(1);
      if (what === 'reset') req.socket.resetAndDestroy();
      else if (what === 'early') res.writeHead(403).end('no');
      else if (what === 'cut') res.write(most, () => req.socket.destroy());
      else if (what === 'long') res.end(most);
      else if (what === 'whole') req.resume().on('end', () => res.end('whole'));
    };
    await using upstream = await startUpstream({ stream });
    const route = { request_buffering: true, response_buffering: true, timeout_ms: { read: 400 } };
    await using gateway = await startTestGateway(everythingTo(upstream.url, route), oneMb);
    const request = fc.record({
      upstream: fc.constantFrom('whole', 'reset', 'early', 'cut', 'long', 'stall'),
      client: fc.constantFrom('wait', 'leave', 'leaveUpload', 'tooLong'),
      bytes: fc.nat(most.length),
    });
    const requests = fc.sample(request, { numRuns: 60, seed: 11 });
    await Promise.all(
      requests.map(async ({ upstream: what, client, bytes }) => {
        const { socket, closed } = openRaw(gateway.port);
        const length = client === 'tooLong' ? 100_000_000 : bytes + (client === 'leaveUpload' ? 1 : 0);
        socket.write(`POST /${what} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`);
        socket.write(most.subarray(0, bytes), () => client.startsWith('leave') && socket.destroy());
        await closed;
      }),
    );
    await nothingIsHeld(gateway);
    const answer = await fetch(`${gateway.url}/whole`, { method: 'POST', body: most });
    expect(await answer.text()).toBe('whole');
    await nothingIsHeld(gateway);
  });
});
