import type { ConsumerDirectory } from '@portcullis/plugin-runtime';
import { eventually } from '@portcullis/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  answer,
  startIntrospectionServer,
  tokenOf,
  type IntrospectionServer,
} from '../testing/introspection-server.ts';
import { localOutbound } from '../testing/key-server.ts';
import { exchangeOf, PluginBench } from '../testing/plugin-bench.ts';
import { oauth2 } from './index.ts';
import { ACTIVE_MS_MAX, INACTIVE_MS_MAX } from './token-memory.ts';

/** Seconds since 1970 at which the bench's clock begins. */
const START = Date.UTC(2026, 0, 1) / 1000;

const app = { id: 'c1', username: 'app', groups: ['gold'] };
const consumers: ConsumerDirectory = {
  ...exchangeOf({}).consumers,
  findConsumer: (reference) => ({ app, gone: 'disabled' as const })[reference],
};

let server: IntrospectionServer;
beforeEach(async () => {
  server = await startIntrospectionServer();
});
afterEach(() => server.close());

function benchWith(more: object = {}): PluginBench {
  return new PluginBench(
    oauth2,
    { introspection_url: server.url, timeout_seconds: 30, ...more },
    { outbound: localOutbound },
  );
}

const bearing = (token: string) => ({ headers: ['authorization', `Bearer ${token}`], consumers });
const resultOf = async (bench: PluginBench, token: string) => (await bench.request(bearing(token))).result;

describe('oauth2 with introspection', () => {
  it('asks as RFC 7662 and RFC 6749 say, and lets an active token pass', async () => {
    server.say('a+b/c=', { active: true });
    const bench = benchWith({ client_id: 'gate way', client_secret: 'p:ä&' });
    const { result, exchange } = await bench.request(bearing('a+b/c='));
    expect([result, exchange.consumer]).toEqual(['continue', undefined]);
    const [{ method, headers, body } = expect.fail('nobody asked')] = server.requests;
    expect([method, headers['accept'], headers['content-type']]).toEqual([
      'POST',
      'application/json',
      'application/x-www-form-urlencoded',
    ]);
    expect(Buffer.from(headers.authorization?.slice(6) ?? '', 'base64').toString()).toBe('gate+way:p%3A%C3%A4%26');
    expect(body.toString()).toBe('token=a%2Bb%2Fc%3D&token_type_hint=access_token');
  });

  it('tells nobody who it is without client_id', async () => {
    await benchWith().request(bearing('t'));
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
  });

  it('refuses a token that is not active, without a word why', async () => {
    const { result, exchange } = await benchWith().request(bearing('unknown'));
    expect([result, exchange.response.status]).toEqual(['respond', 401]);
    expect(exchange.response.headers.get('www-authenticate')).toBe('Bearer realm="api", error="invalid_token"');
  });

  it('does not ask about what is no token, nor about configured tokens', async () => {
    const bench = benchWith({ valid_tokens: ['plain'] });
    expect(await resultOf(bench, 'plain')).toBe('continue');
    expect((await bench.request({ headers: [] })).result).toBe('respond');
    expect(await resultOf(bench, 'a b')).toBe('respond');
    expect(server.requests).toEqual([]);
  });

  it.each([
    ['the user, where the tenant has it', { sub: 'app', client_id: 'x' }, app],
    ['else the application', { sub: 'user-1', client_id: 'app' }, app],
    ['else the user by name', { sub: 'user-1', client_id: 'x' }, { id: 'user-1', groups: [] }],
    ['nobody by a user name, which users choose', { username: 'app' }, undefined],
    ['nobody by what is no text', { sub: 1, client_id: ['app'] }, undefined],
  ])('identifies %s', async (_name, claims, consumer) => {
    server.say('t', { active: true, ...claims });
    expect((await benchWith().request(bearing('t'))).exchange.consumer).toEqual(consumer);
  });

  it('asks for scopes and sends claims, of a token asked about and of one seen again', async () => {
    server.say('t', { active: true, scope: 'read write', ext: { team: 'blue' } });
    const more = {
      required_scopes: ['write'],
      upstream_headers: { 'X-Team': 'ext.team', 'X-Mail': 'mail' },
      hide_credentials: true,
    };
    const bench = benchWith(more);
    for (let round = 0; round < 2; round += 1) {
      const { exchange } = await bench.request({
        headers: [...bearing('t').headers, 'x-team', 'red', 'x-mail', 'a@b.test'],
      });
      const { headers } = exchange.request;
      expect([headers.get('x-team'), headers.has('x-mail'), headers.has('authorization')]).toEqual([
        'blue',
        false,
        false,
      ]);
    }
    expect(server.requests).toHaveLength(1);
    const { exchange } = await benchWith({ required_scopes: ['admin'] }).request(bearing('t'));
    expect(exchange.response.status).toBe(403);
  });

  it.each([
    ['an exp that is past', { exp: START }, 'respond'],
    ['an exp to come', { exp: START + 1 }, 'continue'],
    ['an exp of null', { exp: null }, 'continue'],
    ['an nbf far ahead', { nbf: START + 31 }, 'respond'],
    ['an nbf a little ahead, as clocks differ', { nbf: START + 30 }, 'continue'],
  ])('with %s: %s', async (_name, times, expected) => {
    server.say('t', { active: true, ...times });
    expect(await resultOf(benchWith(), 't')).toBe(expected);
  });

  it('answers a token that is seen again at once, and asks again after its time', async () => {
    server.say('t', { active: true });
    const bench = benchWith();
    expect(await resultOf(bench, 't')).toBe('continue');
    server.say('t', { active: false });
    bench.clock.advance(ACTIVE_MS_MAX - 1);
    // Not a promise: nobody is waited for.
    expect(bench.chain.runRequest(exchangeOf(bearing('t')))).toBe('continue');
    bench.clock.advance(1);
    expect([await resultOf(bench, 't'), server.requests.length]).toEqual(['respond', 2]);
  });

  it('refuses a token from the moment of its exp, also one that is remembered', async () => {
    server.say('t', { active: true, exp: START + 10 });
    const bench = benchWith();
    expect(await resultOf(bench, 't')).toBe('continue');
    bench.clock.advance(9_999);
    expect(await resultOf(bench, 't')).toBe('continue');
    bench.clock.advance(1);
    expect([await resultOf(bench, 't'), server.requests.length]).toEqual(['respond', 1]);
  });

  it('asks about a token that is not active again after a short time only', async () => {
    const bench = benchWith();
    expect(await resultOf(bench, 't')).toBe('respond');
    server.say('t', { active: true });
    bench.clock.advance(INACTIVE_MS_MAX - 1);
    expect(bench.chain.runRequest(exchangeOf(bearing('t')))).toBe('respond');
    bench.clock.advance(1);
    expect([await resultOf(bench, 't'), server.requests.length]).toEqual(['continue', 2]);
  });
});

describe('requests with one token at the same time', () => {
  it('wait for one question, also when the one that asked first leaves', async () => {
    const held: (() => void)[] = [];
    server.answerWith((res) => held.push(() => answer(res, { active: true })));
    const bench = benchWith();
    const first = exchangeOf(bearing('t'));
    const running = [first, ...Array.from({ length: 9 }, () => exchangeOf(bearing('t')))].map(async (exchange) =>
      bench.chain.runRequest(exchange),
    );
    const other = bench.request(bearing('u'));
    await eventually(() => expect(held).toHaveLength(2));
    first.abort();
    for (const release of held) release();
    expect((await Promise.all(running.slice(1))).every((result) => result === 'continue')).toBe(true);
    expect((await other).result).toBe('continue');
    expect(server.requests.map(tokenOf).toSorted()).toEqual(['t', 'u']);
    await running[0];
  });

  it('ask no longer when all have left, and anew for who comes then', async () => {
    let closed = 0;
    server.answerWith((res) => void res.on('close', () => (closed += 1)));
    const bench = benchWith();
    const gone = [exchangeOf(bearing('t')), exchangeOf(bearing('t'))];
    const running = gone.map(async (exchange) => bench.chain.runRequest(exchange));
    await eventually(() => expect(server.requests).toHaveLength(1));
    for (const exchange of gone) exchange.abort();
    await Promise.all(running);
    await eventually(() => expect(closed).toBe(1));
    server.answerWith((res) => answer(res, { active: true }));
    expect(await resultOf(bench, 't')).toBe('continue');
  });
});
