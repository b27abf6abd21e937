import type { ServerResponse } from 'node:http';
import { eventually } from '@portcullis/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FAILURES_MAX } from '../shared/failure-budget.ts';
import { WAITING_MAX, WAITING_PER_SITE_MAX } from '../shared/waiting-room.ts';
import { answer, startIntrospectionServer, type IntrospectionServer } from '../testing/introspection-server.ts';
import { localOutbound } from '../testing/key-server.ts';
import { PluginBench, problemOf, type Ran } from '../testing/plugin-bench.ts';
import { oauth2 } from './index.ts';

const STRANGER = '203.0.113.9';

let server: IntrospectionServer;
beforeEach(async () => {
  server = await startIntrospectionServer();
});
afterEach(() => server.close());

function benchWith(more: object = {}): PluginBench {
  const config = { introspection_url: server.url, timeout_seconds: 30, ...more };
  return new PluginBench(oauth2, config, { outbound: localOutbound });
}

const ask = (bench: PluginBench, token: string, clientIp: string) =>
  bench.request({ headers: ['authorization', `Bearer ${token}`], clientIp });
const statusOf = ({ result, exchange }: Ran) => (result === 'continue' ? 200 : exchange.response.status);

/** From now on the server answers when the test says so. */
function heldAnswers() {
  const held: ServerResponse[] = [];
  server.answerWith((res) => void held.push(res));
  return {
    held,
    say: (active: boolean) => {
      for (const res of held.splice(0)) answer(res, { active });
    },
  };
}

describe('oauth2 under made-up tokens', () => {
  it('lets others pass meanwhile: known and configured tokens, and new ones', async () => {
    const bench = benchWith({ valid_tokens: ['configured'] });
    server.say('known', { active: true });
    expect(statusOf(await ask(bench, 'known', '192.0.2.1'))).toBe(200);
    const { held, say } = heldAnswers();
    const flood = Array.from({ length: 100 }, (_, index) => ask(bench, `made-up-${index}`, STRANGER));
    expect(statusOf(await ask(bench, 'known', '192.0.2.1'))).toBe(200);
    expect(statusOf(await ask(bench, 'configured', '192.0.2.1'))).toBe(200);
    await eventually(() => held.length === FAILURES_MAX);
    say(false);
    const fresh = ask(bench, 'fresh', '192.0.2.1');
    await eventually(() => held.length === 1);
    say(true);
    expect(statusOf(await fresh)).toBe(200);
    const outcomes = await Promise.all(flood);
    expect(outcomes.filter((ran) => statusOf(ran) === 401)).toHaveLength(FAILURES_MAX);
    const refused = outcomes.filter((ran) => statusOf(ran) === 429);
    expect(refused).toHaveLength(100 - FAILURES_MAX);
    const [{ exchange } = expect.fail('nobody was refused')] = refused;
    expect([exchange.response.headers.get('retry-after'), problemOf(exchange)]).toMatchObject([
      '1',
      { code: 'rate_limited' },
    ]);
  });

  it('asks about so many of one network, and about more as time goes by; active tokens cost nothing', async () => {
    const bench = benchWith();
    for (let index = 0; index < 2 * FAILURES_MAX; index += 1) {
      server.say(`good-${index}`, { active: true });
      expect(statusOf(await ask(bench, `good-${index}`, STRANGER))).toBe(200);
    }
    for (let index = 0; index < FAILURES_MAX; index += 1) {
      expect(statusOf(await ask(bench, `made-up-${index}`, STRANGER))).toBe(401);
    }
    expect(statusOf(await ask(bench, 'another', STRANGER))).toBe(429);
    bench.clock.advance(1000);
    expect(statusOf(await ask(bench, 'another', STRANGER))).toBe(401);
  });

  it('lets few of one site wait, and few in all: below the number at which the runtime refuses all', async () => {
    const bench = benchWith();
    const { held, say } = heldAnswers();
    const site = Array.from({ length: 30 }, (_, index) => ask(bench, `a-${index}`, `2001:db8:1:${index}::1`));
    const others = Array.from({ length: 30 }, (_, index) => ask(bench, `b-${index}`, `192.0.2.${index}`));
    await eventually(() => held.length === WAITING_MAX);
    say(true);
    const passed = async (all: readonly Promise<Ran>[]) =>
      (await Promise.all(all)).filter((ran) => statusOf(ran) === 200).length;
    expect(await passed(site)).toBe(WAITING_PER_SITE_MAX);
    expect(await passed(others)).toBe(WAITING_MAX - WAITING_PER_SITE_MAX);
    const later = ask(bench, 'later', '2001:db8:1:1::1');
    await eventually(() => held.length === 1);
    say(true);
    expect(statusOf(await later)).toBe(200);
  });
});
