import type { Clock } from '@portcullis/plugin-runtime';

/** Memory of all stores of a process together, in bytes. */
export const PROCESS_BYTES_MAX: number = 256 * 1024 * 1024;

/** A store that can be made smaller. */
export interface Evicting {
  readonly bytes: number;
  /** Gives up what was used least recently. @returns `false` when there is nothing */
  evictOne(): boolean;
}

/** What the stores of a process may take together. Above it the largest store gives way: no tenant pushes another's answers out. */
export class MemoryBudget {
  readonly #stores = new Set<Evicting>();
  readonly #bytesMax: number;

  constructor(bytesMax: number = PROCESS_BYTES_MAX) {
    this.#bytesMax = bytesMax;
  }

  add(store: Evicting): void {
    this.#stores.add(store);
  }

  remove(store: Evicting): void {
    this.#stores.delete(store);
  }

  /** Makes room until all fits. Call when a store has grown. */
  settle(): void {
    while (this.#total() > this.#bytesMax) {
      let largest: Evicting | undefined;
      for (const store of this.#stores) if (largest === undefined || store.bytes > largest.bytes) largest = store;
      if (largest?.evictOne() !== true) return;
    }
  }

  #total(): number {
    let total = 0;
    for (const { bytes } of this.#stores) total += bytes;
    return total;
  }
}

const budgets = new WeakMap<Clock, MemoryBudget>();

/** The budget of a process, which is told by its clock. */
export function budgetOf(clock: Clock): MemoryBudget {
  const known = budgets.get(clock);
  if (known !== undefined) return known;
  const budget = new MemoryBudget();
  budgets.set(clock, budget);
  return budget;
}
