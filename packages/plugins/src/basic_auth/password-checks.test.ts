import { FakeClock } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { PluginBench, problemOf } from '../testing/plugin-bench.ts';
import { acme, basicHeader, credentialOf, directoryOf } from './credentials.test-support.ts';
import { FAILURES_MAX } from '../shared/failure-budget.ts';
import { basicAuthOver } from './index.ts';
import {
  HASHES_MAX,
  PasswordChecks,
  WAIT_MS_MAX,
  WAITING_MAX,
  WAITING_PER_NETWORK_MAX,
  WAITING_PER_SITE_MAX,
  WAITING_PER_USERNAME_MAX,
  type Attempt,
} from './password-checks.ts';

/** Checks whose hashes end when the test says so. The password `right` fits. */
function heldChecks() {
  const clock = new FakeClock();
  const held: (() => void)[] = [];
  const checks = new PasswordChecks((password) => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    held.push(() => resolve(password === 'right'));
    return promise;
  });
  let count = 0;
  const attempt = (parts: Partial<Attempt> = {}): Attempt => {
    count += 1;
    const own = { username: `u${count}`, network: `n${count}`, password: 'wrong', passwordHash: 'hash' };
    const made = { ...own, monotonicMs: clock.monotonicMs, ...parts };
    return { digest: `${made.username}:${made.password}`, ...made };
  };
  const check = async (parts: Partial<Attempt> = {}) => checks.check(attempt(parts));
  /** Ends one hash after another until none is left. */
  const endAll = async (): Promise<number> => {
    let ended = 0;
    for (let end = held.shift(); end !== undefined; end = held.shift()) {
      end();
      ended += 1;
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    }
    return ended;
  };
  return { clock, checks, attempt, check, held, endAll };
}

describe('the way to the slow hash', () => {
  it('hashes so many at once and the others in their order', async () => {
    const { check, held, endAll } = heldChecks();
    const ended: number[] = [];
    const all = [1, 2, 3].map(async (number) => {
      const outcome = await check({ password: number === 2 ? 'right' : 'wrong' });
      ended.push(number);
      return outcome;
    });
    expect(held).toHaveLength(HASHES_MAX);
    expect(await endAll()).toBe(3);
    expect([await Promise.all(all), ended]).toEqual([
      ['wrong', 'right', 'wrong'],
      [1, 2, 3],
    ]);
  });

  it('hashes the same password that comes many times at once a single time', async () => {
    const { check, endAll } = heldChecks();
    const same = { username: 'u', password: 'right' };
    const all = Array.from({ length: WAITING_MAX }, () => check(same));
    expect(await endAll()).toBe(1);
    expect(new Set(await Promise.all(all))).toEqual(new Set(['right']));
  });

  it('does not take one hash for another: of the same password under a new hash', async () => {
    const { check, endAll } = heldChecks();
    const same = { username: 'u', password: 'right' };
    const all = ['old', 'new'].map((passwordHash) => check({ ...same, passwordHash }));
    expect(await endAll()).toBe(2);
    expect(await Promise.all(all)).toEqual(['right', 'right']);
  });

  it.each([
    ['in all', WAITING_MAX, {}],
    ['of one network', WAITING_PER_NETWORK_MAX, { network: 'n' }],
    ['for one user name', WAITING_PER_USERNAME_MAX, { username: 'u' }],
  ])('lets only so many wait %s, and takes more once they are done', async (_name, most, shared) => {
    const { check, endAll } = heldChecks();
    const ask = (number: number) => check({ ...shared, digest: `d${number}`, password: 'right' });
    const all = Array.from({ length: most }, (_, number) => ask(number));
    expect(await ask(-1)).toBe('busy');
    expect(await endAll()).toBe(most);
    expect(new Set(await Promise.all(all))).toEqual(new Set(['right']));
    const later = ask(-2);
    await endAll();
    expect(await later).toBe('right');
  });

  it('lets only so many of one IPv6 site wait, however many networks it has', async () => {
    const { check, endAll } = heldChecks();
    const ask = (subnet: number) => check({ network: `2001:db8:1:${subnet}::/64`, password: 'right' });
    const all = Array.from({ length: WAITING_PER_SITE_MAX }, (_, subnet) => ask(subnet));
    expect(await ask(9999)).toBe('busy');
    const other = check({ network: '2001:db8:2:0::/64', password: 'right' });
    expect(await endAll()).toBe(WAITING_PER_SITE_MAX + 1);
    expect(new Set(await Promise.all([...all, other]))).toEqual(new Set(['right']));
  });

  it('gives up what has waited too long, and hashes it not', async () => {
    const { check, clock, endAll } = heldChecks();
    const [first, second] = [check(), check()];
    clock.advance(WAIT_MS_MAX + 1);
    const third = check();
    expect(await endAll()).toBe(2);
    expect(await Promise.all([first, second, third])).toEqual(['wrong', 'busy', 'wrong']);
  });

  it('lets a network fail so often, and again as time goes by; what was right or busy costs nothing', async () => {
    const { check, clock, endAll } = heldChecks();
    const ask = async (password: string, network = 'n') => {
      const outcome = check({ network, password });
      await endAll();
      return outcome;
    };
    for (let right = 0; right < 2 * FAILURES_MAX; right += 1) expect(await ask('right')).toBe('right');
    for (let failed = 0; failed < FAILURES_MAX; failed += 1) expect(await ask('wrong')).toBe('wrong');
    expect([await ask('right'), await ask('wrong', 'another')]).toEqual(['too_many_failures', 'wrong']);
    clock.advance(1000);
    expect([await ask('wrong'), await ask('wrong')]).toEqual(['wrong', 'too_many_failures']);
  });

  it('goes on after a check that failed', async () => {
    let isBroken = true;
    const checks = new PasswordChecks(async () => {
      if (isBroken) throw new Error('no memory');
      return true;
    });
    const { attempt } = heldChecks();
    await expect(checks.check(attempt())).rejects.toThrow('no memory');
    isBroken = false;
    expect(await checks.check(attempt())).toBe('right');
  });
});

describe('an attack on basic_auth', () => {
  it('keeps nobody out whose password is known, and hashes no more than is allowed', async () => {
    const { checks, held, endAll, clock } = heldChecks();
    const bench = new PluginBench(
      basicAuthOver(checks),
      { allowed_users: [{ username: 'ops', password: 'p' }] },
      { clock },
    );
    const consumers = directoryOf({ jo: credentialOf('a hash') });
    const known = { headers: basicHeader('jo', 'right'), consumers };
    const first = bench.request(known);
    await endAll();
    expect((await first).exchange.consumer).toEqual(acme);
    const attack = Array.from({ length: 500 }, (_, number) => {
      const headers = basicHeader(number % 2 === 0 ? 'jo' : `guess-${number}`, `guess-${number}`);
      return bench.request({ headers, consumers, clientIp: `192.0.2.${number % 250}` });
    });
    expect(held).toHaveLength(HASHES_MAX);
    expect((await bench.request(known)).exchange.consumer).toEqual(acme);
    expect((await bench.request({ headers: basicHeader('ops', 'p'), consumers })).result).toBe('continue');
    expect(await endAll()).toBe(WAITING_MAX);
    const answers = await Promise.all(attack);
    const refused = answers.filter(({ exchange }) => exchange.response.status === 429);
    expect(refused).toHaveLength(500 - WAITING_MAX);
    expect(answers.filter(({ exchange }) => exchange.response.status === 401)).toHaveLength(WAITING_MAX);
    const [one] = refused;
    expect(one && [one.exchange.response.headers.get('retry-after'), problemOf(one.exchange)]).toMatchObject([
      '1',
      { status: 429, code: 'rate_limited' },
    ]);
  });

  it('treats names that nobody has like those that exist', async () => {
    const ofName = async (username: string) => {
      const { checks, endAll, clock } = heldChecks();
      const bench = new PluginBench(basicAuthOver(checks), { allowed_users: [] }, { clock });
      const consumers = directoryOf({ jo: credentialOf('a hash') });
      const all = Array.from({ length: 30 }, (_, number) =>
        bench.request({ headers: basicHeader(username, `guess-${number}`), consumers }),
      );
      const hashes = await endAll();
      return [hashes, (await Promise.all(all)).map(({ exchange }) => exchange.response.status)];
    };
    expect(await ofName('nobody')).toEqual(await ofName('jo'));
  });
});
