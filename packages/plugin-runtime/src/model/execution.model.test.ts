import fc from 'fast-check';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createRuntime, type StageResult } from '../index.ts';
import { exchangeOf, gateway, handClock, pluginOf } from '../testing/fixtures.ts';
import { NaiveExecution, type CallOutcome } from './naive-execution.test-support.ts';

type Step =
  | { readonly type: 'call'; readonly kind: 'passes' | 'throws' | 'late' }
  | { readonly type: 'settle'; readonly nth: number; readonly isGood: boolean }
  | { readonly type: 'advance'; readonly milliseconds: number };

const policies = fc.record({
  timeout_ms: fc.integer({ min: 10, max: 60 }),
  failure_threshold: fc.integer({ min: 1, max: 4 }),
  recovery_timeout_ms: fc.integer({ min: 100, max: 160 }),
  max_concurrency: fc.integer({ min: 1, max: 3 }),
});

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    fc.constantFrom<Step>(
      { type: 'call', kind: 'passes' },
      { type: 'call', kind: 'throws' },
      { type: 'call', kind: 'late' },
      { type: 'call', kind: 'late' },
    ),
    fc.record({ type: fc.constant('settle' as const), nth: fc.nat({ max: 3 }), isGood: fc.boolean() }),
    fc.record({ type: fc.constant('advance' as const), milliseconds: fc.constantFrom(1, 9, 10, 24, 50, 100, 160) }),
  ),
  { maxLength: 40 },
);

/** More microtasks than one end sets off. */
const TURNS_PER_TICK = 8;

/** One real instance whose calls end as the steps say. */
class Subject {
  readonly outcomes = new Map<number, CallOutcome>();
  readonly #settlers = new Map<number, (isGood: boolean) => void>();
  readonly #clock = handClock();
  readonly #runtime;
  readonly #chain;
  readonly #kinds = new Map<string, 'passes' | 'throws' | 'late'>();

  constructor(execution: object, closed: boolean) {
    const plugin = pluginOf(
      'subject',
      () => ({
        request: ({ request }) => {
          const id = Number(request.path.slice(1));
          const kind = this.#kinds.get(request.path);
          if (kind === 'throws') throw new Error('broken');
          if (kind === 'passes') return undefined;
          return new Promise((resolve, reject) => {
            this.#settlers.set(id, (isGood) => (isGood ? resolve(undefined) : reject(new Error('broken'))));
          });
        },
      }),
      { category: closed ? 'enforcement' : 'observability' },
    );
    const instances = [{ id: 'i', name: 'subject', execution }];
    this.#runtime = createRuntime({ plugins: [plugin], instances, ...this.#clock });
    this.#chain = this.#runtime.chainFor({ gateway });
  }

  get phase(): string {
    return this.#runtime.status()[0]?.circuit ?? '';
  }

  call(id: number, kind: 'passes' | 'throws' | 'late'): void {
    this.#kinds.set(`/${id}`, kind);
    const exchange = exchangeOf({ path: `/${id}` }, { recordSteps: true });
    const note = (): void => void this.outcomes.set(id, exchange.steps?.[0]?.outcome as CallOutcome);
    const result: StageResult | Promise<StageResult> = this.#chain.runRequest(exchange);
    if (typeof result === 'string') note();
    else result.then(note, note);
  }

  /** Does what hooks do that come back after they were given up, too: nothing may come of it. */
  settle(id: number, isGood: boolean): void {
    this.#settlers.get(id)?.(isGood);
  }

  /** A millisecond goes by, and what it brings comes to its end. */
  async tick(): Promise<void> {
    this.#clock.clock.advance(1);
    for (let turns = 0; turns < TURNS_PER_TICK; turns += 1) await Promise.resolve();
  }

  get pendingTimers(): number {
    return this.#clock.clock.pendingTimers;
  }
}

describe('the execution policy of an instance', () => {
  it('lets through, refuses, times out, opens and recovers as the specification says, for any course of events', async () => {
    await fc.assert(
      fc.asyncProperty(policies, fc.boolean(), steps, async (policy, closed, course) => {
        const model = new NaiveExecution(policy, closed);
        const subject = new Subject(policy, closed);
        let calls = 0;
        for (const step of course) {
          if (step.type === 'call') {
            model.call(calls, step.kind);
            subject.call(calls, step.kind);
            calls += 1;
          } else if (step.type === 'advance') {
            for (let passed = 0; passed < step.milliseconds; passed += 1) {
              model.tick();
              await subject.tick();
            }
          } else {
            const id = model.waiting[step.nth] ?? step.nth;
            model.settle(id, step.isGood);
            subject.settle(id, step.isGood);
          }
          await turn();
          expect([subject.phase, subject.pendingTimers]).toEqual([model.phase, model.waiting.length + model.queued]);
          expect(subject.outcomes).toEqual(model.outcomes);
        }
      }),
      { numRuns: 400 },
    );
  });

  it('never has more calls waiting in a hook than max_concurrency, for any course of events', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 8 }),
        fc.array(fc.boolean(), { maxLength: 60 }),
        async (cap, course) => {
          let inside = 0;
          let most = 0;
          const ends: (() => void)[] = [];
          const plugin = pluginOf('slow', () => ({
            request: async () => {
              inside += 1;
              most = Math.max(most, inside);
              await new Promise<void>((resolve) => ends.push(resolve));
              inside -= 1;
              return undefined;
            },
          }));
          const chain = createRuntime({
            plugins: [plugin],
            instances: [{ id: 'i', name: 'slow', execution: { max_concurrency: cap } }],
            ...handClock(),
          }).chainFor({ gateway });
          for (const isCall of course) {
            if (isCall) void chain.runRequest(exchangeOf());
            else ends.shift()?.();
            await turn();
            expect(most).toBeLessThanOrEqual(cap);
          }
          const asked = course.filter(Boolean).length;
          expect(most > 0).toBe(asked > 0);
        },
      ),
      { numRuns: 100 },
    );
  });
});
