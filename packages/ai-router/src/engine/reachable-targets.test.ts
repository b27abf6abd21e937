import { eventually } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { createLocalLimits } from '../policy/local-limits.ts';
import { readPolicy } from '../policy/read-policy.ts';
import { TargetOrder } from '../routing/target-order.ts';
import { nodeTransport } from './node-transport.test-support.ts';
import { compileRouter } from './router-config.ts';
import { ANSWER_DEADLINE_MS, type RouterOptions, systemTimers } from './router-options.ts';
import { providerOf, routeOver, startTestRouter, systemClock } from './router.test-support.ts';

it('a target whose provider does not take its model has no turns, and its neighbour not its share', async () => {
  await using test = await startTestRouter({
    providers: { first: { models: ['other'] }, second: {}, third: {} },
    routes: [routeOver('public', ['first', 'second', 'third'], { strategy: 'weighted' })],
  });
  for (let asked = 0; asked < 4; asked += 1) await test.ask();
  expect(['first', 'second', 'third'].map((name) => test.providers[name]?.requests.length)).toEqual([0, 2, 2]);
});

it('a time-out that the rest of a request’s time makes is no latency of the target', async () => {
  let nowMs = 0;
  const clock = { nowMs: () => nowMs, monotonicMs: () => nowMs };
  const waits: { readonly ms: number; readonly callback: () => void }[] = [];
  const timers = { after: (ms: number, callback: () => void) => (waits.push({ ms, callback }), () => undefined) };
  const ordering = new TargetOrder(clock);
  const route = routeOver('public', ['first', 'second'], { strategy: 'least_latency' });
  const providers = { first: { timeoutMs: 300_000 }, second: { timeoutMs: 300_000 } };
  const answerDeadlineMs = 400_000;
  await using test = await startTestRouter({ providers, routes: [route], ordering, clock, timers, answerDeadlineMs });
  for (const name of ['first', 'second']) test.providers[name]?.plan({ kind: 'silent' });
  const asking = test.ask();
  for (const [at, name] of ['first', 'second'].entries()) {
    await eventually(() => expect(test.providers[name]?.requests).toHaveLength(1));
    nowMs += waits[at]?.ms ?? 0;
    waits[at]?.callback();
  }
  expect((await asking).attempts.map(({ outcome }) => outcome)).toEqual(['timeout', 'timeout']);
  expect(waits.map(({ ms }) => ms)).toEqual([300_000, 100_000]);
  const live = ordering.explain(route, { stream: false, promptText: () => '' }).map(({ target, liveLatencyMs }) => ({
    name: target.provider,
    isKnown: liveLatencyMs !== undefined,
  }));
  expect(live).toContainEqual({ name: 'first', isKnown: true });
  expect(live).toContainEqual({ name: 'second', isKnown: false });
});

describe('a denied model', () => {
  const policies = [readPolicy('default', { denied_models: ['secret'] })];
  const limits = createLocalLimits({ clock: systemClock });

  it.each(['secret', 'alias', 'SECRET', 'models/secret', 'public-name'])('is not reached as %s', async (model) => {
    await using test = await startTestRouter({
      providers: { first: { modelMap: new Map([['public-name', 'secret']]) } },
      routes: [routeOver('secret', ['first'], { aliases: ['alias'] })],
      ...{ defaultProvider: 'first', policies, limits },
    });
    expect((await test.ask({ model })).status).toBe(403);
    expect(test.router.explain('chat', { model, messages: [] }, undefined).isAllowed).toBe(false);
    expect(test.providers['first']?.requests).toEqual([]);
  });

  it('is not named beside an allowed one', async () => {
    await using test = await startTestRouter({ providers: { first: {} }, policies, limits });
    expect((await test.ask({ models: ['secret'] })).status).toBe(403);
    expect((await test.ask()).status).toBe(200);
  });

  it('of another project is none of the default provider', async () => {
    await using test = await startTestRouter({
      providers: { first: { type: 'vertex' } },
      routes: [],
      defaultProvider: 'first',
    });
    expect((await test.ask({ model: 'projects/other/locations/x/endpoints/1' })).status).toBe(404);
  });
});

it('a time-out that is longer than requests else may take is had in full', () => {
  const options = {
    ...{ tenantId: 'acme', policies: [], ordering: new TargetOrder(systemClock), transport: nodeTransport },
    ...{ limits: createLocalLimits({ clock: systemClock }), clock: systemClock, timers: systemTimers },
  };
  const providers = [providerOf('a', 'http://x', { timeoutMs: 900_000 }), providerOf('b', 'http://y')];
  const routes = [routeOver('m', ['b'], { targets: [{ provider: 'b', model: 'm', timeout_ms: 200_000 }] })];
  const deadlineOf = (given: Partial<RouterOptions>): number =>
    compileRouter({ ...options, providers: [], routes: [], ...given }).answerDeadlineMs;
  expect(deadlineOf({})).toBe(ANSWER_DEADLINE_MS);
  expect(deadlineOf({ providers })).toBe(900_000);
  expect(deadlineOf({ providers: providers.slice(1), routes })).toBe(200_000);
});
