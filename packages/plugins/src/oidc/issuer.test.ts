import { ALONE, noSecrets, noSharedStore } from '@portcullis/plugin-runtime';
import { eventually, FakeClock } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { FETCH_PAUSE_MS, KEYS_FRESH_MS, KEYS_USABLE_MS } from '../shared/jwt/remote-keys.ts';
import { absentPorts } from '../testing/absent-ports.ts';
import { localOutbound, startKeyServer, type KeyServer } from '../testing/key-server.ts';
import { exchangeOf, PluginBench, problemOf } from '../testing/plugin-bench.ts';
import { makeKey, makeToken } from '../testing/tokens.ts';
import { oidc } from './index.ts';

const EXP = Date.UTC(2030, 0, 1) / 1000;

/** One of the keys that an issuer uses one after the other. */
function signer(kid: string) {
  const { privateKey, jwk } = makeKey('p256');
  return {
    jwk: { ...jwk, kid },
    token: (sub: string) => makeToken({ alg: 'ES256', kid }, { sub, exp: EXP }, privateKey, 'ES256'),
  };
}

const [first, second] = [signer('first'), signer('second')];

function benchOf(server: KeyServer) {
  const clock = new FakeClock();
  const bench = new PluginBench(oidc, { public_key: server.url }, { clock, outbound: localOutbound });
  const ask = async (token: string) => {
    const { result, exchange } = await bench.request({ headers: ['authorization', `Bearer ${token}`] });
    return result === 'respond' ? exchange.response.status : result;
  };
  return { bench, clock, ask };
}

describe('an issuer with keys behind an address', () => {
  it('may bring in a key and use it at once: no token of either key is refused meanwhile', async () => {
    await using server = await startKeyServer(first.jwk);
    const { clock, ask } = benchOf(server);
    expect(await ask(first.token('warm'))).toBe('continue');
    clock.advance(FETCH_PAUSE_MS);
    server.publish(first.jwk, second.jwk);
    for (let round = 0; round < 50; round += 1) {
      const tokens = [first, second, first, second].map((by, index) => by.token(`u${round}-${index}`));
      expect(await Promise.all(tokens.map(ask))).toEqual(tokens.map(() => 'continue'));
    }
    expect(server.requests).toHaveLength(2);
  });

  it('may withdraw a key: its tokens are refused from the next fetch on, those that were seen before too', async () => {
    await using server = await startKeyServer(first.jwk, second.jwk);
    const { clock, ask } = benchOf(server);
    const tokens = [first.token('u1'), second.token('u1')];
    expect(await Promise.all(tokens.map(ask))).toEqual(['continue', 'continue']);
    server.publish(second.jwk);
    clock.advance(KEYS_FRESH_MS);
    // Asked in the turn in which the fetch begins, the old key counts once more.
    expect(await Promise.all(tokens.map(ask))).toEqual(['continue', 'continue']);
    await eventually(async () => (await ask(tokens[0] ?? '')) === 401);
    expect(await Promise.all(tokens.map(ask))).toEqual([401, 'continue']);
    expect(server.requests).toHaveLength(2);
  });

  it('is not asked again for invented keys, and tokens with known keys do not suffer', async () => {
    await using server = await startKeyServer(first.jwk);
    const { ask } = benchOf(server);
    expect(await ask(first.token('warm'))).toBe('continue');
    for (let index = 0; index < 500; index += 1) {
      expect(await ask(signed(`invented-${index}`))).toBe(401);
    }
    expect([await ask(first.token('new')), server.requests.length]).toEqual(['continue', 1]);
  });

  it('may be gone: known keys serve on, unknown ones get 503, and neither opens the circuit', async () => {
    const server = await startKeyServer(first.jwk);
    const { bench, clock, ask } = benchOf(server);
    expect(await ask(first.token('warm'))).toBe('continue');
    await server.close();
    clock.advance(FETCH_PAUSE_MS);
    for (let index = 0; index < 20; index += 1) expect(await ask(second.token(`u${index}`))).toBe(503);
    const { exchange } = await bench.request({ headers: ['authorization', `Bearer ${second.token('u')}`] });
    expect(problemOf(exchange)).toMatchObject({ status: 503, code: 'unavailable' });
    expect(exchange.response.headers.get('retry-after')).toBe('10');
    expect([await ask(first.token('warm')), await ask(first.token('new'))]).toEqual(['continue', 'continue']);
    clock.advance(KEYS_USABLE_MS);
    expect([await ask(first.token('warm')), await ask(first.token('new'))]).toEqual(['failed', 'failed']);
  });

  it('may be gone from the beginning: the request fails, and passes when it is back', async () => {
    await using server = await startKeyServer(first.jwk);
    const { clock, ask } = benchOf(server);
    server.answerWith((res) => res.writeHead(500).end());
    expect([await ask(first.token('u1')), await ask(first.token('u1'))]).toEqual(['failed', 'failed']);
    server.answerWith(undefined);
    clock.advance(FETCH_PAUSE_MS);
    expect(await ask(first.token('u1'))).toBe('continue');
  });

  it('is not asked for what is no token of its own at first sight', async () => {
    await using server = await startKeyServer(first.jwk);
    const { ask } = benchOf(server);
    const old = makeToken({ alg: 'ES256', kid: 'first' }, { exp: 1 }, makeKey('p256').privateKey, 'ES256');
    expect([await ask('junk'), await ask('a.b.c'), await ask(old), server.requests.length]).toEqual([401, 401, 401, 0]);
  });
});

describe('an instance that goes', () => {
  it('waits for its issuer no longer', async () => {
    await using server = await startKeyServer(first.jwk);
    server.answerWith(() => {});
    const compiled = oidc.plugin.compile({ public_key: server.url });
    if (!compiled.ok) throw new Error('the config is good');
    const warnings: string[] = [];
    const hooks = compiled.setup({
      clock: new FakeClock(),
      random: () => 0,
      newId: () => 'id',
      log: { debug() {}, warn: (message) => warnings.push(message), error() {} },
      outbound: localOutbound,
      secrets: noSecrets,
      sharedStore: noSharedStore,
      ...absentPorts,
      instance: { id: 'i1', name: 'oidc', tenantId: 't1' },
    });
    const waiting = hooks.request?.(exchangeOf({ headers: ['authorization', `Bearer ${first.token('u1')}`] }), ALONE);
    await eventually(() => server.requests.length === 1);
    await hooks.dispose?.();
    await expect(waiting).rejects.toMatchObject({ code: 'keys_unavailable' });
    // A fetch that ran into its time-out instead would have been told to the operator.
    expect(warnings).toEqual([]);
  });
});

const { privateKey: strangers } = makeKey('p256');

function signed(kid: string): string {
  return makeToken({ alg: 'ES256', kid }, { sub: 'u1', exp: EXP }, strangers, 'ES256');
}
