import type { LogDetails } from '@portcullis/plugin-runtime';
import { describe, expect, it } from 'vitest';
import { FAILURES_MAX } from '../shared/failure-budget.ts';
import { PluginBench, exchangeOf, problemOf } from '../testing/plugin-bench.ts';
import { fitsHash } from './argon2-hash.ts';
import { PASSWORD_LENGTH_MAX, USERNAME_LENGTH_MAX } from './config.ts';
import { acme, basicHeader, cheapHash, credentialOf, directoryOf } from './credentials.test-support.ts';
import { basicAuth, basicAuthOver } from './index.ts';
import { PasswordChecks, WAITING_PER_USERNAME_MAX } from './password-checks.ts';

const hashOfSesame = cheapHash('sesame');
const consumers = directoryOf({ jo: credentialOf(hashOfSesame) });
const allowed_users = [
  { username: 'ops', password: 'of the operators' },
  { username: 'ops', password: 'the next: with a colon' },
  { username: 'known', password: 'p', consumer: 'acme' },
  { username: 'other', password: 'p', consumer: 'nobody-here' },
  { username: 'gone', password: 'p', consumer: 'gone' },
  { username: 'jürgen', password: 'grün 🦊' },
];

/** The plugin with a way to the hash of its own, which counts. */
function countedBench(config: object = { allowed_users: [] }) {
  let hashes = 0;
  const checks = new PasswordChecks((password, hash) => {
    hashes += 1;
    return fitsHash(password, hash);
  });
  const bench = new PluginBench(basicAuthOver(checks), config);
  return { bench, hashes: () => hashes };
}

describe('basic_auth', () => {
  it.each([
    ['no header', []],
    ['another scheme', ['Authorization', 'Bearer abc']],
    ['a header that cannot be read', ['Authorization', 'Basic abc']],
    ['two headers', [...basicHeader('ops', 'of the operators'), ...basicHeader('ops', 'of the operators')]],
    ['an unknown name', basicHeader('guess', 'of the operators')],
    ['a wrong password', basicHeader('ops', 'guess')],
    ['the password of another user', basicHeader('known', 'of the operators')],
    ['a part of a password', basicHeader('ops', 'of the operator')],
    ['no password', basicHeader('ops', '')],
    ['a credential with a wrong password', basicHeader('jo', 'guess')],
    ['a credential with its hash as the password', basicHeader('jo', hashOfSesame)],
    ['an empty name', basicHeader('', 'sesame')],
    ['an entry whose consumer is disabled', basicHeader('gone', 'p')],
  ])('refuses %s with 401, a challenge and the same words', async (_name, headers) => {
    const { bench } = countedBench({ allowed_users });
    const { result, exchange } = await bench.request({ headers, consumers });
    expect([result, exchange.response.status]).toEqual(['respond', 401]);
    expect(exchange.response.headers.get('www-authenticate')).toBe('Basic realm="api", charset="UTF-8"');
    expect(exchange.response.headers.get('content-type')).toBe('application/problem+json');
    expect(problemOf(exchange)).toMatchObject({
      ...{ status: 401, code: 'unauthenticated', request_id: 'r1' },
      detail: 'a valid user name and password are required in Authorization',
    });
  });

  it.each([
    ['a user identifies nobody', 'ops', 'of the operators', undefined],
    ['a user may have two passwords', 'ops', 'the next: with a colon', undefined],
    ['an entry identifies the consumer that it names', 'known', 'p', acme],
    ['an entry whose consumer is not there identifies by name', 'other', 'p', { id: 'nobody-here', groups: [] }],
    ['any script will do', 'jürgen', 'grün 🦊', undefined],
    ['a credential identifies its consumer', 'jo', 'sesame', acme],
  ])('lets a known user pass: %s', async (_name, username, password, consumer) => {
    const { bench } = countedBench({ allowed_users });
    const headers = basicHeader(username, password);
    const { result, exchange } = await bench.request({ headers, consumers });
    expect([result, exchange.consumer]).toEqual(['continue', consumer]);
    expect(exchange.request.headers.get('authorization')).toBe(headers[1]);
  });

  it.each<[string, readonly string[]]>([
    ['no_credentials', []],
    ['several_credentials', [...basicHeader('ops', 'p'), ...basicHeader('ops', 'p')]],
    ['malformed_credentials', ['Authorization', 'Basic abc']],
    ['unknown_user', basicHeader('nobody', 'p')],
    ['wrong_password', basicHeader('jo', 'guess')],
    ['wrong_password', basicHeader('ops', 'guess')],
    ['credential_expired', basicHeader('old', 'sesame')],
    ['consumer_disabled', basicHeader('gone', 'p')],
  ])('tells the operator who asks for it why a request is refused: %s', async (reason, headers) => {
    const lines: unknown[] = [];
    const log = { debug: (...line: unknown[]) => void lines.push(line), warn: () => undefined, error: () => undefined };
    const bench = new PluginBench(basicAuthOver(new PasswordChecks(fitsHash)), { allowed_users }, { log });
    const known = directoryOf({
      jo: credentialOf(hashOfSesame),
      old: credentialOf(hashOfSesame, bench.clock.nowMs()),
    });
    await bench.request({ headers, consumers: known });
    const details = expect.objectContaining({ reason, request_id: 'r1', plugin: 'basic_auth' }) as unknown;
    expect(lines).toEqual([['refused a request', details]]);
    expect(JSON.stringify(lines)).not.toMatch(/sesame|guess|nobody/);
  });

  it('tells the operator, too, whether too many wait or too many were wrong', async () => {
    const reasons: unknown[] = [];
    const debug = (_message: string, details: LogDetails = {}) => void reasons.push(details['reason']);
    const log = { debug, warn: () => undefined, error: () => undefined };
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const bench = new PluginBench(basicAuthOver(new PasswordChecks(() => promise)), { allowed_users: [] }, { log });
    const guess = (number: number) => bench.request({ headers: basicHeader('jo', `guess ${number}`), consumers });
    const waiting = Array.from({ length: WAITING_PER_USERNAME_MAX }, (_, number) => guess(number));
    await guess(FAILURES_MAX);
    expect(reasons).toEqual(['busy']);
    resolve(false);
    await Promise.all(waiting);
    for (let failed = WAITING_PER_USERNAME_MAX; failed <= FAILURES_MAX; failed += 1) await guess(failed);
    expect(reasons.slice(1)).toEqual([
      ...Array.from({ length: FAILURES_MAX }, () => 'wrong_password'),
      'too_many_failures',
    ]);
  });

  it('hashes no password of configured users, and each of a credential once', async () => {
    const { bench, hashes } = countedBench({ allowed_users });
    await bench.request({ headers: basicHeader('ops', 'of the operators'), consumers });
    expect(hashes()).toBe(0);
    for (let request = 0; request < 3; request += 1) {
      const { exchange } = await bench.request({ headers: basicHeader('jo', 'sesame'), consumers });
      expect([exchange.consumer, hashes()]).toEqual([acme, 1]);
    }
  });

  it('answers at once, without a promise, for a password that is known', async () => {
    const { bench } = countedBench();
    const headers = basicHeader('jo', 'sesame');
    await bench.request({ headers, consumers });
    const again = bench.chain.runRequest(exchangeOf({ headers, consumers }));
    expect(again).toBe('continue');
  });

  it('hashes a name that nobody has, and an expired credential, like any other', async () => {
    const { bench, hashes } = countedBench();
    const expired = directoryOf({ old: credentialOf(hashOfSesame, bench.clock.nowMs()) });
    await bench.request({ headers: basicHeader('nobody', 'sesame'), consumers });
    await bench.request({ headers: basicHeader('old', 'sesame'), consumers: expired });
    expect(hashes()).toBe(2);
  });

  it('knows no password that was wrong', async () => {
    const { bench, hashes } = countedBench();
    for (const attempt of [1, 2, 3]) {
      const { result } = await bench.request({ headers: basicHeader('jo', 'guess'), consumers });
      expect([result, hashes()]).toEqual(['respond', attempt]);
    }
  });

  it.each([
    ['whose password was changed', directoryOf({ jo: credentialOf(cheapHash('changed')) })],
    ['that was disabled', directoryOf({})],
  ])('refuses at once a credential %s, though the password was known', async (_name, changed) => {
    const { bench } = countedBench();
    const headers = basicHeader('jo', 'sesame');
    expect((await bench.request({ headers, consumers })).result).toBe('continue');
    expect((await bench.request({ headers, consumers: changed })).result).toBe('respond');
  });

  it('tells the consumer as it is now, though the password was known before', async () => {
    const { bench, hashes } = countedBench();
    const headers = basicHeader('jo', 'sesame');
    await bench.request({ headers, consumers });
    const consumer = { ...acme, groups: ['silver'] };
    const moved = directoryOf({ jo: { passwordHash: hashOfSesame, match: { consumer } } });
    expect((await bench.request({ headers, consumers: moved })).exchange.consumer).toEqual(consumer);
    expect(hashes()).toBe(1);
  });

  it('refuses a credential from the millisecond in which it expires, known or not', async () => {
    const { bench } = countedBench();
    const short = directoryOf({ jo: credentialOf(hashOfSesame, bench.clock.nowMs() + 60_000) });
    const ask = async () => (await bench.request({ headers: basicHeader('jo', 'sesame'), consumers: short })).result;
    expect(await ask()).toBe('continue');
    bench.clock.advance(59_999);
    expect(await ask()).toBe('continue');
    bench.clock.advance(1);
    expect(await ask()).toBe('respond');
  });

  it('fails, and lets nobody in, when the hash cannot be computed', async () => {
    const broken = new PasswordChecks(() => Promise.reject(new Error('no memory')));
    const bench = new PluginBench(basicAuthOver(broken), { allowed_users: [] });
    expect((await bench.request({ headers: basicHeader('jo', 'sesame'), consumers })).result).toBe('failed');
  });

  it.each([
    ['no users', {}, ''],
    ['no list', { allowed_users: {} }, '/allowed_users'],
    ['a text', { allowed_users: ['ops:p'] }, '/allowed_users/0'],
    ['a user without a name', { allowed_users: [{ password: 'p' }] }, '/allowed_users/0/username'],
    ['a user without a password', { allowed_users: [{ username: 'u' }] }, '/allowed_users/0/password'],
    ['an empty name', { allowed_users: [{ username: '', password: 'p' }] }, '/allowed_users/0/username'],
    ['an empty password', { allowed_users: [{ username: 'u', password: '' }] }, '/allowed_users/0/password'],
    ['a colon', { allowed_users: [{ username: 'u:v', password: 'p' }] }, '/allowed_users/0/username'],
    ['a line feed', { allowed_users: [{ username: 'u', password: 'p\n' }] }, '/allowed_users/0/password'],
    [
      'a long name',
      { allowed_users: [{ username: 'u'.repeat(USERNAME_LENGTH_MAX + 1), password: 'p' }] },
      '/allowed_users/0/username',
    ],
    [
      'a long password',
      { allowed_users: [{ username: 'u', password: 'p'.repeat(PASSWORD_LENGTH_MAX + 1) }] },
      '/allowed_users/0/password',
    ],
    [
      'no name of a consumer',
      { allowed_users: [{ username: 'u', password: 'p', consumer: '' }] },
      '/allowed_users/0/consumer',
    ],
    ['an unknown field', { allowed_users: [{ username: 'u', password: 'p', realm: 'r' }] }, '/allowed_users/0/realm'],
    ['a field that it does not have', { allowed_users: [], hide_credentials: true }, '/hide_credentials'],
  ])('refuses a config with %s', (_name, config, pointer) => {
    const compiled = basicAuth.plugin.compile(config);
    const issues = compiled.ok ? [] : compiled.issues;
    expect(issues.map((issue) => issue.pointer).some((at) => at.startsWith(pointer))).toBe(true);
  });
});
