import type { IncomingMessage, ServerResponse } from 'node:http';
import { eventually, freePort, startUpstream } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { startAddressServer } from '../testing/address-server.test-support.ts';
import type { Resources } from '../testing/fake-control-plane.test-support.ts';
import { startTestGateway } from '../testing/test-gateway.test-support.ts';

interface Pool {
  readonly upstream?: Record<string, unknown>;
  readonly service?: Record<string, unknown>;
  readonly route?: Record<string, unknown>;
}

/** A route to an upstream with targets. */
function pool(targets: readonly Record<string, unknown>[], { upstream, service, route }: Pool = {}): Resources {
  return {
    services: [{ id: 's', name: 's', upstream_id: 'u', ...service }],
    upstreams: [{ id: 'u', name: 'u', ...upstream }],
    targets: targets.map((target, index) => ({ id: `t${index}`, upstream_id: 'u', ...target })),
    routes: [{ id: 'r', name: 'r', service_id: 's', ...route }],
  };
}

/** Nobody else listens on these. */
const three = ['127.0.2.1', '127.0.2.2', '127.0.2.3'] as const;

async function textOf(url: string, init: RequestInit = {}): Promise<string> {
  return (await fetch(url, init)).text();
}

describe('targets', () => {
  it('get requests by their weight, and none at weight 0', async () => {
    await using a = await startAddressServer(three[0]);
    await using _b = await startAddressServer(three[1], a.port);
    await using _c = await startAddressServer(three[2], a.port);
    const targets = [3, 1, 0].map((weight, index) => ({ host: three[index], port: a.port, weight }));
    await using gateway = await startTestGateway(pool(targets));
    const counts = new Map<string, number>();
    for (let request = 0; request < 8; request += 1) {
      const text = await textOf(gateway.url);
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
    expect(Object.fromEntries(counts)).toEqual({ [three[0]]: 6, [three[1]]: 2 });
  });

  it('with the fewest requests in flight are next', async () => {
    const waiting: (() => void)[] = [];
    await using a = await startAddressServer(three[0], 0, (_req, res) => void waiting.push(() => res.end(three[0])));
    await using _b = await startAddressServer(three[1], a.port);
    const targets = [0, 1].map((index) => ({ host: three[index], port: a.port }));
    await using gateway = await startTestGateway(pool(targets, { upstream: { algorithm: 'least-connections' } }));
    const first = textOf(gateway.url);
    const second = textOf(gateway.url);
    await eventually(() => waiting.length === 1);
    for (let request = 0; request < 5; request += 1) expect(await textOf(gateway.url)).toBe(three[1]);
    for (const answer of waiting) answer();
    expect(new Set(await Promise.all([first, second]))).toEqual(new Set([three[0], three[1]]));
  });

  it('of a lower tier get requests only when no better one can be connected to', async () => {
    const dead = await freePort();
    await using a = await startAddressServer(three[0]);
    const targets = [
      { host: '127.0.0.1', port: dead, priority: 10 },
      { host: three[0], port: a.port, priority: 0 },
    ];
    await using gateway = await startTestGateway(pool(targets));
    expect(await textOf(gateway.url, { method: 'POST', body: 'x' })).toBe(three[0]);
    await using _better = await startAddressServer(three[1], 0);
    await gateway.publish(pool([{ host: three[1], port: _better.port, priority: 10 }, ...targets.slice(1)]));
    for (let request = 0; request < 4; request += 1) expect(await textOf(gateway.url)).toBe(three[1]);
  });

  it('that leave finish what they have and lose their connections', async () => {
    const waiting: (() => void)[] = [];
    await using a = await startAddressServer(three[0], 0, (_req, res) => {
      res.write('begun ');
      waiting.push(() => res.end('and ended'));
    });
    await using _b = await startAddressServer(three[1], a.port);
    const target = (index: number): Record<string, unknown> => ({ host: three[index], port: a.port, id: `t${index}` });
    await using gateway = await startTestGateway(pool([target(0)]));
    const answer = textOf(gateway.url);
    await eventually(() => waiting.length === 1);
    await gateway.publish(pool([target(1)]));
    for (let request = 0; request < 3; request += 1) expect(await textOf(gateway.url)).toBe(three[1]);
    expect(await a.connections()).toBe(1);
    waiting[0]?.();
    expect(await answer).toBe('begun and ended');
    await eventually(async () => (await a.connections()) === 0, { timeoutMs: 12_000 });
  });
});

describe('the health of targets', () => {
  const passive = { passive: { unhealthy: { http_failures: 1 } } };

  it('keeps requests from those that are not well, and answers 503 when none is', async () => {
    let failing = three[0] as string;
    const handler = (address: string) => (_req: IncomingMessage, res: ServerResponse) =>
      void res.writeHead(failing.includes(address) ? 500 : 200).end(address);
    await using a = await startAddressServer(three[0], 0, handler(three[0]));
    await using b = await startAddressServer(three[1], a.port, handler(three[1]));
    const targets = [0, 1].map((index) => ({ host: three[index], port: a.port }));
    await using gateway = await startTestGateway(pool(targets, { upstream: { healthchecks: passive } }));
    const statuses: number[] = [];
    for (let request = 0; request < 8; request += 1) statuses.push((await fetch(gateway.url)).status);
    expect(statuses.filter((status) => status === 500)).toHaveLength(1);
    expect([a.hosts.length, b.hosts.length]).toEqual([1, 7]);
    failing = `${three[0]} ${three[1]}`;
    expect((await fetch(gateway.url)).status).toBe(500);
    const refused = await fetch(gateway.url);
    expect([refused.status, await refused.json()]).toMatchObject([503, { code: 'no_target' }]);
    expect([a.hosts.length, b.hosts.length]).toEqual([1, 8]);
  });

  it('below the threshold answers 503 for the whole upstream', async () => {
    const handler = (_req: IncomingMessage, res: ServerResponse): void => void res.writeHead(500).end();
    await using a = await startAddressServer(three[0], 0, handler);
    await using b = await startAddressServer(three[1], a.port);
    const targets = [0, 1].map((index) => ({ host: three[index], port: a.port }));
    const healthchecks = { ...passive, threshold: 60 };
    await using gateway = await startTestGateway(pool(targets, { upstream: { healthchecks } }));
    const statuses = [];
    for (let request = 0; request < 6; request += 1) statuses.push((await fetch(gateway.url)).status);
    expect(statuses.slice(2)).toEqual([503, 503, 503, 503]);
    expect([a.hosts.length, b.hosts.length <= 1]).toEqual([1, true]);
  });
});

describe('consistent hashing', () => {
  async function started(upstream: Record<string, unknown>, route: Record<string, unknown> = {}) {
    const a = await startAddressServer(three[0]);
    const others = [await startAddressServer(three[1], a.port), await startAddressServer(three[2], a.port)];
    const targets = three.map((host) => ({ host, port: a.port }));
    const algorithm = { algorithm: 'consistent-hashing', ...upstream };
    const gateway = await startTestGateway(pool(targets, { upstream: algorithm, route }));
    return {
      url: gateway.url,
      [Symbol.asyncDispose]: async () => {
        await gateway[Symbol.asyncDispose]();
        for (const server of [a, ...others]) await server[Symbol.asyncDispose]();
      },
    };
  }

  async function homesOf(count: number, ask: (index: number) => Promise<string>): Promise<string[]> {
    return Promise.all(Array.from({ length: count }, async (_, index) => ask(index)));
  }

  it.each([
    [
      'header',
      { hash_on: 'header', hash_on_header: 'X-Tenant' },
      {},
      (index: number) => ({ path: '/', headers: { 'x-tenant': `t${index}` } }),
    ],
    [
      'query parameter',
      { hash_on: 'query_arg', hash_on_query_arg: 'q' },
      {},
      (index: number) => ({ path: `/?a=1&q=${index}` }),
    ],
    ['path', { hash_on: 'path' }, {}, (index: number) => ({ path: `/p${index}` })],
    [
      'part of the path',
      { hash_on: 'uri_capture', hash_on_uri_capture: 'user' },
      { paths: ['~/users/(?<user>[^/]+)/'] },
      (index: number) => ({ path: `/users/u${index}/${Math.random()}` }),
    ],
    [
      'fallback',
      { hash_on: 'consumer', hash_fallback: 'header', hash_fallback_header: 'x-tenant' },
      {},
      (index: number) => ({ path: '/', headers: { 'x-tenant': `t${index}` } }),
    ],
  ])('by %s sends the same to the same target, and uses all', async (_name, upstream, route, request) => {
    await using running = await started(upstream, route);
    const ask = async (index: number): Promise<string> => {
      const { path, headers = {} }: { path: string; headers?: Record<string, string> } = request(index);
      return textOf(`${running.url}${path}`, { headers });
    };
    const homes = await homesOf(24, ask);
    expect(await homesOf(24, ask)).toEqual(homes);
    expect(new Set(homes)).toEqual(new Set(three));
  });

  it('by cookie sets one where there is none, and keeps to it', async () => {
    await using running = await started({ hash_on: 'cookie', hash_on_cookie: 'sticky', hash_on_cookie_path: '/app' });
    for (let client = 0; client < 6; client += 1) {
      const first = await fetch(running.url);
      const home = await first.text();
      const [cookie = ''] = first.headers.getSetCookie();
      expect(cookie).toMatch(/^sticky=[0-9a-f-]{36}; Path=\/app; HttpOnly$/);
      const headers = { cookie: `a=b; ${cookie.split(';')[0] ?? ''}` };
      for (let request = 0; request < 3; request += 1) {
        const next = await fetch(running.url, { headers });
        expect([await next.text(), next.headers.getSetCookie()]).toEqual([home, []]);
      }
    }
  });
});

describe('retries', () => {
  it('of a whole outage stay within the budget, and answer the failure', async () => {
    let seen = 0;
    await using upstream = await startUpstream((req) => {
      seen += 1;
      req.socket.resetAndDestroy();
    });
    const targets = [{ host: '127.0.0.1', port: upstream.port }];
    await using gateway = await startTestGateway(pool(targets, { service: { retries: 5, connect_timeout: 2000 } }));
    const requests = 400;
    const statuses: number[] = [];
    for (let batch = 0; batch < requests / 40; batch += 1) {
      const answers = await Promise.all(Array.from({ length: 40 }, () => fetch(gateway.url)));
      for (const answer of answers) statuses.push(answer.status);
    }
    expect(new Set(statuses)).toEqual(new Set([502]));
    // Seconds may pass out of the window on a slow machine, and give their share anew.
    expect(seen).toBeLessThan(requests * 1.2 + 50 + 1 + requests);
    const metrics = await textOf(`${gateway.statusUrl}/metrics`);
    const count = (outcome: string): number =>
      Number(
        new RegExp(`gateway_upstream_retries_total\\{upstream="u",outcome="${outcome}"\\} (\\d+)`).exec(metrics)?.[1],
      );
    expect(count('sent')).toBe(seen - requests);
    expect(count('refused')).toBeGreaterThan(0);
  });
});
