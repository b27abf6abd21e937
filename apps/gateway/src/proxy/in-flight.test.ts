import type { IncomingMessage, ServerResponse } from 'node:http';
import { eventually, freePort, startUpstream } from '@portcullis/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openRaw, startTestGateway } from '../testing/test-gateway.test-support.ts';

/** What an upstream does, and what the client. */
const upstreamActs = ['answer', 'reset', 'cut', 'stall', 'trickle', 'refuse'] as const;
const clientActs = ['wait', 'leave', 'leaveUpload'] as const;

type UpstreamAct = (typeof upstreamActs)[number];

function act(what: string, req: IncomingMessage, res: ServerResponse): void {
  req.on('error', () => undefined);
  if (what === 'answer') res.end('whole');
  else if (what === 'reset') req.socket.resetAndDestroy();
  else if (what === 'refuse') res.writeHead(503).end();
  else if (what === 'cut') res.write('part', () => req.socket.destroy());
  else if (what === 'trickle') {
    const timer = setInterval(() => res.write('bit'), 5);
    res.on('close', () => clearInterval(timer));
    setTimeout(() => res.end(), 60);
  }
}

async function inFlightOf(statusUrl: string): Promise<number | undefined> {
  const text = await (await fetch(`${statusUrl}/metrics`)).text();
  const found = /gateway_upstream_requests_in_flight\{upstream="u"\} (-?\d+)/.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}

describe('requests in flight', { timeout: 60_000 }, () => {
  it('are counted down whatever upstream and client do, and with whatever comes in between', async () => {
    const stream = (req: IncomingMessage, res: ServerResponse): void => {
      act(new URL(req.url ?? '', 'http://a').pathname.slice(1), req, res);
    };
    await using one = await startUpstream({ stream });
    await using two = await startUpstream({ stream });
    const ports = [one.port, two.port, await freePort()];
    const resources = (weight: number) => ({
      services: [{ id: 's', name: 's', upstream_id: 'u', connect_timeout: 300, read_timeout: 400 }],
      upstreams: [{ id: 'u', name: 'u', algorithm: 'least-connections' }],
      targets: ports.map((port, index) => ({ id: `t${index}`, upstream_id: 'u', host: '127.0.0.1', port, weight })),
      routes: [{ id: 'r', name: 'r', service_id: 's', paths: ['/'] }],
    });
    await using gateway = await startTestGateway(resources(1));
    const request = fc.record({ upstream: fc.constantFrom(...upstreamActs), client: fc.constantFrom(...clientActs) });
    const requests = fc.sample(request, { numRuns: 90, seed: 7 });
    for (const [batch, size] of [30, 30, 30].entries()) {
      const sent = requests.slice(batch * size, (batch + 1) * size).map(async ({ upstream, client }) => {
        await ask(gateway.port, upstream, client);
      });
      await gateway.publish(resources(batch + 2));
      await Promise.all(sent);
    }
    await eventually(async () => (await inFlightOf(gateway.statusUrl)) === 0, { timeoutMs: 20_000 });
    expect(await (await fetch(`${gateway.url}/answer`)).text()).toBe('whole');
    await eventually(async () => (await inFlightOf(gateway.statusUrl)) === 0, { timeoutMs: 20_000 });
  });
});

/** Sends one request; resolves when its connection is over. */
async function ask(port: number, upstream: UpstreamAct, client: (typeof clientActs)[number]): Promise<void> {
  const { socket, closed, text } = openRaw(port);
  const fields = 'Host: a\r\nConnection: close\r\n';
  if (client === 'leaveUpload') {
    socket.write(`POST /${upstream} HTTP/1.1\r\n${fields}Content-Length: 1000\r\n\r\nonly a part`);
    setTimeout(() => socket.destroy(), 30);
  } else {
    socket.write(`GET /${upstream} HTTP/1.1\r\n${fields}\r\n`);
    if (client === 'leave') setTimeout(() => socket.destroy(), 15);
  }
  await closed;
  expect(text() === '' || text().startsWith('HTTP/1.1 ')).toBe(true);
}
