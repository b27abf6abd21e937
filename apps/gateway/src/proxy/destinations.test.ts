import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { COPY_HOP, definePlugin, destinationOf, type RequestEdits } from '@portcullis/plugin-runtime';
import { eventually, freePort, startUpstream } from '@portcullis/testkit';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { everythingTo, startTestGateway, type TestGateway } from '../testing/test-gateway.test-support.ts';

type Upstream = Parameters<typeof startUpstream>[0];

/** Sends requests elsewhere. */
const mover = definePlugin({
  name: 'test_mover',
  version: '1.0.0',
  category: 'traffic',
  triggers: ['before_request'],
  config: v.object({
    origin: v.string(),
    path: v.optional(v.string()),
    query: v.optional(v.string()),
    as: v.optional(v.string()),
    without: v.optional(v.array(v.string()), []),
  }),
  setup: ({ origin, path, query, as, without }) => {
    const edits: RequestEdits = {
      headers: without.map((name) => ({ op: 'remove', name })),
      destination: destinationOf(origin),
      ...(path === undefined ? {} : { path }),
      ...(query === undefined ? {} : { query }),
      ...(as === undefined ? {} : { consumer: { id: as, groups: [] } }),
    };
    return { request: () => edits };
  },
});

const loopback = { PORTCULLIS_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8' };

/** A gateway whose service is one server and whose plugin sends everything to another. */
async function startMoved(
  destination: Upstream | { readonly origin: string },
  more: { config?: object; route?: object; env?: Readonly<Record<string, string>> } = {},
) {
  const service = await startUpstream();
  const isOrigin = typeof destination === 'object' && 'origin' in destination;
  const elsewhere = isOrigin ? undefined : await startUpstream(destination);
  const config = { origin: isOrigin ? destination.origin : elsewhere?.url, ...more.config };
  const plugins = [{ id: 'p', name: 'test_mover', trigger: 'before_request', config }];
  const resources = { ...everythingTo(service.url, { ...more.route }, { read_timeout: 60_000 }), plugins };
  const gateway = await startTestGateway(resources, more.env ?? loopback, {}, { plugins: [mover] });
  return {
    service,
    elsewhere,
    gateway,
    [Symbol.asyncDispose]: async () => {
      await gateway[Symbol.asyncDispose]();
      await elsewhere?.[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
    },
  };
}

async function problemOf(gateway: TestGateway): Promise<unknown[]> {
  const answer = await fetch(gateway.url);
  return [answer.status, ((await answer.json()) as { code: string }).code];
}

describe('a destination that a plugin chose', () => {
  it('gets the request in place of the service, with the fields that a service gets', async () => {
    await using moved = await startMoved(undefined, { config: { path: '/base/x', query: 'a=1', as: 'acme' } });
    const headers = {
      'x-own': 'kept',
      connection: 'x-hop',
      'x-hop': 'not',
      'x-consumer-id': 'mallory',
      te: 'trailers',
    };
    const request = httpRequest(`${moved.gateway.url}/orders?b=2`, { method: 'PUT', headers, agent: false }).end(
      'the body',
    );
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    answer.resume();
    expect([answer.statusCode, moved.service.requests]).toEqual([200, []]);
    const [seen] = moved.elsewhere?.requests ?? [];
    expect([seen?.method, seen?.url, seen?.body.toString()]).toEqual(['PUT', '/base/x?a=1', 'the body']);
    expect(seen?.headers).toMatchObject({
      ...{ host: `127.0.0.1:${moved.elsewhere?.port}`, 'x-own': 'kept', 'x-consumer-id': 'acme' },
      ...{
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-host': `127.0.0.1:${moved.gateway.port}`,
        'x-forwarded-proto': 'http',
      },
    });
    expect(Object.keys(seen?.headers ?? {})).not.toEqual(expect.arrayContaining(['x-hop']));
    expect(JSON.stringify(seen?.rawHeaders)).not.toMatch(/x-hop|mallory|trailers/);
  });

  it('needs no service behind the route', async () => {
    await using moved = await startMoved(undefined, { route: { service_id: undefined } });
    expect((await fetch(`${moved.gateway.url}/x`)).status).toBe(200);
    expect(moved.elsewhere?.requests[0]?.url).toBe('/x');
  });

  it('gets the path as the plugins left it', async () => {
    await using moved = await startMoved(undefined, { route: { paths: ['/orders'] } });
    await fetch(`${moved.gateway.url}/orders/7?x=1`);
    // The plugin says what the path is: a host never takes off what it did not say.
    expect(moved.elsewhere?.requests[0]?.url).toBe('/orders/7?x=1');
  });

  it('is called over connections that are kept', async () => {
    await using moved = await startMoved(undefined);
    for (let turn = 0; turn < 5; turn += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await (await fetch(moved.gateway.url)).text();
    }
    expect([moved.elsewhere?.requests.length, moved.elsewhere?.connections()]).toEqual([5, 1]);
  });

  it('streams both bodies, and a redirect of it goes to the client', async () => {
    await using moved = await startMoved({
      stream: (req, res) => {
        res.writeHead(302, { location: 'http://169.254.169.254/' });
        req.once('data', (chunk: Buffer) => res.write(`seen ${chunk.toString()}`));
        req.once('end', () => res.end('. over'));
      },
    });
    const request = httpRequest(moved.gateway.url, { method: 'POST', agent: false });
    request.write('first');
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    let text = '';
    answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    await eventually(() => text === 'seen first');
    request.end();
    await once(answer, 'end');
    expect([answer.statusCode, answer.headers.location, text]).toEqual([
      302,
      'http://169.254.169.254/',
      'seen first. over',
    ]);
  });

  it('is not called where the outbound rule forbids its address, and the client learns no address', async () => {
    await using moved = await startMoved(undefined, { env: {} });
    const answer = await fetch(moved.gateway.url);
    const body = await answer.text();
    expect([answer.status, JSON.parse(body)]).toMatchObject([502, { code: 'upstream_refused' }]);
    expect(body).not.toContain('127.0.0.1');
    expect([moved.elsewhere?.connections(), moved.service.requests.length]).toEqual([0, 0]);
  });

  it('is asked once when it fails, and the service never is', async () => {
    const port = await freePort();
    await using down = await startMoved({ origin: `http://127.0.0.1:${port}` });
    expect(await problemOf(down.gateway)).toEqual([502, 'upstream_connect_failed']);
    let asked = 0;
    await using broken = await startMoved({ stream: (_req, res) => ((asked += 1), res.destroy()) });
    expect(await problemOf(broken.gateway)).toEqual([502, 'upstream_reset']);
    expect([asked, down.service.requests, broken.service.requests]).toEqual([1, [], []]);
  });

  it('that leads back to the gateway is left after a few turns', async () => {
    const port = await freePort();
    await using looping = await startMoved(
      { origin: `http://127.0.0.1:${port}` },
      { env: { ...loopback, PORTCULLIS_PROXY_PORT: `${port}` } },
    );
    expect(await problemOf(looping.gateway)).toEqual([508, 'loop_detected']);
    await using moved = await startMoved(undefined);
    const from = (hops: string): Promise<Response> => fetch(moved.gateway.url, { headers: { 'cdn-loop': hops } });
    expect((await from('other; a="portcullis", portcullis;v=1')).status).toBe(200);
    expect(moved.elsewhere?.requests[0]?.headers['cdn-loop']).toBe('other; a="portcullis", portcullis;v=1, portcullis');
    expect((await from('portcullis, '.repeat(8))).status).toBe(508);
  });

  it('is left too when plugins take away what the request went through', async () => {
    const port = await freePort();
    await using looping = await startMoved(
      { origin: `http://127.0.0.1:${port}` },
      { env: { ...loopback, PORTCULLIS_PROXY_PORT: `${port}` }, config: { without: ['cdn-loop'] } },
    );
    expect(await problemOf(looping.gateway)).toEqual([508, 'loop_detected']);
    await using moved = await startMoved(undefined, { config: { without: ['cdn-loop'] } });
    await fetch(moved.gateway.url, { headers: { 'cdn-loop': 'other' } });
    expect(moved.elsewhere?.requests[0]?.headers['cdn-loop']).toBe('other, portcullis');
  });

  it.each([
    ['a request', undefined, false],
    ['one that came another way round', 'portcullis, other;copy=1', false],
    ['a copy', `other, ${COPY_HOP}`, true],
    ['what became of a copy', `${COPY_HOP}, portcullis`, true],
    ['a copy in other words', 'Portcullis ; copy=1', true],
  ])('is told to plugins as it arrived: %s', async (_name, hops, isCopy) => {
    const seen: boolean[] = [];
    const witness = definePlugin({
      name: 'test_witness',
      version: '1.0.0',
      category: 'traffic',
      triggers: ['before_request'],
      config: v.object({}),
      setup: () => ({ request: ({ request }) => void seen.push(request.isCopy) }),
    });
    const remover = {
      id: 'a',
      name: 'test_mover',
      priority: 1,
      config: { origin: 'http://192.0.2.1', without: ['cdn-loop'] },
    };
    const plugins = [remover, { id: 'b', name: 'test_witness', config: {} }];
    await using service = await startUpstream();
    await using gateway = await startTestGateway(
      { ...everythingTo(service.url), plugins },
      {},
      {},
      { plugins: [mover, witness] },
    );
    await fetch(gateway.url, { headers: hops === undefined ? {} : { 'cdn-loop': hops } });
    expect(seen).toEqual([isCopy]);
  });

  it('has the times of the route, and an answer that breaks off is cut', async () => {
    await using slow = await startMoved({ stream: () => undefined }, { route: { timeout_ms: { read: 50 } } });
    expect(await problemOf(slow.gateway)).toEqual([504, 'upstream_timeout']);
    await using cut = await startMoved({ stream: (_req, res) => res.write('begun', () => res.destroy()) });
    await expect((await fetch(cut.gateway.url)).text()).rejects.toThrow('terminated');
  });

  it('says nothing of the health of a target, also where both are one server', async () => {
    let isWell = false;
    await using server = await startUpstream((_req, res) => void res.writeHead(isWell ? 200 : 500).end());
    const passive = { unhealthy: { http_failures: 1 }, healthy: { successes: 1 } };
    await using gateway = await startTestGateway(
      {
        upstreams: [{ id: 'u', name: 'u', healthchecks: { passive } }],
        targets: [{ id: 't', upstream_id: 'u', host: '127.0.0.1', port: server.port }],
        services: [{ id: 's', name: 's', upstream_id: 'u', retries: 0 }],
        routes: [
          { id: 'moved', name: 'moved', service_id: 's', paths: ['/moved'] },
          { id: 'plain', name: 'plain', service_id: 's', paths: ['/plain'] },
        ],
        plugins: [{ id: 'p', name: 'test_mover', scope: 'route', route_id: 'moved', config: { origin: server.url } }],
      },
      loopback,
      {},
      { plugins: [mover] },
    );
    const status = async (path: string): Promise<number> => (await fetch(`${gateway.url}${path}`)).status;
    const isDown = (): boolean =>
      gateway.controlPlane.heartbeats.some(({ targets }) => targets?.some(({ health }) => health === 'UNHEALTHY'));
    expect(await Promise.all([1, 2, 3].map(() => status('/moved')))).toEqual([500, 500, 500]);
    isWell = true;
    expect([await status('/plain'), isDown()]).toEqual([200, false]);
    // The checks are live: the same failure on the way to the target takes it out.
    isWell = false;
    expect(await status('/plain')).toBe(500);
    await eventually(isDown, { timeoutMs: 20_000 });
  });

  it('is observed as the request that it was: by its route and service, with the latency of the destination', async () => {
    await using moved = await startMoved((_req, res) => void res.writeHead(418).end());
    await (await fetch(moved.gateway.url)).text();
    await moved.gateway.stop();
    const records = moved.gateway.controlPlane.batches.flatMap((batch) => batch.records);
    expect(records).toEqual([
      expect.objectContaining({ route_id: 'route-1', service_id: 'service-1', status: 418, status_source: 'upstream' }),
    ]);
  });
});
