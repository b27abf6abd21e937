import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { eventually, freePort, startUpstream } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import type { Resources } from '../testing/fake-control-plane.test-support.ts';
import { everythingTo, startTestGateway } from '../testing/test-gateway.test-support.ts';

/** Routes by upstream's behaviour: `/refused`, `/stalled`, `/garbage`, `/empty`, `/nothing`, `/metadata`. */
async function failing(stalledPort: number, garbagePort: number): Promise<Resources> {
  const routes = (names: readonly string[]) =>
    names.map((name) => ({ id: name, name, service_id: name, paths: [`/${name}`], timeout_ms: { read: 300 } }));
  return {
    services: [
      { id: 'refused', name: 'refused', url: `http://127.0.0.1:${await freePort()}`, retries: 2 },
      { id: 'stalled', name: 'stalled', url: `http://127.0.0.1:${stalledPort}` },
      { id: 'garbage', name: 'garbage', url: `http://127.0.0.1:${garbagePort}` },
      { id: 'empty', name: 'empty', upstream_id: 'pool' },
      { id: 'metadata', name: 'metadata', url: 'http://169.254.169.254/latest' },
    ],
    upstreams: [{ id: 'pool', name: 'pool' }],
    targets: [
      { id: 'drained', upstream_id: 'pool', name: '127.0.0.1:1', weight: 0 },
      { id: 'off', upstream_id: 'pool', name: '127.0.0.1:2', enabled: false },
    ],
    routes: [
      ...routes(['refused', 'stalled', 'garbage', 'empty', 'metadata']),
      { id: 'nothing', name: 'nothing', paths: ['/nothing'] },
    ],
  };
}

describe('an answer that is none', () => {
  it.each([
    'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n',
    'HTTP/1.1 101 Switching Protocols\r\n\r\n',
    'HTTP/1.1 000 Nothing\r\nContent-Length: 0\r\n\r\n',
  ])('is malformed, and the request is not sent again (%j)', async (head) => {
    let seen = 0;
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        seen += 1;
        socket.end(head);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    await using gateway = await startTestGateway(everythingTo(`http://127.0.0.1:${port}`));
    const answer = await fetch(gateway.url);
    expect([answer.status, await answer.json(), seen]).toMatchObject([502, { code: 'upstream_malformed' }, 1]);
    server.close();
  });
});

describe('failures', () => {
  it('tells the client of each with its status, as problem+json, and counts each', async () => {
    await using stalled = await startUpstream({ stream: () => undefined });
    const garbage = createServer((socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n'));
    });
    await new Promise<void>((resolve) => garbage.listen(0, '127.0.0.1', resolve));
    const { port: garbagePort } = garbage.address() as { port: number };
    await using gateway = await startTestGateway(await failing(stalled.port, garbagePort));
    const cases: readonly (readonly [string, number, string])[] = [
      ['/missing', 404, 'no_route'],
      ['/refused', 502, 'upstream_connect_failed'],
      ['/stalled', 504, 'upstream_timeout'],
      ['/garbage', 502, 'upstream_malformed'],
      ['/empty', 503, 'no_target'],
      ['/metadata', 502, 'upstream_refused'],
      ['/nothing', 503, 'no_service'],
    ];
    for (const [path, status, code] of cases) {
      const answer = await fetch(`${gateway.url}${path}`);
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
        path,
        status,
        'application/problem+json',
      ]);
      expect(await answer.json()).toMatchObject({ status, code });
    }
    const missing = await fetch(`${gateway.url}/missing`);
    expect(await missing.json()).toMatchObject({ detail: 'no route matched' });
    garbage.close();
  });

  it.each([600, 999])("takes an upstream's status %i for malformed, and reports stay acceptable", async (status) => {
    await using upstream = await startUpstream((_req, res) => void res.writeHead(status).end('odd'));
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    const answer = await fetch(gateway.url);
    expect([answer.status, await answer.json()]).toMatchObject([502, { code: 'upstream_malformed' }]);
    const record = await eventually(() => gateway.controlPlane.batches.flatMap(({ records }) => records)[0]);
    expect(record).toMatchObject({ status: 502, status_source: 'gateway' });
  });

  it('refuses the control plane itself as an upstream, under any address of this machine', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    const controlPlanePort = new URL(gateway.controlPlane.url).port;
    const own = Object.values(networkInterfaces()).flatMap(
      (list) => list?.filter(({ family }) => family === 'IPv4') ?? [],
    );
    const hosts = ['127.0.0.1', 'localhost', '127.0.0.2', '0.0.0.0', '[::]', '[::ffff:0.0.0.0]'];
    for (const host of [...hosts, ...own.map(({ address }) => address)]) {
      await gateway.publish(everythingTo(`http://${host}:${controlPlanePort}`));
      const answer = await fetch(gateway.url);
      expect([host, answer.status, await answer.json()]).toMatchObject([host, 502, { code: 'upstream_refused' }]);
    }
  });

  it('tries another target when one cannot be connected to', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startTestGateway({
      services: [{ id: 's', name: 's', upstream_id: 'u', retries: 1 }],
      upstreams: [{ id: 'u', name: 'u' }],
      targets: [
        { id: 'dead', upstream_id: 'u', host: '127.0.0.1', port: await freePort() },
        { id: 'alive', upstream_id: 'u', host: '127.0.0.1', port: upstream.port },
      ],
      routes: [{ id: 'r', name: 'r', service_id: 's' }],
    });
    const bodies = await Promise.all(
      Array.from({ length: 10 }, async (_, index) => {
        const answer = await fetch(gateway.url, { method: 'POST', body: `body ${index}` });
        return ((await answer.json()) as { body: string }).body;
      }),
    );
    expect(bodies).toEqual(Array.from({ length: 10 }, (_, index) => `body ${index}`));
    expect(upstream.requests).toHaveLength(10);
  });

  it('tries an idempotent request again when the upstream closes the connection before any byte of an answer', async () => {
    const seen: string[] = [];
    await using upstream = await startUpstream((req, res) => {
      seen.push(req.method ?? '');
      if (seen.length % 2 === 1) res.socket?.resetAndDestroy();
      else res.end('second');
    });
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    for (const method of ['GET', 'OPTIONS', 'PUT', 'DELETE']) {
      const answer = await fetch(gateway.url, { method });
      expect([method, answer.status, await answer.text()]).toEqual([method, 200, 'second']);
    }
    seen.length = 0;
    expect((await fetch(gateway.url, { method: 'POST' })).status).toBe(502);
    expect((await fetch(gateway.url, { method: 'POST' })).status).toBe(200);
    await gateway.publish(everythingTo(upstream.url, {}, { retries: 0 }));
    expect((await fetch(gateway.url)).status).toBe(502);
    expect(seen).toEqual(['POST', 'POST', 'GET']);
  });

  it('pauses between attempts and ends with the connect time-out, however many retries there may be', async () => {
    const dead = `http://127.0.0.1:${await freePort()}`;
    await using gateway = await startTestGateway(
      everythingTo(dead, { timeout_ms: { connect: 400 } }, { retries: 32_767 }),
    );
    const answer = await fetch(gateway.url);
    expect([answer.status, await answer.json()]).toMatchObject([502, { code: 'upstream_connect_failed' }]);
    const metrics = await (await fetch(`${gateway.statusUrl}/metrics`)).text();
    // Pauses of 10, 20, 40 ms… within 400 ms. Without them the budget's 50 would be used up at once.
    const retries = Number(/^gateway_upstream_retries_total\{.*outcome="sent"\} (\d+)$/m.exec(metrics)?.[1]);
    expect(retries).toBeGreaterThanOrEqual(1);
    expect(retries).toBeLessThan(10);
  });
});
