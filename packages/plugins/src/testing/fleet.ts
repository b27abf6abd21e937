import { sharedStoreFailure, type SharedStore } from '@portcullis/plugin-runtime';
import { FakeClock } from '@portcullis/testkit';
import { handClock } from './hand-clock.ts';
import type { TestStore } from './redis-store.ts';
import type { LimitWindow } from '../shared/limits/limit-window.ts';
import type { LimitStanding } from '../shared/limits/request-limits.ts';
import { SyncedLimits } from '../shared/limits/redis/synced-limits.ts';

/** How far Redis's clock is from that of the processes. */
export const SKEW_MS = 12_345_678;

/** The model moves time in such steps, between which calls take none. */
export const STEP_MS = 100;

/** What a fleet is made of. */
export interface FleetOptions {
  readonly windows: () => readonly LimitWindow[];
  readonly isSliding: boolean;
  readonly everyMs: number;
  readonly size?: number;
  readonly countersMax?: number;
}

/** Processes that count in one Redis, and one clock for all that moves by hand, Redis's too. */
export class Fleet {
  readonly clock = new FakeClock({ monotonicMs: 7 });
  readonly processes: readonly SyncedLimits[];
  /** What becomes of a call, when not what usually does. */
  fault: ((run: () => Promise<unknown>) => Promise<unknown>) | undefined;
  calls = 0;
  readonly #store: TestStore;
  readonly #clockKey: string;
  #underWay = 0;

  constructor(store: TestStore, options: FleetOptions) {
    const id = (fleets += 1);
    this.#store = store;
    this.#clockKey = `test:clock:${process.pid}:${id}:${performance.now()}`;
    const port: SharedStore = { run: (...call) => this.#run(() => store.run(...call)) };
    const timers = {
      set: (callback: () => void, delayMs: number) => this.clock.setTimer(callback, delayMs),
      clear: (cancel: unknown) => (cancel as (() => void) | undefined)?.(),
    };
    const { windows, isSliding, everyMs, countersMax, size = 3 } = options;
    const common = { isSliding, everyMs, store: port, timers, nowMs: this.clock.nowMs };
    this.processes = Array.from({ length: size }, (_, index) => {
      const own = {
        windows: windows(),
        instanceId: `i${id}`,
        processId: `p${index}`,
        clock: handClock(this.#clockKey),
      };
      return new SyncedLimits({ ...common, ...own, ...(countersMax === undefined ? {} : { countersMax }) });
    });
  }

  /** Whether a request passes; the failure when the store was needed and failed. */
  async passes(by: number, client = 'a'): Promise<boolean | string> {
    try {
      return (await this.standings(by, client)).every(({ isExceeded }) => !isExceeded);
    } catch (error) {
      return sharedStoreFailure(error) ?? String(error);
    }
  }

  async standings(by: number, client = 'a'): Promise<readonly LimitStanding[]> {
    const process = this.processes[by];
    if (process === undefined) throw new Error('there is no such process');
    await this.#setClock();
    return process.take(client);
  }

  /** Moves all clocks, and lets what falls due come to its end. */
  async advance(milliseconds: number): Promise<void> {
    for (let left = milliseconds; left > 0; left -= STEP_MS) {
      await this.#setClock(Math.min(left, STEP_MS));
      this.clock.advance(Math.min(left, STEP_MS));
      await this.settle();
    }
  }

  /** Resolves when no call is under way. */
  async settle(): Promise<void> {
    do await new Promise((resolve) => setImmediate(resolve));
    while (this.#underWay > 0);
    await new Promise((resolve) => setImmediate(resolve));
  }

  async end(): Promise<void> {
    await this.settle();
    await this.#store.redis.del(this.#clockKey);
  }

  async #setClock(aheadMs = 0): Promise<void> {
    await this.#store.redis.set(this.#clockKey, this.clock.nowMs() + SKEW_MS + aheadMs);
  }

  async #run(run: () => Promise<unknown>): Promise<unknown> {
    this.calls += 1;
    this.#underWay += 1;
    try {
      return await (this.fault === undefined ? run() : this.fault(run));
    } finally {
      this.#underWay -= 1;
    }
  }
}

let fleets = 0;
