import type { DeliveredRecord } from '@portcullis/resources';
import { describe, expect, it } from 'vitest';
import { deltaText, publishedOf } from '../testing/delta-text.test-support.ts';
import { manager, textOf, type Tables } from './configuration-manager.test-support.ts';
import type { CompiledRoute } from './generation.ts';

/** What of a route's compiled form must be the same however it came about. */
function shown({
  id,
  service,
  balancer,
  chain,
  paths,
  readTimeoutMs,
  retired: _,
  ...rest
}: CompiledRoute & { retired?: never }) {
  const hooks = chain && [chain.hasRequestHooks, chain.hasResponseHooks, chain.hasErrorHooks];
  return {
    id,
    service,
    plan: balancer?.plan,
    paths,
    readTimeoutMs,
    hooks,
    hosts: rest.hosts,
    stripPath: rest.stripPath,
  };
}

function sequence(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const random = (pick: (below: number) => number): { table: keyof Tables; record: DeliveredRecord } => {
  const id = `${pick(12)}`;
  const enabled = pick(6) > 0;
  const inline =
    pick(3) === 0 ? [{ name: 'request_transformer', config: { set_headers: { 'x-a': `${pick(3)}` } } }] : [];
  const leads = pick(2) === 0 ? { url: `http://10.0.0.${pick(5)}:80` } : { upstream_id: `u${pick(3)}` };
  const all = [
    { table: 'services', record: { id: `s${id}`, name: `s${id}`, enabled, retries: pick(3), ...leads } },
    {
      table: 'routes',
      record: {
        id: `r${id}`,
        name: `r${id}`,
        enabled,
        service_id: `s${pick(14)}`,
        paths: [`/${pick(9)}`],
        plugins: inline,
      },
    },
    {
      table: 'routes',
      record: { id: `r${id}`, name: `r${id}`, enabled, paths: [pick(5) === 0 ? '/%zz' : `/${pick(9)}`] },
    },
    {
      table: 'targets',
      record: {
        id: `t${id}`,
        upstream_id: `u${pick(3)}`,
        host: `10.1.0.${pick(9)}`,
        port: 80,
        weight: pick(3),
        enabled,
      },
    },
    { table: 'upstreams', record: { id: `u${pick(3)}`, name: 'u', host_header: `h${pick(3)}.test` } },
    {
      table: 'plugins',
      record: {
        id: `p${id}`,
        name: 'request_transformer',
        scope: 'route',
        route_id: `r${pick(12)}`,
        enabled,
        config: { remove_headers: ['x-b'] },
      },
    },
  ] as const;
  return all[pick(all.length)] ?? all[0];
};

describe('a configuration that was built change by change', () => {
  it('is the one that is built of everything', async () => {
    for (let seed = 1; seed <= 6; seed += 1) {
      const pick = sequence(seed);
      const one = manager();
      const tables: Tables = {
        services: new Map([['s-always', { id: 's-always', name: 's', url: 'http://10.0.0.1' }]]),
        routes: new Map([['r-always', { id: 'r-always', name: 'r', service_id: 's-always', paths: ['/always'] }]]),
        upstreams: new Map([0, 1, 2].map((id) => [`u${id}`, { id: `u${id}`, name: 'u' }])),
        targets: new Map(),
        plugins: new Map(),
      };
      let before = textOf(1, tables).text;
      expect(await one.take(before)).toBe('judged');
      for (let revision = 2; revision < 25; revision += 1) {
        for (let change = pick(4); change >= 0; change -= 1) {
          const { table, record } = random(pick);
          if (pick(4) > 0 || table === 'upstreams') tables[table].set(record.id, record);
          else tables[table].delete(record.id);
        }
        const { text } = textOf(revision, tables);
        const [from, to] = [publishedOf(before), publishedOf(text)];
        if (from === undefined || to === undefined) throw new Error('the text is not a configuration');
        expect(await one.take(deltaText(from, to))).toBe('judged');
        expect(one.acks.at(-1)?.status, JSON.stringify(one.acks.at(-1))).toBe('applied');
        before = text;
      }
      const other = manager();
      await other.take(before);
      expect([one.acks.at(-1)?.status, other.acks.at(-1)?.status]).toEqual(['applied', 'applied']);
      const routes = [one, other].map(({ live }) =>
        [...(live.current?.router.routes() ?? [])].map(shown).toSorted((a, b) => a.id.localeCompare(b.id)),
      );
      expect(routes[0]).toEqual(routes[1]);
      const errors = [one, other].map(({ acks }) => new Set(acks.at(-1)?.errors.map((error) => JSON.stringify(error))));
      expect(errors[0]).toEqual(errors[1]);
      const figures = [one, other].map(({ balancing }) => [...balancing.figures()].map(({ key }) => key).toSorted());
      expect(figures[0]).toEqual(figures[1]);
      one.stop();
      other.stop();
    }
  });

  it('keeps what a change does not touch, and a refused one changes nothing', async () => {
    const tables: Tables = {
      services: new Map([['s', { id: 's', name: 's', url: 'http://10.0.0.1' }]]),
      routes: new Map(['a', 'b'].map((id) => [id, { id, name: id, service_id: 's', paths: [`/${id}`] }])),
      upstreams: new Map(),
      targets: new Map(),
      plugins: new Map(),
    };
    const { live, own, take, acks, stop } = manager();
    const publish = async (revision: number): Promise<void> => void (await take(textOf(revision, tables).text));
    await publish(1);
    const first = live.current;
    tables.routes.set('b', { id: 'b', name: 'b', service_id: 's', paths: ['/c'] });
    await publish(2);
    expect(live.current?.router.get('a')).toBe(first?.router.get('a'));
    expect(live.current?.router.get('b')).not.toBe(first?.router.get('b'));
    expect(live.current?.runtime).toBe(first?.runtime);
    expect(first?.router.get('b')?.paths[0]).toMatchObject({ value: '/b' });
    const second = live.current;
    tables.plugins.set('p', { id: 'p', name: 'rate_limiter', config: { limit: 'all' } });
    await publish(3);
    expect([acks.at(-1)?.status, live.current, own.known?.revision]).toEqual(['rejected', second, 2]);
    tables.plugins.clear();
    tables.routes.delete('a');
    await publish(4);
    expect([acks.at(-1)?.status, live.current?.router.get('a'), live.current?.revision]).toEqual([
      'applied',
      undefined,
      4,
    ]);
    stop();
  });

  it('compiles anew, when a plugin of the collection changed, the routes whose chain has it and no others', async () => {
    const plugin = (id: string, removed: string, place: object = {}): DeliveredRecord => ({
      ...{ id, name: 'request_transformer', config: { remove_headers: [removed] } },
      ...place,
    });
    const ofRoute = { scope: 'route', route_id: 'b' };
    const inline = [{ name: 'request_transformer', config: { remove_headers: ['x-own'] } }];
    const tables: Tables = {
      services: new Map([['s', { id: 's', name: 's', url: 'http://10.0.0.1' }]]),
      routes: new Map(
        ['a', 'b', 'c', 'd'].map((id) => [
          id,
          { id, name: id, service_id: 's', paths: [`/${id}`], plugins: id === 'c' ? inline : [] },
        ]),
      ),
      upstreams: new Map(),
      targets: new Map(),
      plugins: new Map([['p', plugin('p', 'x-all')]]),
    };
    const { live, take, stop } = manager();
    let revision = 0;
    /** The routes that are other objects after an edit. */
    const compiledAnew = async (edit: () => void): Promise<string[]> => {
      const before = live.current;
      edit();
      expect(await take(textOf((revision += 1), tables).text)).toBe('judged');
      expect(live.current?.revision).toBe(revision);
      return ['a', 'b', 'c', 'd'].filter((id) => before?.router.get(id) !== live.current?.router.get(id));
    };
    await compiledAnew(() => undefined);
    expect(await compiledAnew(() => tables.plugins.set('q', plugin('q', 'x-1', ofRoute)))).toEqual(['b', 'c']);
    expect(await compiledAnew(() => tables.plugins.set('q', plugin('q', 'x-2', ofRoute)))).toEqual(['b', 'c']);
    expect(await compiledAnew(() => tables.plugins.set('r', plugin('r', 'x', { ...ofRoute, route_id: 'z' })))).toEqual([
      'c',
    ]);
    expect(await compiledAnew(() => tables.plugins.delete('q'))).toEqual(['b', 'c']);
    expect(await compiledAnew(() => tables.plugins.set('p', plugin('p', 'x-other')))).toEqual(['a', 'b', 'c', 'd']);
    expect(live.current?.router.get('a')?.chain).toBe(live.current?.router.get('b')?.chain);
    stop();
  });

  it('is built in slices, between which the old one serves whole', async () => {
    const routes = Array.from({ length: 5000 }, (_, at): [string, DeliveredRecord] => [
      `r${at}`,
      { id: `r${at}`, name: `r${at}`, service_id: 's', paths: [`/${at}`] },
    ]);
    const tables: Tables = {
      services: new Map([['s', { id: 's', name: 's', url: 'http://10.0.0.1' }]]),
      routes: new Map(routes),
      upstreams: new Map(),
      targets: new Map(),
      plugins: new Map(),
    };
    let pausesBefore = 0;
    const { live, take, stop } = manager({
      pause: async () => {
        // Slices after it are those in which the records are collected for the disk.
        if (live.current === undefined) pausesBefore += 1;
      },
    });
    await take(textOf(1, tables).text);
    expect(pausesBefore).toBeGreaterThan(5);
    expect(live.current?.router.size).toBe(5000);
    stop();
  });
});
