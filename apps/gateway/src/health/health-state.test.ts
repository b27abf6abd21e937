import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HealthCheckRecord } from './health-check-record.ts';
import { healthCheckRecord } from './health-check-record.ts';
import { healthSettings, isOff, type CheckResult, type HealthSettings } from './health-settings.ts';
import {
  healthyState,
  isUsable,
  nextHealth,
  underSettings,
  type HealthEvent,
  type HealthState,
} from './health-state.ts';
import * as v from 'valibot';

const recoveryMs = 1000;
const settingsOf = (record: object): HealthSettings => healthSettings(v.parse(healthCheckRecord, record), recoveryMs);
const active = { type: 'active' } as const;
const passive = { type: 'passive' } as const;

/** States after events, one second apart. */
function runThrough(settings: HealthSettings, events: readonly HealthEvent[], from = healthyState): HealthState {
  return events.reduce((state, event, index) => nextHealth(state, event, settings, index * 1000), from);
}

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

describe('failures in a row', () => {
  const both = settingsOf({ active: {}, passive: {} });
  it.each([
    ['active', 'http_failure', 5],
    ['active', 'tcp_failure', 2],
    ['active', 'timeout', 3],
    ['passive', 'http_failure', 5],
    ['passive', 'tcp_failure', 2],
    ['passive', 'timeout', 3],
  ] as const)('%s: %s makes unhealthy after %i', (type, result, threshold) => {
    const failure = { type, result };
    expect(runThrough(both, times(threshold - 1, failure)).phase).toBe('healthy');
    expect(runThrough(both, times(threshold, failure)).phase).toBe('unhealthy');
    const success = { type, result: 'success' } as const;
    expect(runThrough(both, [...times(threshold - 1, failure), success, failure]).phase).toBe('healthy');
    const neutral = { type, result: 'neutral' } as const;
    expect(runThrough(both, [...times(threshold - 1, failure), neutral, failure]).phase).toBe('unhealthy');
    const other = { type: type === 'active' ? 'passive' : 'active', result: 'success' } as const;
    expect(runThrough(both, [...times(threshold - 1, failure), other, failure]).phase).toBe('unhealthy');
  });

  it('kinds of failures are counted apart', () => {
    const mixed = [
      { ...active, result: 'tcp_failure' },
      { ...active, result: 'timeout' },
      { ...active, result: 'http_failure' },
    ] as const;
    expect(runThrough(both, mixed).phase).toBe('healthy');
    expect(runThrough(both, [...mixed, { ...active, result: 'tcp_failure' }]).phase).toBe('unhealthy');
  });

  it('a threshold of 0 switches its kind off, and a part that is not there counts nothing', () => {
    const noTimeouts = settingsOf({ active: { unhealthy: { timeouts: 0 } } });
    expect(runThrough(noTimeouts, times(300, { ...active, result: 'timeout' })).phase).toBe('healthy');
    expect(runThrough(noTimeouts, times(300, { ...passive, result: 'tcp_failure' })).phase).toBe('healthy');
    const off = settingsOf({ active: { healthy: { interval: 0 }, unhealthy: { interval: 0 } } });
    expect(isOff(off)).toBe(true);
  });

  it('nothing new is no new object', () => {
    expect(runThrough(both, [{ ...passive, result: 'success' }])).toBe(healthyState);
    expect(
      runThrough(both, [
        { ...passive, result: 'tcp_failure' },
        { ...passive, result: 'success' },
      ]),
    ).toBe(healthyState);
  });
});

describe('back to healthy', () => {
  const down = times(2, { ...passive, result: 'tcp_failure' } as const);

  it('probes bring back what they or requests found unhealthy', () => {
    const both = settingsOf({ active: {}, passive: { healthy: { successes: 0 } } });
    const success = { ...active, result: 'success' } as const;
    expect(isUsable(runThrough(both, [...down, { type: 'due' }]))).toBe(false);
    expect(runThrough(both, [...down, success]).phase).toBe('unhealthy');
    expect(runThrough(both, [...down, success, { ...active, result: 'timeout' }, success]).phase).toBe('unhealthy');
    expect(runThrough(both, [...down, success, success])).toBe(healthyState);
  });

  it('without probes one trial request at a time does', () => {
    const only = settingsOf({ passive: {} });
    const at = (nowMs: number, state: HealthState, event: HealthEvent): HealthState =>
      nextHealth(state, event, only, nowMs);
    const waiting = runThrough(only, down);
    expect(waiting).toMatchObject({ phase: 'unhealthy', trial: 'waiting', dueMs: 1000 + recoveryMs });
    expect(at(1999, waiting, { type: 'due' })).toBe(waiting);
    const offered = at(2000, waiting, { type: 'due' });
    expect(isUsable(offered)).toBe(true);
    const taken = at(2001, offered, { type: 'begin' });
    expect(isUsable(taken)).toBe(false);
    expect(isUsable(at(2002, taken, { type: 'given_up' }))).toBe(true);
    expect(isUsable(at(3001, taken, { type: 'due' })), 'a trial that never ends is offered again').toBe(true);
    expect(at(2002, taken, { ...passive, result: 'timeout' })).toMatchObject({ trial: 'waiting', dueMs: 3002 });
    const once = at(2002, taken, { ...passive, result: 'success' });
    expect(once).toMatchObject({ phase: 'unhealthy', trial: 'offered', passive: 1 });
    expect(at(2004, at(2003, once, { type: 'begin' }), { ...passive, result: 'neutral' })).toBe(healthyState);
  });
});

describe('other settings', () => {
  it('what is known stays, and what ends the state follows the settings', () => {
    const probes = settingsOf({ active: {} });
    const down = runThrough(probes, times(2, { ...active, result: 'tcp_failure' } as const));
    expect(underSettings(down, settingsOf({ active: { http_path: '/x' } }), 9).phase).toBe('unhealthy');
    const trials = underSettings(down, settingsOf({ passive: {} }), 5000);
    expect(trials).toMatchObject({ phase: 'unhealthy', trial: 'waiting', dueMs: 5000 + recoveryMs });
    expect(underSettings(trials, probes, 6000)).toMatchObject({ trial: 'none', dueMs: Infinity });
    expect(underSettings(trials, settingsOf({}), 6000)).toBe(healthyState);
    const counted = runThrough(probes, [{ ...active, result: 'tcp_failure' }]);
    expect(underSettings(counted, settingsOf({ active: {}, passive: {} }), 0)).toBe(counted);
  });
});

const threshold = fc.integer({ min: 0, max: 4 });
const interval = fc.constantFrom(0, 1, 3);
const anyRecord: fc.Arbitrary<HealthCheckRecord> = fc
  .record(
    {
      active: fc.record({
        healthy: fc.record({ interval, successes: threshold }),
        unhealthy: fc.record({ interval, http_failures: threshold, tcp_failures: threshold, timeouts: threshold }),
      }),
      passive: fc.record({
        healthy: fc.record({ successes: threshold }),
        unhealthy: fc.record({ http_failures: threshold, tcp_failures: threshold, timeouts: threshold }),
      }),
    },
    { requiredKeys: [] },
  )
  .map((record) => v.parse(healthCheckRecord, record));

const results: readonly CheckResult[] = ['success', 'neutral', 'http_failure', 'tcp_failure', 'timeout'];
const anyEvent: fc.Arbitrary<HealthEvent> = fc.oneof(
  fc.record({ type: fc.constantFrom('active', 'passive'), result: fc.constantFrom(...results) }),
  fc.record({ type: fc.constantFrom('begin', 'given_up', 'due') }),
);

/** What a well endpoint does within one interval: probes and requests succeed, timers come. */
function wellInterval(state: HealthState, settings: HealthSettings, nowMs: number): HealthState {
  if (state.phase === 'healthy') return state;
  if (settings.recovery === 'probes') return nextHealth(state, { ...active, result: 'success' }, settings, nowMs);
  const offered = nextHealth(state, { type: 'due' }, settings, nowMs);
  return nextHealth(
    nextHealth(offered, { type: 'begin' }, settings, nowMs),
    { ...passive, result: 'success' },
    settings,
    nowMs,
  );
}

describe('whatever came before', () => {
  it('a well endpoint is healthy again within as many intervals as it needs successes, and never left out for good', () => {
    fc.assert(
      fc.property(anyRecord, anyRecord, fc.array(anyEvent), fc.array(anyEvent), (first, second, before, after) => {
        const settings = healthSettings(second, recoveryMs);
        let nowMs = 0;
        const run = (state: HealthState, events: readonly HealthEvent[], under: HealthSettings): HealthState =>
          events.reduce((reached, event) => nextHealth(reached, event, under, (nowMs += 100)), state);
        const earlier = healthSettings(first, recoveryMs);
        let state = underSettings(run(healthyState, before, earlier), settings, nowMs);
        state = run(state, after, settings);
        const needed = settings.recovery === 'probes' ? settings.active?.successes : settings.passive?.successes;
        for (let turn = 0; turn < Math.max(1, needed ?? 0); turn += 1) {
          state = wellInterval(state, settings, (nowMs += recoveryMs));
        }
        expect(state.phase).toBe('healthy');
      }),
      { numRuns: 3000 },
    );
  });

  it('a request takes the one trial: nothing is usable until it has ended or its time is over', () => {
    const usableAfterBegin = fc.property(anyRecord, fc.array(anyEvent), (record, events) => {
      const settings = healthSettings(record, recoveryMs);
      let state = healthyState;
      for (const event of events) {
        state = nextHealth(state, event, settings, 0);
        if (event.type === 'begin' && state.phase === 'unhealthy' && isUsable(state)) return false;
      }
      return true;
    });
    expect(fc.check(usableAfterBegin, { numRuns: 1000 }).failed).toBe(false);
  });
});
