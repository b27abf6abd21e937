import { eventually } from '@portcullis/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { startTestService, type TestService } from '../testing/test-service.test-support.ts';
import { applied, readConfiguration, recordsOf, type ReadConfiguration } from './read-configuration.test-support.ts';

/** A whole number below `below`, from a fixed sequence. */
function sequence(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describeOnEachDatabase('deltas of configurations', (context) => {
  let service: TestService;
  const tokens = new Map<string, string>();

  const admin = async (method: string, path: string, body?: object) => {
    const answer = await service.call(method, `/api/v1/admin${path}?tenant_id=acme`, body);
    return answer;
  };
  const make = async (path: string, body: object): Promise<string> => {
    const answer = await admin('POST', path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body.id;
  };
  const fetchFrom = async (from: TestService, gatewayId: string, have?: ReadConfiguration, query = '') => {
    const given = have && { 'if-none-match': `"${have.head.hash}"` };
    const since = have ? `?since=${have.head.revision}${query}` : '';
    return from.call('GET', `/api/v1/data-plane/config${since}`, undefined, {
      token: tokens.get(gatewayId) ?? '',
      ...(given && { headers: given }),
    });
  };
  /** What a node has once it asked; throws when what it gets does not come to the promised hash. */
  const follow = async (gatewayId: string, have?: ReadConfiguration, from = service): Promise<ReadConfiguration> => {
    const answer = await fetchFrom(from, gatewayId, have);
    if (answer.status === 304 && have) return have;
    expect(answer.status).toBe(200);
    return applied(have, readConfiguration(answer.body));
  };

  beforeAll(async () => {
    service = await startTestService(context.url());
    await service.addTenant('acme');
    for (const id of ['g1', 'g2']) {
      await make('/gateways', { id, name: id });
      const node = await admin('POST', '/data-planes', { gateway_id: id, name: `node of ${id}` });
      tokens.set(id, node.body.token);
      await make(`/gateways/${id}/services`, { id: `${id}-s`, name: 'orders', url: 'http://a.test' });
    }
  });
  afterAll(() => service.stop());

  it('hold one record for a change of one, and nothing for a change of another gateway', async () => {
    await make('/gateways/g1/routes', { id: 'one', name: 'one', path: '/one', service_name: 'orders' });
    const before = await follow('g1');
    await admin('PATCH', '/gateways/g1/routes/one', { path: '/uno' });
    const delta = readConfiguration((await fetchFrom(service, 'g1', before)).body);
    expect(delta.head.since).toEqual({ revision: before.head.revision, hash: before.head.hash });
    expect([[...delta.lines.keys()], delta.removed]).toEqual([['routes/one'], []]);
    const after = applied(before, delta);
    await admin('PATCH', '/gateways/g2/services/orders', { retries: 2 });
    expect((await fetchFrom(service, 'g1', after)).status).toBe(304);
    await admin('DELETE', '/gateways/g1/routes/one');
    const last = readConfiguration((await fetchFrom(service, 'g1', after)).body);
    expect([last.lines.size, last.removed]).toEqual([0, ['routes/one']]);
  });

  it('are not sent to a node that has something else than it should, nor to one that is ahead', async () => {
    const before = await follow('g1');
    const forged = { ...before, head: { ...before.head, hash: 'f'.repeat(64) } };
    expect(readConfiguration((await fetchFrom(service, 'g1', forged)).body).head.since).toBeNull();
    const ahead = { ...forged, head: { ...forged.head, revision: before.head.revision + 1000 } };
    expect(readConfiguration((await fetchFrom(service, 'g1', ahead)).body).head.since).toBeNull();
  });

  it('bring and take what depends on what came and went', async () => {
    const canary = 'canary-of-a-plugin-0123456789';
    let node = await follow('g1');
    await make('/plugins', {
      name: 'api_key_auth',
      scope: 'route',
      route_name: 'late',
      config: { valid_keys: [canary] },
    });
    node = await follow('g1', node);
    expect(recordsOf(node, 'plugins')).toEqual([]);
    await make('/gateways/g1/routes', { id: 'late', name: 'late', path: '/late' });
    node = await follow('g1', node);
    expect(JSON.stringify(recordsOf(node, 'plugins'))).toContain(canary);
    await admin('PATCH', '/gateways/g1/routes/late', { name: 'later' });
    node = await follow('g1', node);
    expect(recordsOf(node, 'plugins')).toEqual([]);
    const consumer = await make('/consumers', { username: 'sleeper' });
    await make(`/consumers/${consumer}/credentials`, { type: 'api_key', name: 'k' });
    node = await follow('g1', node);
    expect(recordsOf(node, 'consumer_credentials')).toHaveLength(1);
    await admin('PATCH', `/consumers/${consumer}`, { enabled: false });
    node = await follow('g1', node);
    expect(recordsOf(node, 'consumer_credentials')).toEqual([]);
    expect(recordsOf(node, 'consumers')).toMatchObject([{ id: consumer, username: 'sleeper', enabled: false }]);
    await admin('DELETE', `/consumers/${consumer}`);
  });

  it(
    'come, whatever is changed, to what a control plane that has just started sends whole',
    { timeout: 60_000 },
    async () => {
      const pick = sequence(7);
      const nodes = new Map<string, ReadConfiguration>();
      const ids: string[] = [];
      const one = <Item>(items: readonly Item[]): Item | undefined => items[pick(items.length)];
      const gateway = (): string => one(['g1', 'g2']) ?? 'g1';
      const name = (): string => `n${pick(6)}`;
      const tryMake = async (path: string, body: object): Promise<void> => {
        const answer = await admin('POST', path, body);
        if (answer.status === 201) ids.push(`${path}/${answer.body.id}`);
      };
      const steps: (() => Promise<unknown>)[] = [
        () => tryMake(`/gateways/${gateway()}/routes`, { name: name(), path: `/${name()}` }),
        () => tryMake(`/gateways/${gateway()}/services`, { name: name(), url: 'http://b.test' }),
        () => tryMake('/plugins', { name: 'request_transformer', scope: 'route', route_name: name(), config: {} }),
        () => tryMake('/plugins', { name: 'request_transformer', scope: 'service', service_name: name(), config: {} }),
        () => tryMake('/plugins', { name: 'request_transformer', scope: 'gateway', gateway_id: gateway(), config: {} }),
        () => tryMake('/consumers', { username: name(), groups: [name()] }),
        () => tryMake('/consumers', { username: name(), gateway_id: gateway() }),
        () => tryMake('/realms', { name: name(), gateway_ids: [gateway()] }),
        () => tryMake('/consumer-groups', { name: name() }),
        async () => {
          const path = one(ids);
          if (path?.startsWith('/consumers')) await tryMake(`${path}/credentials`, { type: 'api_key', name: name() });
        },
        async () => {
          const path = one(ids);
          if (path?.includes('/routes/') || path?.includes('/services/')) await admin('PATCH', path, { name: name() });
          else if (path?.startsWith('/consumers')) await admin('PATCH', path, { enabled: pick(2) === 0 });
          else if (path?.startsWith('/realms')) await admin('PATCH', path, { gateway_ids: [gateway()] });
        },
        async () => {
          const at = pick(ids.length);
          const path = ids[at];
          if (path !== undefined && (await admin('DELETE', path)).status < 300) ids.splice(at, 1);
        },
        () => admin('PATCH', `/gateways/${gateway()}`, { hosts: [`${name()}.test`] }),
      ];
      let deltas = 0;
      for (let round = 0; round < 3; round += 1) {
        for (let step = 0; step < 20; step += 1) {
          await steps[pick(steps.length)]?.();
          // Nodes ask now and then only, so that deltas span several changes.
          if (pick(3) > 0) continue;
          const id = gateway();
          const have = nodes.get(id);
          const next = await follow(id, have);
          if (have !== undefined && next !== have && next.head.since !== null) deltas += 1;
          nodes.set(id, next);
        }
        const followed = new Map<string, ReadConfiguration>();
        for (const id of ['g1', 'g2']) followed.set(id, await follow(id, nodes.get(id)));
        await service.stop();
        service = await startTestService(context.url());
        for (const [id, { lines, head }] of followed) {
          const fresh = await follow(id);
          expect(lines).toEqual(fresh.lines);
          expect(head.hash).toBe(fresh.head.hash);
          // One that has the change log only sends a delta that comes to the same, or everything.
          expect((await follow(id, nodes.get(id))).head.hash).toBe(head.hash);
          nodes.set(id, fresh);
        }
      }
      expect(deltas).toBeGreaterThan(2);
    },
  );

  it('are waited for, up to a time and by a bounded number', async () => {
    const before = await follow('g1');
    const startedMs = performance.now();
    expect((await fetchFrom(service, 'g1', before, '&wait=1')).status).toBe(304);
    expect(performance.now() - startedMs).toBeGreaterThan(900);
    const held = fetchFrom(service, 'g1', before, '&wait=30');
    await make('/gateways/g1/routes', { id: 'awaited', name: 'awaited', path: '/awaited' });
    const delta = readConfiguration((await held).body);
    expect([...delta.lines.keys()]).toContain('routes/awaited');
    const after = applied(before, delta);
    const many = Array.from({ length: 6 }, () => fetchFrom(service, 'g1', after, '&wait=30'));
    let refused = 0;
    for (const answer of many) void answer.then(({ status }) => (refused += Number(status === 429)));
    await eventually(() => refused === 2);
    await admin('DELETE', '/gateways/g1/routes/awaited');
    expect((await Promise.all(many)).filter(({ status }) => status === 200)).toHaveLength(4);
  });
});
