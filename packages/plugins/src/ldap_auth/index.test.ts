import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { hasSlapd, eventually, startSlapd, type Slapd } from '@portcullis/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FAILURES_MAX } from '../shared/failure-budget.ts';
import { WAITING_PER_SITE_MAX } from '../shared/waiting-room.ts';
import { problemOf } from '../testing/plugin-bench.ts';
import { ask, basic, consumers, jane, ldapBench, statusOf } from './ldap-bench.test-support.ts';
import { REFUSED_MS } from './refused-binds.ts';
import { VERIFIED_MS } from './verified-binds.ts';

/** Names that a careless template would take apart. */
const ODD_NAMES = [
  'a,ou=x',
  'a+b=c',
  String.raw`back\slash`,
  'quo"te',
  'jürgen',
  '#hash',
  ' edge ',
  '<;=>',
  '日本',
  '{username}',
];

const MARKER = /BIND dn="cn=marker" method=128/;
const BINDS = /BIND dn="(?!cn=marker).* method=128/;

describe.skipIf(!hasSlapd)('ldap_auth with a directory (needs slapd)', () => {
  let slapd: Slapd;
  // Of the whole process, in which other files of tests run afterwards.
  const trusted = getCACertificates('default');
  const template = (): string => `uid={username},${slapd.usersDn}`;
  const config = (more: object = {}) => ({
    server_url: `ldaps://ldap.test:${slapd.tlsPort}`,
    user_dn_template: template(),
    ...more,
  });
  /** Waits until the server's log has all that was done: it is written in order, and a marker stands behind it. */
  const settled = async (): Promise<void> => {
    const marks = slapd.logged(MARKER);
    await ask(ldapBench({ server_url: slapd.url.replace('127.0.0.1', 'ldap.test'), use_ssl: false }), 'cn=marker', 'x');
    await eventually(() => slapd.logged(MARKER) > marks);
  };
  const count = async (work: () => Promise<unknown>, pattern = BINDS): Promise<number> => {
    await settled();
    const before = slapd.logged(pattern);
    await work();
    await settled();
    return slapd.logged(pattern) - before;
  };

  beforeAll(async () => {
    slapd = await startSlapd([
      {
        uid: 'jane',
        password: 'right: pässwörd',
        attributes: { mail: ['jane@a.test', 'j@b.test'], title: 'Übersetzerin' },
      },
      ...ODD_NAMES.map((uid) => ({ uid, password: `of ${uid}` })),
    ]);
    setDefaultCACertificates([...trusted, slapd.caPem]);
  });
  afterAll(async () => {
    setDefaultCACertificates(trusted);
    await slapd[Symbol.asyncDispose]();
  });

  it('lets the right password pass as the consumer of that name, over TLS and over StartTLS', async () => {
    const tls = await ldapBench(config()).request({ headers: basic('jane', 'right: pässwörd'), consumers });
    expect([statusOf(tls), tls.exchange.consumer]).toEqual([200, jane]);
    const starting = config({ server_url: `ldap://ldap.test:${slapd.port}` });
    expect(await count(() => ask(ldapBench(starting), 'jane', 'right: pässwörd'), /TLS established/)).toBe(1);
    expect(await ask(ldapBench(starting), 'jane', 'right: pässwörd')).toBe(200);
  });

  it.each([
    ['a wrong password', 'jane', 'wrong'],
    ['nobody of that name', 'nobody', 'right: pässwörd'],
    ['a name that adds to the template', 'jane,ou=people', 'right: pässwörd'],
    ['a name with a pattern', '*', 'right: pässwörd'],
    ['a name with a pattern at its end', 'jan*', 'right: pässwörd'],
    ['a filter for a name', '*)(uid=*))(|(uid=*', 'right: pässwörd'],
    ['the longest name', 'x'.repeat(256), 'right: pässwörd'],
    ['the password in other case', 'jane', 'Right: pässwörd'],
  ])('refuses %s with 401 after asking', async (_name, username, password) => {
    const bench = ldapBench(config());
    expect(await count(async () => expect(await ask(bench, username, password)).toBe(401))).toBe(1);
  });

  it.each([
    ['an empty password', 'jane', ''],
    ['an empty name and password', '', ''],
    ['an empty name', '', 'right: pässwörd'],
    ['a name of spaces', '  ', 'right: pässwörd'],
    ['NUL in the name', 'jane\0', 'right: pässwörd'],
    ['NUL for a password', 'jane', '\0'],
    ['a line break in the password', 'jane', 'right\n'],
    ['a character that is not seen', 'ja\u00adne', 'right: pässwörd'],
    ['a name too long', 'x'.repeat(257), 'right: pässwörd'],
    ['a header too long', 'jane', 'x'.repeat(10_000)],
  ])('refuses %s with 401 without asking', async (_name, username, password) => {
    const bench = ldapBench(config());
    expect(await count(async () => expect(await ask(bench, username, password)).toBe(401))).toBe(0);
  });

  it.each(ODD_NAMES)('finds the user %j, and no other', async (uid) => {
    const bench = ldapBench(config());
    expect(await ask(bench, uid, `of ${uid}`)).toBe(200);
    expect(await ask(bench, 'jane', `of ${uid}`)).toBe(401);
  });

  it('takes all spellings of a name for one consumer', async () => {
    for (const name of ['JANE', ' jane  ', 'Jane', 'ｊａｎｅ']) {
      const ran = await ldapBench(config()).request({ headers: basic(name, 'right: pässwörd'), consumers });
      expect([statusOf(ran), ran.exchange.consumer]).toEqual([200, jane]);
    }
    const disabled = { ...consumers, findConsumer: () => 'disabled' as const };
    const refused = await ldapBench(config()).request({
      headers: basic('jane', 'right: pässwörd'),
      consumers: disabled,
    });
    expect(statusOf(refused)).toBe(401);
    const unknown = await ldapBench(config()).request({ headers: basic('A,OU=X', 'of a,ou=x'), consumers });
    expect(unknown.exchange.consumer).toEqual({ id: 'a,ou=x', groups: [] });
  });

  it('takes the scheme LDAP, and another header', async () => {
    const bench = ldapBench(config({ header_name: 'X-User', hide_credentials: true }));
    const [, value = ''] = basic('jane', 'right: pässwörd', 'LDAP');
    const ran = await bench.request({ headers: ['x-user', value, 'Authorization', 'Bearer b'], consumers });
    expect([statusOf(ran), ran.exchange.request.headers.toPairs()]).toEqual([200, ['Authorization', 'Bearer b']]);
    const twice = await bench.request({ headers: ['x-user', value, 'x-user', value] });
    expect([statusOf(twice), twice.exchange.response.headers.get('www-authenticate')]).toEqual([
      401,
      'Basic realm="api", header="X-User", charset="UTF-8"',
    ]);
  });

  it('tells the upstream what the directory says of the user, and never what the client says', async () => {
    const claims = {
      'X-User': 'username',
      'X-Dn': 'dn',
      'X-Mail': 'MAIL',
      'X-Title': 'title',
      'X-None': 'telephoneNumber',
    };
    const own = ['X-Mail', 'forged@a.test', 'x-none', '1', 'X-Title', 'Boss', 'x-user', 'root', 'X-DN', 'cn=root'];
    const headers = [...own, ...basic('Jane', 'right: pässwörd')];
    const bench = ldapBench(config({ upstream_headers: claims, hide_credentials: true }));
    for (const ran of [await bench.request({ headers }), await bench.request({ headers })]) {
      const sent = ran.exchange.request.headers.toPairs();
      expect(
        Object.fromEntries(sent.flatMap((text, at) => (at % 2 === 0 ? [[text.toLowerCase(), sent[at + 1]]] : []))),
      ).toEqual({
        'x-user': 'jane',
        'x-dn': `uid=jane,${slapd.usersDn}`,
        'x-mail': 'jane@a.test, j@b.test',
      });
    }
  });

  it('refuses a certificate of an authority that is not trusted, or for another name; no password leaves', async () => {
    const otherName = config({ server_url: `ldaps://other.test:${slapd.tlsPort}` });
    const address = config({ server_url: `ldap://127.0.0.1:${slapd.port}` });
    expect(await count(() => ask(ldapBench(otherName), 'jane', 'right: pässwörd'))).toBe(0);
    expect(await ask(ldapBench(otherName), 'jane', 'right: pässwörd')).toBe(503);
    expect(await ask(ldapBench(address), 'jane', 'right: pässwörd')).toBe(503);
    const withSlapd = getCACertificates('default');
    setDefaultCACertificates(getCACertificates('bundled'));
    expect(await count(async () => expect(await ask(ldapBench(config()), 'jane', 'right: pässwörd')).toBe(503))).toBe(
      0,
    );
    setDefaultCACertificates(withSlapd);
    expect(await ask(ldapBench(config()), 'jane', 'right: pässwörd')).toBe(200);
  });

  it('asks again after its time, and not before', async () => {
    const bench = ldapBench(config());
    const right = () => ask(bench, 'jane', 'right: pässwörd');
    const wrong = () => ask(bench, 'jane', 'wrong');
    const asked = (ms: number, ...work: (() => Promise<number>)[]) =>
      count(async () => {
        bench.clock.advance(ms);
        for (const one of work) await one();
      });
    expect(await asked(0, right, right, wrong, wrong)).toBe(2);
    expect(await asked(REFUSED_MS - 1, right, wrong)).toBe(0);
    expect(await asked(1, right, wrong)).toBe(1);
    expect(await asked(VERIFIED_MS - REFUSED_MS, right)).toBe(1);
  });

  it('asks a bounded number of times for a network that guesses, and locks nobody out', async () => {
    const bench = ldapBench(config());
    const stranger = '203.0.113.9';
    const guesses = Array.from({ length: FAILURES_MAX + 20 }, (_, index) => `guess ${index}`);
    const statuses = async () => {
      const all: number[] = [];
      for (const password of guesses) all.push(await ask(bench, 'JANE', password, stranger));
      return Map.groupBy(all, (status) => status);
    };
    expect(await ask(bench, '#hash', 'of #hash', stranger)).toBe(200);
    expect(
      await count(async () => {
        const found = await statuses();
        expect([found.get(401)?.length, found.get(429)?.length]).toEqual([FAILURES_MAX, 20]);
      }),
    ).toBe(FAILURES_MAX);
    expect(await ask(bench, 'jane', 'right: pässwörd')).toBe(200);
    expect(await ask(bench, 'jane', 'right: pässwörd ', stranger)).toBe(429);
    bench.clock.advance(VERIFIED_MS);
    await statuses();
    // Who was accepted lately is asked about, also beside a stranger in the same network.
    expect(await ask(bench, '#hash', 'of #hash', stranger)).toBe(200);
  });

  it('asks once for requests that come together, and leaves no connection open', async () => {
    const bench = ldapBench(config());
    const together = () =>
      Promise.all(Array.from({ length: WAITING_PER_SITE_MAX }, () => ask(bench, 'jane', 'right: pässwörd')));
    expect(
      await count(async () =>
        expect(await together()).toEqual(Array.from({ length: WAITING_PER_SITE_MAX }, () => 200)),
      ),
    ).toBe(1);
    await eventually(() => slapd.logged(/ closed/) === slapd.logged(/ ACCEPT /));
  });

  it('says what is missing, and no word of what was sent', async () => {
    const { exchange } = await ldapBench(config()).request({ headers: basic('jane', 'guess-1') });
    expect(exchange.response.headers.get('www-authenticate')).toBe('Basic realm="api", charset="UTF-8"');
    expect(problemOf(exchange)).toMatchObject({ status: 401, code: 'unauthenticated' });
    expect(JSON.stringify(problemOf(exchange))).not.toMatch(/jane|guess|ldap\.test/);
    expect(statusOf(await ldapBench(config()).request({ headers: ['Authorization', 'Bearer x'] }))).toBe(401);
    expect(statusOf(await ldapBench(config()).request())).toBe(401);
  });
});
