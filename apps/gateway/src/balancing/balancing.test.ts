import { describe, expect, it } from 'vitest';
import { FakeClients, planOf, requestOf, SetHealthChecks, targetOf } from './balancing.test-support.ts';
import { Balancing } from './balancing.ts';
import { NameDirectory } from './name-directory.ts';
import type { UpstreamBalancer } from './upstream-balancer.ts';
import type { UpstreamPlan } from './upstream-plan.ts';

/** Balancing over names that the test resolves. */
class Bench {
  readonly clients = new FakeClients();
  readonly health = new SetHealthChecks();
  readonly names = new Map<string, readonly string[]>();
  readonly questions: string[] = [];
  #timers: (() => void)[] = [];
  readonly balancing = new Balancing({
    clients: this.clients,
    refuses: (address) => address.startsWith('169.254.'),
    health: this.health,
    random: () => 0,
    names: new NameDirectory({
      resolver: {
        known: () => undefined,
        stop: () => undefined,
        resolve: async (name) => {
          this.questions.push(name);
          const addresses = this.names.get(name);
          if (addresses === undefined) throw new Error('ENOTFOUND');
          return addresses.map((address) => ({ address, ttlSeconds: 60 }));
        },
      },
      random: () => 0,
      schedule: (callback) => {
        this.#timers.push(callback);
        return () => void (this.#timers = this.#timers.filter((timer) => timer !== callback));
      },
    }),
  });

  plan(hosts: readonly string[], parts: Partial<UpstreamPlan> = {}): UpstreamPlan {
    return planOf({ targets: hosts.map((host) => targetOf(host)), ...parts });
  }

  /** Lets every name be asked for again, and the answers come in. */
  async refresh(): Promise<void> {
    for (const callback of this.#timers.splice(0)) callback();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function pick(balancer: UpstreamBalancer, times: number): (string | undefined)[] {
  return Array.from({ length: times }, () => balancer.choose(requestOf(), 0)?.address.host);
}

describe('configurations that follow each other', () => {
  it('keep the survivors, with what is known of them and where the round robin was', () => {
    const { balancing, plan, clients } = new Bench();
    const first = balancing.acquire(plan(['10.0.0.1', '10.0.0.2', '10.0.0.3']));
    expect(pick(first, 1)).toEqual(['10.0.0.1']);
    const survivor = first.choose(requestOf(), 0);
    survivor?.clientFor(1000);
    survivor?.begin(0);
    survivor?.answered(200, 7, 0);
    const second = balancing.acquire(plan(['10.0.0.2', '10.0.0.3', '10.0.0.4']));
    balancing.release(first);
    expect(clients.open).toEqual(['10.0.0.2:80']);
    expect(pick(second, 1)).toEqual(['10.0.0.3']);
    const same = Array.from({ length: 6 }, () => second.choose(requestOf(), 0)).find(
      (one) => one?.address.host === '10.0.0.2',
    );
    expect(same).toBe(survivor);
    expect([same?.inFlight, same?.latencyEwmaMs]).toEqual([1, 7]);
  });

  it('keep the address of a service whose record changes', () => {
    const { balancing, plan, clients } = new Bench();
    const first = balancing.acquire(plan(['10.0.0.1'], { upstreamId: undefined }));
    const before = first.choose(requestOf(), 0);
    before?.clientFor(1000);
    const second = balancing.acquire(plan(['10.0.0.1'], { upstreamId: undefined, name: 'another' }));
    balancing.release(first);
    expect(clients.open).toEqual(['10.0.0.1:80']);
    expect(second.choose(requestOf(), 0)).toBe(before);
  });

  it('share the balancer when they say the same', () => {
    const { balancing, plan, health } = new Bench();
    const [first, second] = [balancing.acquire(plan(['10.0.0.1'])), balancing.acquire(plan(['10.0.0.1']))];
    expect(second).toBe(first);
    balancing.release(first);
    expect(pick(first, 1)).toEqual(['10.0.0.1']);
    expect(health.watches).toBe(1);
    balancing.release(first);
    expect(health.watches).toBe(0);
  });

  it('close the connections of a target that leaves, and drain one whose weight is 0', () => {
    const { balancing, plan, clients } = new Bench();
    const first = balancing.acquire(plan(['10.0.0.1', '10.0.0.2']));
    for (const one of [first.choose(requestOf(), 0), first.choose(requestOf(), 0)]) one?.clientFor(1000);
    const targets = [targetOf('10.0.0.1', { weight: 0 }), targetOf('10.0.0.2')];
    const second = balancing.acquire(plan([], { targets }));
    balancing.release(first);
    expect(pick(second, 3)).toEqual(['10.0.0.2', '10.0.0.2', '10.0.0.2']);
    expect(clients.open).toEqual(['10.0.0.1:80', '10.0.0.2:80']);
    balancing.release(second);
    expect(clients.open).toEqual([]);
    expect([...balancing.figures()]).toEqual([]);
  });
});

describe('an upstream that only requests under way still have', () => {
  it('is checked and looked up no more, and they go on with what is known', async () => {
    const bench = new Bench();
    const { balancing, health } = bench;
    bench.names.set('pool.test', ['10.0.0.1']);
    const balancer = balancing.acquire(bench.plan(['pool.test']));
    balancing.acquire(bench.plan(['pool.test']));
    await bench.refresh();
    balancing.retire(balancer);
    expect([health.watches, balancer.isRetired]).toEqual([1, false]);
    balancing.retire(balancer);
    bench.questions.length = 0;
    await bench.refresh();
    expect([health.watches, bench.questions, pick(balancer, 1)]).toEqual([0, [], ['10.0.0.1']]);
    const again = balancing.acquire(bench.plan(['pool.test']));
    await bench.refresh();
    expect([again === balancer, health.watches, bench.questions, pick(again, 1)]).toEqual([
      false,
      1,
      ['pool.test'],
      ['10.0.0.1'],
    ]);
    expect(again.choose(requestOf(), 0)).toBe(balancer.choose(requestOf(), 0));
    balancing.release(balancer);
    balancing.release(balancer);
    expect([health.watches, pick(again, 1)]).toEqual([1, ['10.0.0.1']]);
  });

  it('tells requests that wait for a name, and then ends', async () => {
    const bench = new Bench();
    bench.names.set('pool.test', ['10.0.0.1']);
    const balancer = bench.balancing.acquire(bench.plan(['pool.test']));
    let told = 0;
    balancer.wait({ onResolved: () => (told += 1) });
    bench.balancing.retire(balancer);
    expect(bench.health.watches).toBe(1);
    await bench.refresh();
    expect([told, bench.health.watches, pick(balancer, 1)]).toEqual([1, 0, ['10.0.0.1']]);
  });
});

describe('names', () => {
  it('stand for as many endpoints as they have addresses, which share the weight of the target', async () => {
    const bench = new Bench();
    bench.names.set('pool.test', ['10.0.0.1', '10.0.0.2']);
    const balancer = bench.balancing.acquire(bench.plan(['pool.test', '10.0.0.9']));
    await bench.refresh();
    const order = pick(balancer, 8);
    expect(order.filter((host) => host === '10.0.0.9')).toHaveLength(4);
    expect(order.filter((host) => host === '10.0.0.1')).toHaveLength(2);
    const named = [1, 2].map(() => balancer.choose(requestOf(), 0)).find((one) => one?.address.host !== '10.0.0.9');
    expect(named?.authority).toBe('pool.test');
  });

  it('let requests wait for the first answer only', async () => {
    const bench = new Bench();
    bench.names.set('pool.test', ['10.0.0.1']);
    const balancer = bench.balancing.acquire(bench.plan(['pool.test', 'lost.test']));
    expect([balancer.choose(requestOf(), 0), balancer.isPending]).toEqual([undefined, true]);
    let told = 0;
    balancer.wait({ onResolved: () => (told += 1) });
    await bench.refresh();
    expect([told, balancer.isPending, pick(balancer, 1)]).toEqual([1, false, ['10.0.0.1']]);
  });

  it('are reported while they were never resolved, and answer 503', async () => {
    const bench = new Bench();
    const balancer = bench.balancing.acquire(bench.plan(['lost.test']));
    await bench.refresh();
    expect([balancer.isPending, balancer.refusal(), bench.health.dnsErrors]).toEqual([
      false,
      'unresolved',
      ['lost.test'],
    ]);
    const second = bench.balancing.acquire(bench.plan(['lost.test', '10.0.0.9']));
    bench.balancing.release(balancer);
    expect(bench.health.dnsErrors).toEqual(['lost.test']);
    bench.names.set('lost.test', ['10.0.0.1']);
    await bench.refresh();
    expect(new Set(pick(second, 2))).toEqual(new Set(['10.0.0.1', '10.0.0.9']));
    expect(bench.health.dnsErrors).toEqual([]);
  });

  it('are not reported any more when their target is gone', async () => {
    const bench = new Bench();
    const first = bench.balancing.acquire(bench.plan(['lost.test', '10.0.0.1']));
    await bench.refresh();
    const second = bench.balancing.acquire(bench.plan(['10.0.0.1']));
    bench.balancing.release(first);
    expect([pick(second, 1), bench.health.dnsErrors]).toEqual([['10.0.0.1'], []]);
  });

  it('drain an address that vanishes, keep the others, and keep all when nobody answers', async () => {
    const bench = new Bench();
    bench.names.set('pool.test', ['10.0.0.1', '10.0.0.2']);
    const balancer = bench.balancing.acquire(bench.plan(['pool.test']));
    await bench.refresh();
    const both = [balancer.choose(requestOf(), 0), balancer.choose(requestOf(), 0)];
    for (const one of both) one?.clientFor(1000);
    bench.names.set('pool.test', ['10.0.0.2', '10.0.0.3']);
    await bench.refresh();
    expect(bench.clients.open).toEqual(['10.0.0.2:80']);
    expect([...bench.health.healths.keys()]).toEqual(['10.0.0.2:80', '10.0.0.3:80']);
    expect(new Set(pick(balancer, 4))).toEqual(new Set(['10.0.0.2', '10.0.0.3']));
    bench.names.delete('pool.test');
    await bench.refresh();
    expect(new Set(pick(balancer, 4))).toEqual(new Set(['10.0.0.2', '10.0.0.3']));
  });

  it.each(['round-robin', 'least-connections', 'consistent-hashing', 'latency'] as const)(
    'whose answer changes in one address leave the others as they are: connections, requests, measures, rest and health (%s)',
    async (algorithm) => {
      const bench = new Bench();
      const addresses = Array.from({ length: 8 }, (_, index) => `10.0.1.${index}`);
      bench.names.set('pool.test', addresses);
      bench.names.set('other.test', ['10.0.2.1', '10.0.2.2']);
      const balancer = bench.balancing.acquire(bench.plan(['pool.test', 'other.test', '10.0.3.1'], { algorithm }));
      await bench.refresh();
      const endpoints = new Map([...balancer.state.endpoints()].map((one) => [one.address.host, one]));
      for (const [index, one] of [...endpoints.values()].entries()) {
        one.clientFor(1000);
        one.begin(0);
        one.answered(200, 10 + index, 0);
      }
      endpoints.get('10.0.1.3')?.rest(0);
      const known = (): unknown[][] =>
        [...balancer.state.endpoints()]
          .filter(({ address: { host } }) => host !== '10.0.1.7' && host !== '10.0.1.8')
          .map((one) => [one.address.host, one.inFlight, one.latencyEwmaMs, one.restsUntilMs, one.health.usable])
          .toSorted((left, right) => (String(left[0]) < String(right[0]) ? -1 : 1));
      const before = known();
      bench.names.set('pool.test', [...addresses.slice(0, 7), '10.0.1.8']);
      await bench.refresh();
      expect(known()).toEqual(before);
      expect(known()).toHaveLength(10);
      expect(bench.clients.open).not.toContain('10.0.1.7:80');
      expect(bench.clients.open).toHaveLength(10);
      const seen = new Set(
        Array.from({ length: 2000 }, (_, turn) => turn).map((turn) => balancer.choose(requestOf(), turn)?.address.host),
      );
      expect(seen.has('10.0.1.7')).toBe(false);
      if (algorithm !== 'latency') expect(seen.has('10.0.1.8')).toBe(true);
    },
  );

  it('lose the addresses that must not be called, unless there is no other', async () => {
    const bench = new Bench();
    bench.names.set('some.test', ['169.254.169.254', '10.0.0.1']);
    bench.names.set('all.test', ['169.254.169.254']);
    const some = bench.balancing.acquire(bench.plan(['some.test'], { key: 'upstream some' }));
    const all = bench.balancing.acquire(bench.plan(['all.test'], { key: 'upstream all' }));
    await bench.refresh();
    expect([pick(some, 2), pick(all, 1)]).toEqual([['10.0.0.1', '10.0.0.1'], ['169.254.169.254']]);
  });

  it('keep their name for certificates', async () => {
    const bench = new Bench();
    bench.names.set('secure.test', ['10.0.0.1']);
    const balancer = bench.balancing.acquire(bench.plan(['secure.test'], { protocol: 'https' }));
    await bench.refresh();
    expect(balancer.choose(requestOf(), 0)?.address).toMatchObject({ host: '10.0.0.1', servername: 'secure.test' });
  });
});

describe('an endpoint that could not be connected to', () => {
  it('is left alone for a while, is tried by one request at a time, and is whole after an answer', () => {
    const { balancing, plan } = new Bench();
    const balancer = balancing.acquire(plan(['10.0.0.1', '10.0.0.2']));
    const choose = (nowMs: number): string | undefined => balancer.choose(requestOf(), nowMs)?.address.host;
    const bad = balancer.choose(requestOf(), 0);
    if (bad === undefined) throw new Error('an endpoint');
    balancer.connectFailed(bad, 0);
    expect([choose(10), choose(20), choose(30)]).toEqual(['10.0.0.2', '10.0.0.2', '10.0.0.2']);
    const later = [600, 601].map((nowMs) => balancer.choose(requestOf(), nowMs));
    expect(later).toContain(bad);
    bad.begin(601);
    expect([choose(602), choose(603)]).toEqual(['10.0.0.2', '10.0.0.2']);
    bad.answered(200, 1, 650);
    expect(new Set([choose(651), choose(652)])).toEqual(new Set(['10.0.0.1', '10.0.0.2']));
  });

  it('is left to health checks where there are some', () => {
    const { balancing, plan } = new Bench();
    const healthchecks = { passive: {}, threshold: 0 } as UpstreamPlan['healthchecks'];
    const balancer = balancing.acquire(plan(['10.0.0.1', '10.0.0.2'], { healthchecks }));
    const bad = balancer.choose(requestOf(), 0);
    if (bad === undefined) throw new Error('an endpoint');
    balancer.connectFailed(bad, 0);
    expect(new Set(pick(balancer, 2))).toEqual(new Set(['10.0.0.1', '10.0.0.2']));
  });
});
