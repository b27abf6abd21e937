import type { ExchangeEnd } from '@portcullis/plugin-runtime';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LimitBench } from '../testing/limit-bench.ts';
import { PluginBench, type Ran } from '../testing/plugin-bench.ts';
import { responseRateLimiter } from './index.ts';

const two = { limit: 2, window_seconds: 60 };

async function answer(bench: PluginBench, { exchange }: Ran, status = 200, headers: string[] = []): Promise<void> {
  exchange.setResponse({ status, headers, source: 'upstream' });
  await bench.chain.runResponse(exchange);
}

describe('requests in flight', () => {
  it('hold what they will cost: no more are let through than could all be charged', async () => {
    const bench = new PluginBench(responseRateLimiter, { limit: 5, window_seconds: 60, cost: 2 });
    const [first, second, third] = [await bench.request(), await bench.request(), await bench.request()];
    expect([first.result, second.result, third.result]).toEqual(['continue', 'continue', 'respond']);
    // Nothing is charged yet: what is held may come back at any time, and that is what the refusal says.
    const { headers } = third.exchange.response;
    expect([headers.get('retry-after'), headers.get('ratelimit')]).toEqual(['1', '"default";r=5;t=1']);
    expect((await bench.request({ clientIp: '192.0.2.7' })).result).toBe('continue');
  });

  it('give back what their response does not cost, at its head and not at its end', async () => {
    const bench = new PluginBench(responseRateLimiter, { ...two, count_statuses: [401] });
    const [first, second] = [await bench.request(), await bench.request()];
    expect((await bench.request()).result).toBe('respond');
    await answer(bench, first, 200);
    const third = await bench.request();
    expect(third.result).toBe('continue');
    await answer(bench, second, 401);
    await answer(bench, third, 401);
    expect((await bench.request()).result).toBe('respond');
  });

  it.each<[string, object, ExchangeEnd, number]>([
    ['its client left before a response', {}, { status: undefined, isComplete: false }, 1],
    ['no hook saw the answer to its failure', {}, { status: 502, isComplete: true }, 1],
    ['its client left, where statuses count', { count_statuses: [502] }, { status: undefined, isComplete: false }, 2],
    ['the gateway answered a status that counts', { count_statuses: [502] }, { status: 502, isComplete: true }, 1],
    ['the gateway answered another status', { count_statuses: [500] }, { status: 502, isComplete: true }, 2],
  ])('are settled when one is over: %s', async (_name, config, end, left) => {
    const bench = new PluginBench(responseRateLimiter, { ...two, ...config });
    const { exchange } = await bench.request();
    exchange.end(end);
    const results: string[] = [];
    for (let sent = 0; sent < 3; sent += 1) results.push((await bench.request()).result);
    expect(results.filter((result) => result === 'continue')).toHaveLength(left);
  });

  it('are charged once, also when a failure follows their response', async () => {
    const bench = new PluginBench(responseRateLimiter, { limit: 9, window_seconds: 60 });
    const ran = await bench.request();
    await answer(bench, ran);
    ran.exchange.fail({ code: 'plugin_failed', message: 'a later plugin failed' }, { status: 503, headers: [] });
    await bench.chain.runError(ran.exchange);
    ran.exchange.end({ status: 503, isComplete: true });
    const next = await bench.request();
    await answer(bench, next);
    expect(next.exchange.response.headers.get('ratelimit-remaining')).toBe('7');
  });

  it('are charged by the error stage too, which shows the standing', async () => {
    const bench = new PluginBench(responseRateLimiter, {
      ...two,
      count_statuses: [504],
      cost_header: 'X-Cost',
      cost: 2,
    });
    const { exchange } = await bench.request();
    exchange.fail({ code: 'upstream_timeout', message: 'late' }, { status: 504, headers: [] });
    await bench.chain.runError(exchange);
    expect(exchange.response.headers.get('ratelimit')).toBe('"default";r=0;t=60');
  });

  it('that another plugin refused before, or that were refused here, cost nothing', async () => {
    const bench = new PluginBench(responseRateLimiter, { limit: 1, window_seconds: 60 });
    const stranger = await bench.response(['x-a', 'b']);
    expect(stranger.response.headers.toPairs()).toEqual(['x-a', 'b']);
    const [passed, refused] = [await bench.request(), await bench.request()];
    await bench.chain.runResponse(refused.exchange);
    refused.exchange.end({ status: 429, isComplete: true });
    await answer(bench, passed);
    expect(passed.exchange.response.headers.get('ratelimit-remaining')).toBe('0');
  });

  it('of one namespace hold and charge together, over a changed configuration too', async () => {
    const shared = { ...two, namespace: 'api' };
    const bench = new LimitBench(responseRateLimiter, { a: shared, b: shared });
    const first = await bench.request('a');
    expect((await bench.request('b')).result).toBe('continue');
    bench.change({ a: { ...shared, hide_client_headers: true }, b: shared });
    expect([await bench.passes('a'), await bench.passes('b')]).toEqual([false, false]);
    first.exchange.end({ status: undefined, isComplete: false });
    bench.clock.advance(60_000);
    expect([await bench.passes('a'), await bench.passes('b')]).toEqual([true, false]);
  });

  it('never cost more than the limit, however they overlap', async () => {
    const step = fc.record({
      waitMs: fc.nat({ max: 9000 }),
      ends: fc.constantFrom('first', 'last', 'none'),
      isLost: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 3 }), async (steps, cost) => {
        const config = { limit: 7, window_seconds: 60, strategy: 'sliding', cost };
        const bench = new PluginBench(responseRateLimiter, config);
        const open: Ran[] = [];
        const chargedAt: number[] = [];
        let most = 0;
        for (const { waitMs, ends, isLost } of steps) {
          bench.clock.advance(waitMs);
          const ran = await bench.request();
          if (ran.result === 'continue') open.push(ran);
          const ended = ends === 'none' ? undefined : ends === 'first' ? open.shift() : open.pop();
          if (ended === undefined) continue;
          if (isLost) ended.exchange.end({ status: undefined, isComplete: false });
          else await answer(bench, ended);
          chargedAt.push(bench.clock.nowMs());
          const inWindow = chargedAt.filter((at) => at > bench.clock.nowMs() - 60_000);
          most = Math.max(most, inWindow.length * cost);
        }
        expect(most).toBeLessThanOrEqual(7);
      }),
    );
  });
});

describe('two instances that read one cost header', () => {
  it('both charge what it says, and the client does not see it', async () => {
    const config = { limit: 9, window_seconds: 60, cost_header: 'X-Cost' };
    const one = new PluginBench(responseRateLimiter, config);
    const other = new PluginBench(responseRateLimiter, { ...config, limit: 20 });
    const { exchange } = await one.request();
    await other.chain.runRequest(exchange);
    await answer(one, { exchange, result: 'continue' }, 200, ['X-Cost', '4']);
    expect(exchange.response.headers.get('ratelimit-remaining')).toBe('5');
    await other.chain.runResponse(exchange);
    expect(exchange.response.headers.get('ratelimit-remaining')).toBe('16');
    expect(exchange.response.headers.has('x-cost')).toBe(false);
  });
});
