import { setImmediate } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';
import { setFlagsFromString } from 'node:v8';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  LiveRuntime,
  createRuntime,
  type Chain,
  type Plugin,
  type PluginInstance,
  type Runtime,
  type RuntimeLease,
} from './index.ts';
import { exchangeOf, gateway, pluginOf } from './testing/fixtures.ts';

/** Chains of one gateway over plugins that tell of their lives and count their calls. */
function benchOf() {
  const life: string[] = [];
  const counter = pluginOf('counter', (config, { instance }) => {
    const name = `${instance.id}${config['v'] === undefined ? '' : Number(config['v'])}`;
    let count = 0;
    life.push(`setup ${name}`);
    return {
      request: () => ({ query: `${name}=${(count += 1)}` }),
      dispose: () => void life.push(`dispose ${name}`),
    };
  });
  const runtimeOf = (instances: PluginInstance[], previous?: Runtime) =>
    createRuntime({ plugins: [counter], instances, ...(previous === undefined ? {} : { previous }) });
  const serve = (runtime: Runtime) => runtime.chainFor({ gateway });
  const at = (id: string, v?: number): PluginInstance => ({
    id,
    name: 'counter',
    config: v === undefined ? {} : { v },
  });
  return { life, runtimeOf, serve, at };
}

function queryOf(lease: RuntimeLease<Chain>): string {
  const exchange = exchangeOf();
  void lease.served.runRequest(exchange);
  return exchange.request.query;
}

describe('LiveRuntime', () => {
  it('serves the new runtime at once, ends what runs on the old one, then disposes what nobody took over', () => {
    const { life, runtimeOf, serve, at } = benchOf();
    const live = new LiveRuntime(runtimeOf([at('a', 1)]), serve);
    const before = live.acquire();
    live.swap(runtimeOf([at('a', 2)], live.runtime));
    const after = live.acquire();
    expect([queryOf(before), queryOf(after), queryOf(before)]).toEqual(['a1=1', 'a2=1', 'a1=2']);
    expect([life, live.runtimesInUse]).toEqual([['setup a1', 'setup a2'], 2]);
    before.release();
    expect([life.slice(2), live.runtimesInUse]).toEqual([['dispose a1'], 1]);
    expect(queryOf(after)).toBe('a2=2');
    after.release();
    expect(life).toHaveLength(3);
  });

  it('gives every request of a runtime the same lease: nothing is made per request', () => {
    const { runtimeOf, serve, at } = benchOf();
    const live = new LiveRuntime(runtimeOf([at('a')]), serve);
    expect(live.acquire()).toBe(live.acquire());
  });

  it('keeps instances that did not change through any number of swaps, with their counts', () => {
    const { life, runtimeOf, serve, at } = benchOf();
    const live = new LiveRuntime(runtimeOf([at('kept')]), serve);
    for (let index = 0; index < 20; index += 1) {
      const lease = live.acquire();
      expect(queryOf(lease)).toBe(`kept=${index + 1}`);
      live.swap(runtimeOf([at('kept'), at('b', index)], live.runtime));
      lease.release();
    }
    expect(life.filter((line) => line.endsWith(' kept'))).toEqual(['setup kept']);
    expect(life.filter((line) => line.startsWith('dispose'))).toHaveLength(19);
  });

  it('goes on with the old one when the new one cannot be served, and disposes the new one', () => {
    const { life, runtimeOf, at } = benchOf();
    const live = new LiveRuntime(runtimeOf([at('a', 1)]), (runtime) => {
      if (runtime.status().length > 1) throw new Error('too many');
      return runtime.chainFor({ gateway });
    });
    expect(() => live.swap(runtimeOf([at('a', 1), at('b')], live.runtime))).toThrow('too many');
    expect([queryOf(live.acquire()), live.runtimesInUse, life]).toEqual([
      'a1=1',
      1,
      ['setup a1', 'setup b', 'dispose b'],
    ]);
  });

  it('does nothing when the served runtime is swapped for itself', () => {
    const { life, runtimeOf, serve, at } = benchOf();
    const live = new LiveRuntime(runtimeOf([at('a')]), serve);
    live.swap(live.runtime);
    expect([queryOf(live.acquire()), life]).toEqual(['a=1', ['setup a']]);
  });

  it('says so, typed, when a lease is released too often or held after its end', () => {
    const { runtimeOf, serve, at } = benchOf();
    const live = new LiveRuntime(runtimeOf([at('a')]), serve);
    const lease = live.acquire();
    live.swap(runtimeOf([at('b')], live.runtime));
    lease.hold();
    lease.release();
    lease.release();
    expect(() => lease.release()).toThrow(expect.objectContaining({ code: 'lease_over' }));
    expect(() => lease.hold()).toThrow(expect.objectContaining({ code: 'lease_over' }));
    expect(queryOf(live.acquire())).toBe('b=1');
  });

  it('closes when the last request is over and late disposals are done, and takes nobody in from then on', async () => {
    const gate = Promise.withResolvers<undefined>();
    const order: string[] = [];
    const plugin = pluginOf('late', () => ({ dispose: () => gate.promise.then(() => void order.push('disposed')) }));
    const make = (previous?: Runtime) =>
      createRuntime({
        plugins: [plugin],
        instances: [{ id: 'a', name: 'late' }],
        ...(previous === undefined ? {} : { previous }),
      });
    const live = new LiveRuntime(make(), () => undefined);
    const lease = live.acquire();
    const closed = Promise.all([live.close(), live.close()]).then(() => void order.push('closed'));
    expect(() => live.acquire()).toThrow(expect.objectContaining({ code: 'lease_over' }));
    expect(() => live.swap(make(live.runtime))).toThrow(expect.objectContaining({ code: 'lease_over' }));
    lease.release();
    order.push('released');
    gate.resolve(undefined);
    await closed;
    expect(order).toEqual(['released', 'disposed', 'closed']);
    await live.close();
  });

  it('runs each request on one chain from its begin to its end, and disposes each instance once, after its last call', () => {
    const move = fc.constantFrom('acquire', 'release', 'call', 'swap', 'swap_changed');
    fc.assert(
      fc.property(fc.array(fc.tuple(move, fc.nat(9)), { maxLength: 60 }), (moves) => {
        const { life, runtimeOf, serve, at } = benchOf();
        let version = 0;
        const live = new LiveRuntime(runtimeOf([at('kept'), at('a', version)]), serve);
        const leases: { lease: RuntimeLease<Chain>; version: number }[] = [];
        for (const [what, nth] of moves) {
          const at_ = leases.length === 0 ? -1 : nth % leases.length;
          const held = leases[at_];
          if (what === 'acquire') leases.push({ lease: live.acquire(), version });
          else if (what === 'release' && held !== undefined) leases.splice(at_, 1)[0]?.lease.release();
          else if (what === 'call' && held !== undefined) {
            // The later instance in order wins the query: `kept` stands behind `a`.
            expect(queryOf(held.lease)).toMatch(/^kept=/);
            expect(life).not.toContain(`dispose a${held.version}`);
          } else if (what.startsWith('swap')) {
            if (what === 'swap_changed') version += 1;
            live.swap(runtimeOf([at('kept'), at('a', version)], live.runtime));
          }
          const needed = new Set([version, ...leases.map((one) => one.version)]);
          const alive = Array.from({ length: version + 1 }, (_one, index) => index).filter(
            (index) => !life.includes(`dispose a${index}`),
          );
          expect(alive).toEqual([...needed].toSorted((a, b) => a - b));
        }
        expect(life.filter((line) => line.endsWith('kept'))).toEqual(['setup kept']);
        expect(new Set(life).size).toBe(life.length);
      }),
    );
  });

  it('keeps no old runtime in memory, however long the line of those before', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const { runtimeOf, serve, at } = benchOf();
    const refs: WeakRef<object>[] = [];
    const live = new LiveRuntime(runtimeOf([at('kept')]), serve);
    const step = (index: number) => {
      refs.push(new WeakRef(live.runtime), new WeakRef(live.runtime.store));
      live.swap(runtimeOf([at('kept'), at('b', index)], live.runtime));
    };
    for (let index = 0; index < 10; index += 1) step(index);
    // The last one before is known to the served one's store until that store looks for something in it.
    const old = refs.slice(0, -2);
    for (let round = 0; round < 50 && old.some((ref) => ref.deref() !== undefined); round += 1) {
      await setImmediate();
      collect();
    }
    expect(old.filter((ref) => ref.deref() !== undefined)).toEqual([]);
    expect(queryOf(live.acquire())).toBe('kept=1');
  });
});

describe('instances that are the same in the next runtime', () => {
  /** How often `setup` ran for two runtimes with these configs. */
  function setupsFor(first: unknown, second: unknown): number {
    let setups = 0;
    const plugin: Plugin = pluginOf('subject', () => ((setups += 1), {}));
    const make = (config: unknown, previous?: Runtime) =>
      createRuntime({
        plugins: [plugin],
        instances: [{ id: 'a', name: 'subject', config }],
        ...(previous === undefined ? {} : { previous }),
      });
    make(second, make(first));
    return setups;
  }
  const hook = () => undefined;

  it.each<[string, unknown, unknown, number]>([
    ['equal data', { a: [1, { b: 'x' }] }, { a: [1, { b: 'x' }] }, 1],
    ['other data', { a: 1 }, { a: 2 }, 2],
    ['the same function', { run: hook }, { run: hook }, 1],
    ['another function', { run: () => 1 }, { run: () => 1 }, 2],
    ['another map', { a: new Map([[1, 2]]) }, { a: new Map([[1, 3]]) }, 2],
    ['other dates', { a: new Date(1) }, { a: new Date(2) }, 2],
    ['numbers that JSON does not know', { a: Number.NaN }, { a: null }, 2],
    ['large numbers', { a: 1n }, { a: 2n }, 2],
    ['equal large numbers', { a: 1n }, { a: 1n }, 1],
  ])('are told by their config: %s', (_name, first, second, setups) => {
    expect(setupsFor(first, second)).toBe(setups);
  });
});
