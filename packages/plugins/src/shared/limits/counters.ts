import { ClientUsages, type UsagesUser } from './client-usages.ts';
import type { LimitWindow } from './limit-window.ts';
import { MomentBudget } from './moment-budget.ts';
import { SlidingUsage } from './sliding-usage.ts';
import { FixedUsage } from './usage.ts';

/**
 * A set of counters in memory, for each window and client. Limits that use one set and have a window of one length share that
 * window's counters, and each compares them with its own number.
 */
export class Counters {
  readonly budget: MomentBudget;
  readonly #windows = new Map<string, ClientUsages>();

  /** @param momentsMax bound of what `sliding` keeps; see {@link MomentBudget} */
  constructor(momentsMax?: number) {
    this.budget = new MomentBudget(momentsMax);
  }

  /** The counters of a window for one more user. The first user's window moves for all. */
  join(window: LimitWindow, isSliding: boolean, user: UsagesUser): ClientUsages {
    const key = keyOf(window, isSliding);
    let usages = this.#windows.get(key);
    if (usages === undefined) {
      const lengthMs = window.nominalSeconds * 1000;
      usages = new ClientUsages(() => (isSliding ? new SlidingUsage(lengthMs, this.budget) : new FixedUsage(window)));
      this.#windows.set(key, usages);
    }
    usages.addUser(user);
    return usages;
  }

  /** Ends what {@link Counters.join} began. What nobody counts in is forgotten. */
  leave(window: LimitWindow, isSliding: boolean, user: UsagesUser): void {
    const key = keyOf(window, isSliding);
    if (this.#windows.get(key)?.removeUser(user) === false) this.#windows.delete(key);
  }

  /** Looks at a few clients of each window when memory is scarce. */
  sweep(nowMs: number): void {
    for (const usages of this.#windows.values()) usages.sweep(nowMs);
  }
}

/** With `sliding` only the length counts: a month is its 30 days. */
function keyOf(window: LimitWindow, isSliding: boolean): string {
  return isSliding ? `sliding ${window.nominalSeconds}` : `fixed ${window.spanName}`;
}
