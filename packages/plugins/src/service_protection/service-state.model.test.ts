import { FakeClock } from '@portcullis/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WINDOW_PARTS } from './outcome-window.ts';
import { ServiceState, type Admission, type ProtectionRules } from './service-state.ts';

const WINDOW_MS = 1000;
const PART_MS = WINDOW_MS / WINDOW_PARTS;

interface NaiveRequest {
  readonly isProbe: boolean;
  readonly change: number;
  isSettled: boolean;
  isOver: boolean;
}

/** The rules written down without thought of cost: every result is kept with its time, and counted anew. */
class NaiveService {
  readonly #rules: ProtectionRules;
  requests: NaiveRequest[] = [];
  results: { readonly atMs: number; readonly isFailure: boolean; readonly change: number }[] = [];
  phase: 'closed' | 'open' | 'half_open' = 'closed';
  openedAtMs = 0;
  probedAtMs = 0;
  /** How often the circuit has changed. */
  change = 0;

  constructor(rules: ProtectionRules) {
    this.#rules = rules;
  }

  get running(): number {
    return this.requests.filter(({ isOver }) => !isOver).length;
  }

  enter(nowMs: number): 'open' | 'full' | NaiveRequest {
    if (this.phase === 'half_open' && nowMs < this.probedAtMs + this.#rules.cooldownMs) return 'open';
    if (this.phase === 'open' && nowMs < this.openedAtMs + this.#rules.cooldownMs) return 'open';
    if (this.running >= this.#rules.concurrencyMax) return 'full';
    const isProbe = this.phase !== 'closed';
    if (isProbe) {
      this.#to('half_open');
      this.probedAtMs = nowMs;
    }
    const request = { isProbe, change: this.change, isSettled: false, isOver: false };
    this.requests.push(request);
    return request;
  }

  settle(request: NaiveRequest, isFailure: boolean, nowMs: number): void {
    if (request.isSettled || request.isOver) return;
    request.isSettled = true;
    if (request.change !== this.change) return;
    if (!request.isProbe) this.results.push({ atMs: nowMs, isFailure, change: this.change });
    const counting = this.results.filter(
      ({ atMs, change }) =>
        change === this.change && Math.floor(nowMs / PART_MS) - Math.floor(atMs / PART_MS) < WINDOW_PARTS,
    );
    const failures = counting.filter((result) => result.isFailure).length;
    const { failuresMax, failureRate, requestsMin } = this.#rules;
    const isTooMuch =
      failures >= failuresMax || (counting.length >= requestsMin && failures >= failureRate * counting.length);
    if (request.isProbe ? isFailure : failures > 0 && isTooMuch) {
      this.#to('open');
      this.openedAtMs = nowMs;
    } else if (request.isProbe) this.#to('closed');
  }

  release(request: NaiveRequest): void {
    if (!request.isOver && request.isProbe && request.change === this.change) this.#to('open');
    request.isOver = true;
  }

  #to(phase: NaiveService['phase']): void {
    this.phase = phase;
    this.change += 1;
  }
}

interface Model {
  readonly naive: NaiveService;
  readonly requests: NaiveRequest[];
}

interface Real {
  readonly state: ServiceState;
  readonly clock: FakeClock;
  readonly rules: ProtectionRules;
  readonly requests: Admission[];
}

function step(name: string, run: (model: Model, real: Real) => void): fc.Command<Model, Real> {
  return {
    check: () => true,
    run(model, real) {
      run(model, real);
      expect([real.state.phase, real.state.running]).toEqual([model.naive.phase, model.naive.running]);
    },
    toString: () => name,
  };
}

function picked<Item>(items: readonly Item[], nth: number): Item | undefined {
  return items[nth % items.length];
}

const commands = [
  fc.constant(
    step('enter', (model, { state, rules, clock, requests }) => {
      const expected = model.naive.enter(clock.monotonicMs());
      const entered = state.enter(rules);
      if (typeof expected === 'string') expect('reason' in entered ? entered.reason : 'entered').toBe(expected);
      if (typeof expected !== 'string') model.requests.push(expected);
      if (!('reason' in entered)) requests.push(entered);
      expect(requests).toHaveLength(model.requests.length);
    }),
  ),
  fc.tuple(fc.nat(20), fc.boolean()).map(([nth, isFailure]) =>
    step(`settle ${nth} ${isFailure}`, (model, { clock, requests }) => {
      const request = picked(model.requests, nth);
      if (request !== undefined) model.naive.settle(request, isFailure, clock.monotonicMs());
      picked(requests, nth)?.settle(isFailure);
    }),
  ),
  fc.nat(20).map((nth) =>
    step(`release ${nth}`, (model, { requests }) => {
      const request = picked(model.requests, nth);
      if (request !== undefined) model.naive.release(request);
      picked(requests, nth)?.release();
    }),
  ),
  fc
    .constantFrom(1, 50, 99, 100, 101, 499, 500, 900, 1000, 5000)
    .map((milliseconds) => step(`advance ${milliseconds}`, (_model, { clock }) => clock.advance(milliseconds))),
];

const someRules: fc.Arbitrary<ProtectionRules> = fc.record({
  concurrencyMax: fc.constantFrom(1, 2, 4, Infinity),
  failuresMax: fc.constantFrom(1, 2, 5, Infinity),
  failureRate: fc.constantFrom(0.25, 0.5, 1, Infinity),
  requestsMin: fc.constantFrom(1, 2, 4),
  cooldownMs: fc.constantFrom(100, 500, 2000),
});

describe('the state of a service', () => {
  it('is what a naive count of all results says', () => {
    expect.hasAssertions();
    fc.assert(
      fc.property(someRules, fc.commands(commands, { maxCommands: 60 }), (rules, run) => {
        fc.modelRun(() => {
          const clock = new FakeClock({ monotonicMs: 12_345 });
          return {
            model: { naive: new NaiveService(rules), requests: [] },
            real: { state: new ServiceState(WINDOW_MS, clock.monotonicMs), clock, rules, requests: [] },
          };
        }, run);
      }),
      { numRuns: 300 },
    );
  });
});
