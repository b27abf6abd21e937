import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CLOSED_CIRCUIT, nextCircuit, type CircuitEvent, type CircuitState } from './index.ts';

const policy = { failureThreshold: 3, recoveryTimeoutMs: 1000 };
const call: CircuitEvent = { type: 'call' };
const of = (type: 'success' | 'failure' | 'given_up', isProbe = false): CircuitEvent => ({ type, isProbe });
const open: CircuitState = { phase: 'open', openedAtMs: 0 };
const halfOpen: CircuitState = { phase: 'half_open', openedAtMs: 0 };

describe('nextCircuit', () => {
  it.each<[string, CircuitState, CircuitEvent, number, CircuitState]>([
    ['counts a failure', CLOSED_CIRCUIT, of('failure'), 0, { phase: 'closed', failures: 1 }],
    ['forgets failures after a success', { phase: 'closed', failures: 2 }, of('success'), 0, CLOSED_CIRCUIT],
    ['opens at the threshold', { phase: 'closed', failures: 2 }, of('failure'), 7, { phase: 'open', openedAtMs: 7 }],
    [
      'does not count a call that was given up',
      { phase: 'closed', failures: 2 },
      of('given_up'),
      0,
      { phase: 'closed', failures: 2 },
    ],
    ['stays open before its time', open, call, 999, open],
    ['probes when its time is over', open, call, 1000, halfOpen],
    ['ignores late results while open', open, of('success'), 10, open],
    ['lets no second call through beside the probe', halfOpen, call, 5000, halfOpen],
    ['ignores results of other calls while it probes', halfOpen, of('failure'), 5000, halfOpen],
    ['closes after a good probe', halfOpen, of('success', true), 5000, CLOSED_CIRCUIT],
    ['opens afresh after a bad probe', halfOpen, of('failure', true), 5000, { phase: 'open', openedAtMs: 5000 }],
    ['may probe again at once after a probe without result', halfOpen, of('given_up', true), 5000, open],
  ])('%s', (_name, state, event, nowMs, after) => {
    expect(nextCircuit(state, event, policy, nowMs)).toEqual(after);
  });

  it('keeps the closed circuit the same object, so that success costs nothing', () => {
    expect(nextCircuit(CLOSED_CIRCUIT, of('success'), policy, 0)).toBe(CLOSED_CIRCUIT);
  });

  it('opens exactly when the last results are as many failures as the threshold says, for any sequence', () => {
    const thresholds = fc.integer({ min: 1, max: 6 });
    fc.assert(
      fc.property(thresholds, fc.array(fc.boolean(), { maxLength: 30 }), (failureThreshold, results) => {
        let state = CLOSED_CIRCUIT;
        for (const [index, isFailure] of results.entries()) {
          state = nextCircuit(state, of(isFailure ? 'failure' : 'success'), { ...policy, failureThreshold }, 0);
          const last = results.slice(0, index + 1).slice(-failureThreshold);
          const shouldOpen = last.length === failureThreshold && last.every(Boolean);
          expect(state.phase).toBe(shouldOpen ? 'open' : 'closed');
          if (shouldOpen) return;
        }
      }),
    );
  });
});
