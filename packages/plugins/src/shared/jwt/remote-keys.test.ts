import { createEgress } from '@portcullis/egress';
import { noOutbound, type Outbound } from '@portcullis/plugin-runtime';
import { eventually, FakeClock } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { localOutbound, startKeyServer } from '../../testing/key-server.ts';
import { makeKey } from '../../testing/tokens.ts';
import {
  FETCH_PAUSE_MS,
  FETCH_TIMEOUT_MS,
  KEY_SET_BYTES_MAX,
  KEYS_FRESH_MS,
  KEYS_USABLE_MS,
  RemoteKeys,
  WAITING_MAX,
} from './remote-keys.ts';

const first = { ...makeKey('p256').jwk, kid: 'first' };
const second = { ...makeKey('p256').jwk, kid: 'second' };

function keysAt(url: string, outbound: Outbound = localOutbound) {
  const clock = new FakeClock();
  const reasons: unknown[] = [];
  const log = {
    debug: () => {},
    warn: (_message: string, details?: Readonly<Record<string, unknown>>) =>
      reasons.push(details?.['reason']) && expect(details?.['host']).toBe(new URL(url).host),
    error: () => {},
  };
  return { keys: new RemoteKeys(url, { clock, log, outbound }), clock, reasons };
}

const kidsOf = (ring: { keys: Iterable<{ kid: string | undefined }> } | undefined) =>
  ring && Array.from(ring.keys, ({ kid }) => kid);

describe('keys behind an address', () => {
  it('are fetched once for all who wait, and by name of the form', async () => {
    await using server = await startKeyServer(first);
    const { keys } = keysAt(server.url);
    expect(keys.current()).toBeUndefined();
    const rings = await Promise.all(Array.from({ length: 50 }, () => keys.loaded()));
    expect(new Set(rings)).toEqual(new Set([keys.current()]));
    expect(server.requests.map(({ headers }) => headers.accept)).toEqual([
      'application/jwk-set+json, application/json',
    ]);
  });

  it('come anew in the background when they are old, and keep serving meanwhile', async () => {
    await using server = await startKeyServer(first);
    const { keys, clock } = keysAt(server.url);
    const ring = await keys.loaded();
    server.publish(first, second);
    clock.advance(KEYS_FRESH_MS - 1);
    expect([keys.current(), server.requests.length]).toEqual([ring, 1]);
    clock.advance(1);
    expect(keys.current()).toBe(ring);
    const renewed = await eventually(() => keys.current() !== ring && keys.current());
    expect(kidsOf(renewed)).toEqual(['first', 'second']);
    expect([...ring.keys].every((key) => renewed.has(key))).toBe(true);
    expect(server.requests).toHaveLength(2);
  });

  it('come anew at once for a token that names a new one', async () => {
    await using server = await startKeyServer(first);
    const { keys, clock } = keysAt(server.url);
    const ring = await keys.loaded();
    server.publish(second);
    clock.advance(FETCH_PAUSE_MS);
    const renewals = await Promise.all(Array.from({ length: WAITING_MAX }, async () => await keys.renewed(ring)));
    expect(renewals).toEqual(renewals.map(() => ({ ring: keys.current() })));
    expect([kidsOf(keys.current()), server.requests.length]).toEqual([['second'], 2]);
    // Who looked in the old ring has no need of a third fetch.
    expect(await keys.renewed(ring)).toEqual({ ring: keys.current() });
  });

  it('are not fetched for invented names more often than the pause allows', async () => {
    await using server = await startKeyServer(first);
    const { keys, clock } = keysAt(server.url);
    const ring = await keys.loaded();
    for (let index = 0; index < 1000; index += 1) expect(await keys.renewed(ring)).toBe('current');
    expect(server.requests).toHaveLength(1);
    clock.advance(FETCH_PAUSE_MS);
    await keys.renewed(ring);
    for (let index = 0; index < 1000; index += 1) await keys.renewed(keys.current() ?? ring);
    expect(server.requests).toHaveLength(2);
  });

  it('let few wait for an issuer that hangs, so that others go on', async () => {
    await using server = await startKeyServer(first);
    const { keys, clock } = keysAt(server.url);
    const ring = await keys.loaded();
    const release = Promise.withResolvers<void>();
    server.answerWith((res) => void release.promise.then(() => res.end(JSON.stringify({ keys: [first, second] }))));
    clock.advance(FETCH_PAUSE_MS);
    const waiting = Array.from({ length: WAITING_MAX }, async () => await keys.renewed(ring));
    expect(await keys.renewed(ring)).toBe('unknown');
    expect(keys.current()).toBe(ring);
    release.resolve();
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => ({ ring: keys.current() })));
  });

  it('serve on while the issuer is gone, for an hour and no longer, and return with it', async () => {
    const server = await startKeyServer(first);
    const { keys, clock, reasons } = keysAt(server.url);
    const ring = await keys.loaded();
    await server.close();
    clock.advance(KEYS_FRESH_MS);
    expect(keys.current()).toBe(ring);
    await eventually(() => reasons.length === 1);
    expect(await keys.renewed(ring)).toBe('unknown');
    clock.advance(KEYS_USABLE_MS - KEYS_FRESH_MS - 1);
    expect(keys.current()).toBe(ring);
    clock.advance(1);
    expect(keys.current()).toBeUndefined();
    await expect(keys.loaded()).rejects.toMatchObject({ code: 'keys_unavailable' });
    expect(new Set(reasons)).toEqual(new Set(['unreachable']));
  });

  it('do not ask an issuer that failed before the pause is over, then do', async () => {
    await using server = await startKeyServer(first);
    const { keys, clock } = keysAt(server.url);
    server.answerWith((res) => res.writeHead(500).end());
    for (let index = 0; index < 5; index += 1) {
      await expect(keys.loaded()).rejects.toMatchObject({ code: 'keys_unavailable' });
    }
    expect(server.requests).toHaveLength(1);
    server.answerWith(undefined);
    clock.advance(FETCH_PAUSE_MS);
    expect(kidsOf(await keys.loaded())).toEqual(['first']);
  });
});

describe('an issuer that answers wrongly', () => {
  const json = (value: unknown) => JSON.stringify(value);

  it.each<[string, number, string, string]>([
    ['not found', 404, json({ keys: [first] }), 'status 404'],
    ['an error', 503, '', 'status 503'],
    ['a page', 200, '<html>', 'the answer is no JSON'],
    ['nothing', 200, '', 'the answer is no JSON'],
    ['a single key', 200, json(first), 'the answer is no JWK set'],
    ['a list', 200, json([first]), 'the answer is no JWK set'],
    ['no keys', 200, json({ keys: [] }), 'holds no public key that can be read'],
    [
      'a shared secret',
      200,
      json({ keys: [first, { kty: 'oct', k: 'c2VjcmV0' }] }),
      'holds a private or shared key: give public keys only',
    ],
    ['too many keys', 200, json({ keys: Array.from({ length: 101 }, () => first) }), 'must have at most 100 keys'],
    ['too much', 200, json({ keys: [first], more: 'a'.repeat(KEY_SET_BYTES_MAX) }), 'too_large'],
  ])('gives no keys: %s', async (_name, status, body, reason) => {
    await using server = await startKeyServer();
    server.answerWith((res) => res.writeHead(status).end(body));
    const { keys, reasons } = keysAt(server.url);
    const host = new URL(server.url).host;
    await expect(keys.loaded()).rejects.toThrow(`the keys of the issuer at ${host} could not be fetched: ${reason}`);
    expect([reasons, server.requests.length]).toEqual([[reason], 1]);
  });

  it('gives no keys by a redirect, and nobody is asked elsewhere', async () => {
    await using elsewhere = await startKeyServer(first);
    await using server = await startKeyServer();
    server.answerWith((res) => res.writeHead(302, { location: elsewhere.url }).end());
    const { keys, reasons } = keysAt(server.url);
    await expect(keys.loaded()).rejects.toThrow('could not be fetched');
    expect([reasons, elsewhere.connections()]).toEqual([['status 302'], 0]);
  });

  it('gives no keys when it is slow', async () => {
    await using server = await startKeyServer();
    server.answerWith(() => {});
    const limits: unknown[] = [];
    const impatient: Outbound = {
      request: (request) => {
        limits.push(request.timeoutMs);
        return localOutbound.request({ ...request, timeoutMs: 50 });
      },
      open: noOutbound.open,
      resolve: localOutbound.resolve,
    };
    const { keys, reasons } = keysAt(server.url, impatient);
    await expect(keys.loaded()).rejects.toThrow('could not be fetched');
    expect([reasons, limits]).toEqual([['timeout'], [FETCH_TIMEOUT_MS]]);
  });

  it('is not called at all where the operator does not allow its address', async () => {
    await using server = await startKeyServer(first);
    const outbound = createEgress();
    const { keys, reasons } = keysAt(server.url, outbound);
    await expect(keys.loaded()).rejects.toThrow('could not be fetched');
    expect([reasons, server.connections()]).toEqual([['refused'], 0]);
    await outbound.close();
  });

  it('is called with TLS, or where the operator lists its address', async () => {
    const asked: unknown[] = [];
    const outbound: Outbound = {
      request: (request) => {
        asked.push(request.requiresTls, request.redirectsMax);
        return Promise.reject(new Error('no answer'));
      },
      open: noOutbound.open,
      resolve: () => Promise.reject(new Error('no address')),
    };
    await expect(keysAt('http://issuer.test/', outbound).keys.loaded()).rejects.toThrow('could not be fetched');
    expect(asked).toEqual([true, undefined]);
  });

  it('is let go when the plugin goes', async () => {
    await using server = await startKeyServer(first);
    server.answerWith(() => {});
    const { keys, reasons } = keysAt(server.url);
    const loading = keys.loaded();
    await eventually(() => server.requests.length === 1);
    keys.close();
    await expect(loading).rejects.toMatchObject({ code: 'keys_unavailable' });
    expect(reasons).toEqual([]);
  });
});
