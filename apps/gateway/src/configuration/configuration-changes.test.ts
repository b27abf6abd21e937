import { readdir, readFile, writeFile } from 'node:fs/promises';
import { eventually, startUpstream } from '@portcullis/testkit';
import { makeCertificate } from '@portcullis/testkit/certificates';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { startGateway } from '../gateway.ts';
import { testToken } from '../testing/fake-control-plane.test-support.ts';
import { everythingTo, settingsOf, startTestGateway } from '../testing/test-gateway.test-support.ts';
import { Seal } from './seal.ts';

describe('a change of the configuration', () => {
  it('governs the next requests, and no request fails while it happens', async () => {
    await using one = await startUpstream((_req, res) => void res.end('one'));
    await using two = await startUpstream((_req, res) => void res.end('two'));
    await using gateway = await startTestGateway(everythingTo(one.url));
    const outcomes = new Map<string, number>();
    const stop = new AbortController();
    const client = async (): Promise<void> => {
      while (!stop.signal.aborted) {
        const answer = await fetch(gateway.url);
        const key = `${answer.status} ${await answer.text()}`;
        outcomes.set(key, (outcomes.get(key) ?? 0) + 1);
      }
    };
    const clients = Array.from({ length: 8 }, client);
    for (let change = 0; change < 10; change += 1) {
      const target = change % 2 === 0 ? two : one;
      await gateway.publish(everythingTo(target.url));
      expect(await (await fetch(gateway.url)).text()).toBe(target === two ? 'two' : 'one');
    }
    stop.abort();
    await Promise.all(clients);
    expect([...outcomes.keys()].toSorted()).toEqual(['200 one', '200 two']);
  });

  it('lets a request that is under way end under the configuration that it began with', async () => {
    let finish: (() => void) | undefined;
    await using slow = await startUpstream({ stream: (_req, res) => void (finish = () => res.end('old')) });
    await using fast = await startUpstream((_req, res) => void res.end('new'));
    await using gateway = await startTestGateway(everythingTo(slow.url));
    const underway = fetch(gateway.url);
    await eventually(() => finish !== undefined);
    await gateway.publish(everythingTo(fast.url));
    expect(await (await fetch(gateway.url)).text()).toBe('new');
    finish?.();
    expect(await (await underway).text()).toBe('old');
  });

  it('is refused with pointers to all mistakes when it is invalid, and the one before goes on', async () => {
    await using upstream = await startUpstream((_req, res) => void res.end('served'));
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    await gateway.publish({
      services: [{ id: 's', name: 's', url: 'ftp://x' }],
      routes: [
        { id: 'a', name: 'a', service_id: 'ghost', paths: ['~/a(?=b)', '/%zz'] },
        { id: 'b', name: 'b', plugins: [{ name: 'no_such_plugin', config: {} }] },
      ],
    });
    const { status, errors } = gateway.controlPlane.acks.at(-1) ?? {};
    expect(status).toBe('rejected');
    expect(errors?.map(({ pointer }) => pointer)).toEqual([
      '/resources/services/s/url',
      '/resources/routes/a/paths/0',
      '/resources/routes/a/paths/1',
    ]);
    expect(await (await fetch(gateway.url)).text()).toBe('served');
  });

  it.each([
    ['an empty one', {}],
    ['one of which every route is wrong', { routes: [{ id: 'b', name: 'b', path: '/%zz' }] }],
    [
      'one with a plugin whose config is wrong',
      { routes: [{ id: 'b', name: 'b' }], plugins: [{ id: 'p', name: 'rate_limiter', config: { limit: 'all' } }] },
    ],
  ])('is refused when it is %s', async (_name, resources) => {
    await using upstream = await startUpstream((_req, res) => void res.end('served'));
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    await gateway.publish(resources);
    expect(gateway.controlPlane.acks.at(-1)).toMatchObject({ revision: 2, status: 'rejected' });
    expect(gateway.controlPlane.acks.at(-1)?.errors.length).toBeGreaterThan(0);
    expect(await (await fetch(gateway.url)).text()).toBe('served');
  });

  it('brings the certificates of a new gateway, and its consumers, before there is anything to serve', async () => {
    await using gateway = await startTestGateway({});
    const { pem, keyPem } = makeCertificate({ subject: 'shop.test' });
    await gateway.publish({ certificates: [{ id: 'c', cert: pem, key: keyPem }] });
    await gateway.publish({ consumers: [{ id: 'alice', username: 'alice' }] });
    expect(gateway.controlPlane.acks.slice(-2)).toMatchObject([
      { revision: 2, status: 'applied' },
      { revision: 3, status: 'applied' },
    ]);
  });

  it.each([['garbage'], ['{"format":1'], ['{"format":2,"revision":9}'], ['\n\n']])(
    'is ignored when it reads %s',
    async (text) => {
      await using upstream = await startUpstream((_req, res) => void res.end('served'));
      await using gateway = await startTestGateway(everythingTo(upstream.url));
      gateway.controlPlane.publishText(text);
      const beats = gateway.controlPlane.heartbeats.length;
      await gateway.publish(everythingTo(upstream.url, { name: 'renamed' }));
      expect(await (await fetch(gateway.url)).text()).toBe('served');
      expect(gateway.controlPlane.heartbeats.length).toBeGreaterThanOrEqual(beats);
    },
  );

  it('leaves out single routes that cannot be served, says which, and brings everything else', async () => {
    await using upstream = await startUpstream((_req, res) => void res.end('served'));
    const { services = [], routes = [] } = everythingTo(upstream.url, { paths: ['/good'] });
    const bad = [
      { id: 'b', name: 'b', service_id: 'service-1', paths: ['/a', '~(a)\\1'] },
      { id: 'c', name: 'c', service_id: 'service-1', path: '/a/%00' },
      { id: 'd', name: 'd', service_id: 'ghost', path: '/a' },
      { id: 'e', name: 'e', service_id: 'service-1', path: '/a', priority: 'high' },
    ];
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    await gateway.publish({ services, routes: [...bad, ...routes] });
    const ack = gateway.controlPlane.acks.at(-1);
    expect(ack).toMatchObject({ revision: 2, status: 'applied' });
    expect(ack?.errors.map(({ pointer }) => pointer).toSorted()).toEqual([
      '/resources/routes/b/paths/1',
      '/resources/routes/c/path',
      '/resources/routes/d/service_id',
      '/resources/routes/e/priority',
    ]);
    expect((await fetch(`${gateway.url}/a`)).status).toBe(404);
    expect(await (await fetch(`${gateway.url}/good`)).text()).toBe('served');
    await gateway.publish({ services, routes });
    expect(gateway.controlPlane.acks.at(-1)).toMatchObject({ revision: 3, status: 'applied', errors: [] });
  });

  it.each([
    [
      'an instance',
      { plugins: [{ id: 'x', name: 'not_here', scope: 'route', route_id: 'a', trigger: 'after_response' }] },
      {},
    ],
    ['an inline entry', {}, { plugins: [{ name: 'not_here', stage: 'stream', config: { any: 1 } }] }],
  ])('answers 503 where a plugin is not installed (%s), and serves everything else', async (_name, more, route) => {
    await using upstream = await startUpstream((_req, res) => void res.end('served'));
    const { services = [], routes = [] } = everythingTo(upstream.url, { paths: ['/open'] });
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    const guarded = { id: 'a', name: 'a', service_id: 'service-1', paths: ['/guarded'], ...route };
    await gateway.publish({ services, routes: [...routes, guarded], ...more });
    const ack = gateway.controlPlane.acks.at(-1);
    expect(ack).toMatchObject({
      revision: 2,
      status: 'applied',
      errors: [{ message: expect.stringContaining('not_here') }],
    });
    expect(ack?.errors[0]?.pointer).toMatch(/^\/resources\/(?:plugins\/x|routes\/a\/plugins\/0)\/name$/);
    const refused = await fetch(`${gateway.url}/guarded`);
    expect([refused.status, refused.headers.get('content-type')]).toEqual([503, 'application/problem+json']);
    expect(await refused.json()).toMatchObject({ code: 'plugin_missing', request_id: expect.any(String) });
    expect(await (await fetch(`${gateway.url}/open`)).text()).toBe('served');
    await gateway.publish({ services, routes: [...routes, { ...guarded, plugins: [] }] });
    expect(gateway.controlPlane.acks.at(-1)).toMatchObject({ revision: 3, status: 'applied', errors: [] });
    expect(await (await fetch(`${gateway.url}/guarded`)).text()).toBe('served');
  });

  it('minds no plugin that is not installed while it is disabled', async () => {
    await using upstream = await startUpstream((_req, res) => void res.end('served'));
    const off = { name: 'not_here', enabled: false };
    const resources = { ...everythingTo(upstream.url, { plugins: [off] }), plugins: [{ id: 'x', ...off }] };
    await using gateway = await startTestGateway(resources);
    expect(gateway.controlPlane.acks.at(-1)).toMatchObject({ status: 'applied', errors: [] });
    expect(await (await fetch(gateway.url)).text()).toBe('served');
  });

  it('leaves out what is disabled', async () => {
    await using upstream = await startUpstream((_req, res) => void res.end('served'));
    await using gateway = await startTestGateway(everythingTo(upstream.url, { enabled: false }));
    expect((await fetch(gateway.url)).status).toBe(404);
    await gateway.publish(everythingTo(upstream.url, {}, { enabled: false }));
    expect((await fetch(gateway.url)).status).toBe(404);
    await gateway.publish(everythingTo(upstream.url));
    expect((await fetch(gateway.url)).status).toBe(200);
  });

  it('limits the gateway to the hosts that it lists', async () => {
    await using upstream = await startUpstream((_req, res) => void res.end('served'));
    const resources = everythingTo(upstream.url);
    await using gateway = await startTestGateway({
      ...resources,
      gateway: { id: 'g', name: 'g', hosts: ['shop.test'] },
    });
    expect((await fetch(gateway.url)).status).toBe(404);
    await gateway.publish({ ...resources, gateway: { id: 'g', name: 'g', hosts: ['127.0.*'] } });
    expect((await fetch(gateway.url)).status).toBe(200);
  });

  it('takes changes of the gateway as deltas', async () => {
    await using upstream = await startUpstream();
    const resources = everythingTo(upstream.url);
    const own = { id: 'g', name: 'g' };
    await using gateway = await startTestGateway({ ...resources, gateway: own });
    const status = async (): Promise<number> => (await fetch(`${gateway.url}/a%2fb`)).status;
    const seen: number[] = [await status()];
    for (const change of [{ allow_encoded_slashes: false }, {}, { hosts: ['shop.test'] }, { hosts: ['127.0.*'] }]) {
      await gateway.publish({ ...resources, gateway: { ...own, ...change } });
      expect(gateway.controlPlane.acks.at(-1)).toMatchObject({ status: 'applied' });
      seen.push(await status());
    }
    expect(seen).toEqual([200, 400, 200, 404, 200]);
    const deltas = gateway.controlPlane.asked.filter((url) => url.includes('since='));
    expect(deltas.length).toBeGreaterThanOrEqual(4);
  });
});

describe('without the control plane', () => {
  it('goes on, starts again from its cache, and from the file before when the last one is torn', async () => {
    await using upstream = await startUpstream((req, res) => void res.end(req.url));
    await using gateway = await startTestGateway(everythingTo(upstream.url, { paths: ['/first'] }));
    await gateway.publish(everythingTo(upstream.url, { paths: ['/second'], strip_path: false }));
    // Of a burst only the last one is kept, so each is waited for.
    const folder = gateway.folder.join('cache', new Seal(testToken).owner);
    const isSealed = (name: string): boolean => name.endsWith('.sealed');
    const isKept = async (): Promise<boolean> => (await readdir(folder)).filter(isSealed).length === 2;
    await eventually(isKept);
    await gateway.publish(everythingTo(upstream.url, { paths: ['/third'], strip_path: false }));
    await gateway.controlPlane.close();
    expect(await (await fetch(`${gateway.url}/third`)).text()).toBe('/third');
    await gateway.stop();

    const settings = settingsOf(gateway.controlPlane.url, gateway.folder);
    const again = await startGateway(settings, pino({ level: 'silent' }));
    expect(await (await fetch(`http://127.0.0.1:${again.proxyPort}/third`)).text()).toBe('/third');
    expect((await fetch(`http://127.0.0.1:${again.statusPort}/ready`)).status).toBe(200);
    await again.stop();

    const files = (await readdir(folder)).toSorted();
    expect(files).toHaveLength(2);
    const newest = `${folder}/${files[1]}`;
    const whole = await readFile(newest);
    expect(whole.includes('second') || whole.includes(upstream.url)).toBe(false);
    for (const length of [0, 3, 20, 40, Math.floor(whole.length / 2), whole.length - 1]) {
      await writeFile(newest, whole.subarray(0, length));
      const lines: string[] = [];
      const older = await startGateway(settings, pino({}, { write: (line) => void lines.push(line) }));
      expect(lines.filter((line) => line.includes('cannot be read') && line.includes(newest))).toHaveLength(1);
      expect(await (await fetch(`http://127.0.0.1:${older.proxyPort}/second`)).text()).toBe('/second');
      await older.stop();
    }
  });

  it('is not ready, and says so to clients, until it has had a configuration', async () => {
    await using upstream = await startUpstream((_req, res) => void res.end('served'));
    await using gateway = await startTestGateway();
    expect((await fetch(`${gateway.statusUrl}/ready`)).status).toBe(503);
    expect((await fetch(`${gateway.statusUrl}/health`)).status).toBe(200);
    const early = await fetch(gateway.url);
    expect([early.status, await early.json()]).toMatchObject([503, { code: 'not_ready' }]);
    await gateway.publish(everythingTo(upstream.url));
    expect((await fetch(`${gateway.statusUrl}/ready`)).status).toBe(200);
    expect((await fetch(gateway.url)).status).toBe(200);
  });
});
