import type { SharedStore, StoreScript } from '@portcullis/plugin-runtime';
import type { LimitWindow } from '../limit-window.ts';
import type { LimitStanding } from '../request-limits.ts';
import { fixedScript } from './fixed-script.ts';
import { limitKeys, type LimitKeys } from './limit-keys.ts';
import { slidingScript } from './sliding-script.ts';

/** How long a decision may take; a store that is well takes a millisecond. */
export const DECISION_TIMEOUT_MS = 1000;

/** Settings of {@link RedisLimits}. */
export interface RedisLimitsOptions {
  readonly windows: readonly LimitWindow[];
  readonly isSliding: boolean;
  readonly store: SharedStore;
  /** What tells this instance's keys from those of others of the tenant. */
  readonly instanceId: string;
  /** Lua of another clock, for tests. */
  readonly clock?: string;
}

/**
 * The limits of one instance, per client, counted in the shared store: all processes that use it decide as one. A change of the
 * limits goes on with the counts, with `fixed` as long as the windows are the same.
 */
export class RedisLimits {
  readonly #windows: readonly LimitWindow[];
  readonly #store: SharedStore;
  readonly #script: StoreScript;
  readonly #keys: LimitKeys;

  constructor({ windows, isSliding, store, instanceId, clock }: RedisLimitsOptions) {
    this.#windows = windows;
    this.#store = store;
    this.#keys = limitKeys(windows, isSliding, instanceId, true);
    this.#script = isSliding ? slidingScript(clock) : fixedScript(this.#keys.hasCalendar, clock);
  }

  /**
   * Decides one request, and counts it only when all windows have room. A refused request counts nowhere.
   * @param client a bounded text
   * @throws an error of the store; then nobody knows whether the request was counted
   */
  async take(client: string): Promise<readonly LimitStanding[]> {
    const { args } = this.#keys;
    const answer = await this.#store.run(this.#script, this.#keys.of(client), args, { timeoutMs: DECISION_TIMEOUT_MS });
    const isList =
      Array.isArray(answer) && answer.length === 1 + 2 * this.#windows.length && answer.every(Number.isSafeInteger);
    if (!isList) throw new TypeError(`${this.#script.name} gave another answer than it does`);
    const [passed = 0, ...figures] = answer as readonly number[];
    return this.#windows.map((window, index) => {
      const used = figures[2 * index] ?? 0;
      return {
        window,
        remaining: Math.max(0, window.limit - used),
        resetSeconds: Math.max(1, Math.ceil((figures[2 * index + 1] ?? 0) / 1000)),
        isExceeded: passed === 0 && used >= window.limit,
      };
    });
  }
}
