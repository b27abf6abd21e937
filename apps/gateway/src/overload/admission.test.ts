import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Admission, admissionDefaults, calmMs, turnRequestsMin, type AdmissionLimits } from './admission.ts';

/** Milliseconds of one thread that a request takes when it is let in, and when it is refused. */
interface Cost {
  readonly serveMs: number;
  readonly shedMs: number;
}

const usualCost: Cost = { serveMs: 0.25, shedMs: 0.06 };

/** Requests a second that the simulated process can serve. */
const capacity = 4000;

/** Between two events the loop waits no longer than this. */
const restMs = 5;

/** A simulated process of one thread: a turn takes what has come since the turn before began. */
class SimulatedProcess {
  readonly admission: Admission;
  /** What it said of overload. */
  readonly said: [boolean, number][] = [];
  #nowMs = 1000;
  #idleMs = 0;
  #over: (() => void) | undefined;
  #waiting = 0;
  readonly #inTurns: TurnEvent[] = [];

  constructor(limits: AdmissionLimits = admissionDefaults) {
    const ports = {
      monotonicMs: () => this.#nowMs,
      idleMs: () => this.#idleMs,
      afterTurn: (over: () => void) => void (this.#over = over),
      onOverload: (isOverloaded: boolean, refused: number) => void this.said.push([isOverloaded, refused]),
    };
    this.admission = new Admission(ports, limits);
  }

  /** Load that comes evenly. `connections` bounds how many wait at a time. */
  load(perSecond: number, forMs: number, cost: Cost = usualCost, connections = Number.POSITIVE_INFINITY): LoadSeen {
    const seen: LoadSeen = { served: 0, shed: 0, longestTurnMs: 0 };
    const endMs = this.#nowMs + forMs;
    let sinceMs = 0;
    while (this.#nowMs < endMs) {
      this.#waiting = Math.min(connections, this.#waiting + (sinceMs * perSecond) / 1000);
      const beganMs = this.#nowMs;
      if (this.#waiting < 1) {
        this.#nowMs += restMs;
        this.#idleMs += restMs;
      } else this.#turn(cost, seen);
      sinceMs = this.#nowMs - beganMs;
    }
    return seen;
  }

  /** The thread does something else for so long while requests come. */
  pause(perSecond: number, forMs: number): void {
    this.#nowMs += forMs;
    this.#waiting += (forMs * perSecond) / 1000;
  }

  /** What happens within the next turns, one after another. */
  inNextTurns(...events: readonly TurnEvent[]): void {
    this.#inTurns.push(...events);
  }

  #turn(cost: Cost, seen: LoadSeen): void {
    const beganMs = this.#nowMs;
    const { pauseMs = 0, bunch = 0 } = this.#inTurns.shift() ?? {};
    this.#waiting += bunch;
    let restPauseMs = pauseMs;
    for (; this.#waiting >= 1; this.#waiting -= 1) {
      const isServed = this.admission.enter();
      if (isServed) this.admission.leave();
      this.#nowMs += isServed ? cost.serveMs : cost.shedMs;
      seen[isServed ? 'served' : 'shed'] += 1;
      // The turn has begun with its first request.
      this.#nowMs += restPauseMs;
      restPauseMs = 0;
    }
    this.#over?.();
    this.#over = undefined;
    seen.longestTurnMs = Math.max(seen.longestTurnMs, this.#nowMs - beganMs);
  }
}

/** Something that happens within a turn. */
interface TurnEvent {
  /** The thread does something else for so long. */
  readonly pauseMs?: number;
  /** Requests that come at once, beside those of the load. */
  readonly bunch?: number;
}

interface LoadSeen {
  served: number;
  shed: number;
  longestTurnMs: number;
}

describe('the admission of requests', () => {
  it.each([0.3, 0.6, 0.9])('lets everything in at %f of the capacity', (share) => {
    const process = new SimulatedProcess();
    expect(process.load(capacity * share, 10_000).shed).toBe(0);
  });

  it.each([1.5, 3])('sheds at %f times the capacity, keeps turns short, serves, and recovers', (times) => {
    const process = new SimulatedProcess();
    process.load(capacity * 0.5, 2000);
    const begin = process.load(capacity * times, 1000);
    // A request waits for two turns: what is let in while the overload is found out is served in time too.
    expect(begin.longestTurnMs).toBeLessThan(admissionDefaults.turnTargetMs * 1.5);
    const steady = process.load(capacity * times, 10_000);
    expect(steady.shed).toBeGreaterThan(0);
    expect(steady.longestTurnMs).toBeLessThan(admissionDefaults.turnTargetMs * 1.5);
    expect(steady.served / 10).toBeGreaterThan(capacity * 0.2);
    process.load(capacity * 0.5, 300);
    expect(process.load(capacity * 0.5, calmMs + 300).shed).toBe(0);
    expect(process.admission.limit).toBe(Number.POSITIVE_INFINITY);
    expect(process.said).toEqual([
      [true, 0],
      [false, process.admission.shed],
    ]);
  });

  it('finds a queue that stands still as well as one that grows', () => {
    const process = new SimulatedProcess();
    expect(process.load(1e6, 5000, usualCost, 2000).shed).toBeGreaterThan(0);
  });

  it.each([
    [0.6, 500],
    [0.6, 3000],
    [0.9, 1000],
  ])('at %f of the capacity takes a pause of %i ms for what it is', (share, pauseMs) => {
    const process = new SimulatedProcess();
    for (let turn = 0; turn < 5; turn += 1) {
      expect(process.load(capacity * share, 500).shed).toBe(0);
      process.pause(capacity * share, pauseMs);
      expect(process.load(capacity * share, 20_000).shed).toBe(0);
    }
  });

  it('takes pauses that come again and again, each as long as it likes, for what they are', () => {
    const outcome = fc.check(
      fc.property(fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 20, maxLength: 20 }), (pausesMs) => {
        const process = new SimulatedProcess();
        let shed = 0;
        for (const pauseMs of pausesMs) {
          process.pause(capacity * 0.6, pauseMs);
          shed += process.load(capacity * 0.6, 2 * pauseMs + 50).shed;
        }
        return shed === 0;
      }),
      { numRuns: 50, seed: 7 },
    );
    expect(outcome).toMatchObject({ failed: false });
  });

  it('takes bunches with rests between them for what they are', () => {
    const process = new SimulatedProcess();
    for (let bunch = 0; bunch < 50; bunch += 1) {
      process.pause(capacity * 10, 20);
      expect(process.load(0, 250).shed).toBe(0);
    }
  });

  it.each<[string, number, readonly TurnEvent[]]>([
    ['two pauses that grow, in two turns running', 0.5, [{ pauseMs: 25 }, { pauseMs: 70 }]],
    ['a pause in the turn after a bunch', 0.4, [{ bunch: 250 }, { pauseMs: 80 }]],
    ['two bunches that grow', 0.2, [{ bunch: 250 }, { bunch: 1000 }]],
  ])('takes %s after a rest for what they are', (_name, share, events) => {
    const process = new SimulatedProcess();
    const quick = { serveMs: 0.1, shedMs: 0.02 };
    for (let round = 0; round < 10; round += 1) {
      process.inNextTurns(...events);
      expect(process.load(share * 10_000, 1000, quick).shed).toBe(0);
    }
  });

  it('never refuses as few requests as a turn always lets in, however slow they are', () => {
    const process = new SimulatedProcess();
    const slow = { serveMs: 20, shedMs: 0.06 };
    expect(process.load(1e6, 60_000, slow, turnRequestsMin).shed).toBe(0);
  });

  it('recovers from whatever came before', () => {
    const phase = fc.record({
      times: fc.double({ min: 0, max: 6, noNaN: true }),
      forMs: fc.integer({ min: 1, max: 3000 }),
      pauseMs: fc.integer({ min: 0, max: 2000 }),
      serveMs: fc.double({ min: 0.05, max: 2, noNaN: true }),
    });
    const outcome = fc.check(
      fc.property(fc.array(phase, { maxLength: 6 }), (phases) => {
        const process = new SimulatedProcess();
        for (const { times, forMs, pauseMs, serveMs } of phases) {
          process.load(capacity * times, forMs, { serveMs, shedMs: 0.06 }, 5000);
          process.pause(capacity * Math.min(times, 1), pauseMs);
        }
        process.load(capacity * 0.5, 5000);
        const { shed } = process.load(capacity * 0.5, 2000);
        return shed === 0 && process.admission.inFlight === 0;
      }),
      { numRuns: 30, seed: 5 },
    );
    expect(outcome).toMatchObject({ failed: false });
  });

  it('refuses one more than may be under way, and takes the next when one is over', () => {
    const { admission } = new SimulatedProcess({ ...admissionDefaults, inFlightMax: 2 });
    expect([admission.enter(), admission.enter(), admission.enter()]).toEqual([true, true, false]);
    admission.leave();
    expect([admission.enter(), admission.enter(), admission.shed]).toEqual([true, false, 2]);
  });

  it('has no rule of turns when that is switched off', () => {
    const process = new SimulatedProcess({ ...admissionDefaults, turnTargetMs: 0 });
    expect(process.load(capacity * 3, 2000).shed).toBe(0);
  });
});
