import type { SharedStore, StoreScript } from '@portcullis/plugin-runtime';
import { COUNTERS_MAX } from '../client-usages.ts';
import type { LimitWindow } from '../limit-window.ts';
import { MomentBudget } from '../moment-budget.ts';
import type { LimitStanding } from '../request-limits.ts';
import { SlidingUsage } from '../sliding-usage.ts';
import { FixedUsage } from '../usage.ts';
import { shareScript } from './share-script.ts';
import { SharedUsage } from './shared-usage.ts';

/** Clients in one call: a call takes the store well below a millisecond. */
const CLIENTS_PER_CALL = 64;

/** How long a call may take; nobody waits for it. */
const CALL_TIMEOUT_MS = 1000;

/** Settings of {@link SyncedLimits}. */
export interface SyncedLimitsOptions {
  readonly windows: readonly LimitWindow[];
  readonly isSliding: boolean;
  readonly store: SharedStore;
  readonly instanceId: string;
  /** Names this process among the others: nobody else has it. */
  readonly processId: string;
  /** Called when there is no place for another client; new ones share one counter then. */
  readonly onCrowded: () => void;
  /** Clients times windows. Default: {@link COUNTERS_MAX}. */
  readonly countersMax?: number;
}

type Client = readonly SharedUsage[];

/**
 * The limits of one instance, counted in memory, and made known to the other processes now and then by {@link SyncedLimits.sync}.
 * A process refuses when what it has counted itself and what it has heard of the others make the limit.
 */
export class SyncedLimits {
  readonly #options: SyncedLimitsOptions;
  readonly #script: StoreScript = shareScript();
  readonly #prefix: string;
  readonly #clientsMax: number;
  readonly #budget = new MomentBudget();
  readonly #clients = new Map<string, Client>();
  /** Those that sent requests since they were last made known. */
  #seen = new Map<string, Client>();
  #newcomers: Client | undefined;
  #isInTouch = true;

  constructor(options: SyncedLimitsOptions) {
    const { windows, isSliding, instanceId, countersMax = COUNTERS_MAX } = options;
    this.#options = options;
    const spans = windows.map((window) => (isSliding ? window.nominalSeconds : window.spanName));
    this.#prefix = `limits:${encodeURIComponent(instanceId)}:shared:${isSliding ? 'sliding' : 'fixed'}:${spans.join(',')}:`;
    this.#clientsMax = Math.max(1, Math.floor(countersMax / windows.length));
  }

  /** Whether the last time to speak to the others was a success. True before the first. */
  get isInTouch(): boolean {
    return this.#isInTouch;
  }

  /** Clients that are counted now. */
  get size(): number {
    return this.#clients.size;
  }

  /** Decides one request, and counts it only when all windows have room. @param nowMs never less than before */
  take(client: string, nowMs: number): readonly LimitStanding[] {
    const usages = this.#find(client);
    const { windows } = this.#options;
    const used = usages.map((usage) => usage.used(nowMs));
    const hasRoom = windows.every(({ limit }, index) => (used[index] ?? 0) < limit);
    return windows.map((window, index) => {
      const usage = usages[index] as SharedUsage;
      const before = used[index] as number;
      const isExceeded = before >= window.limit;
      if (hasRoom) usage.count(nowMs);
      const resetMs = isExceeded ? usage.waitMs(nowMs, window.limit) : usage.resetMs(nowMs);
      const remaining = Math.max(0, window.limit - before - (hasRoom ? 1 : 0));
      return { window, remaining, resetSeconds: Math.ceil(resetMs / 1000), isExceeded };
    });
  }

  /**
   * Tells the others of all clients that sent requests since the last time, and hears of them. Rejects never; what could not be told is
   * told the next time.
   * @param readMs the time now, asked when an answer is there
   */
  async sync(readMs: () => number): Promise<void> {
    this.#look(readMs());
    const seen = [...this.#seen];
    this.#seen = new Map();
    // Out of touch, it asks even when there is nothing to tell.
    if (seen.length === 0 && this.#isInTouch) return;
    let from = 0;
    do {
      try {
        await this.#exchange(seen.slice(from, from + CLIENTS_PER_CALL), readMs);
        this.#isInTouch = true;
      } catch {
        this.#isInTouch = false;
        for (const [client, usages] of seen.slice(from)) this.#seen.set(client, usages);
        return;
      }
      from += CLIENTS_PER_CALL;
    } while (from < seen.length);
  }

  async #exchange(clients: readonly (readonly [string, Client])[], readMs: () => number): Promise<void> {
    const { store, windows, isSliding, processId } = this.#options;
    const toldMs = readMs();
    const told = clients.flatMap(([, usages]) =>
      usages.flatMap((usage, index) =>
        usage.told(toldMs, isSliding ? (windows[index]?.nominalSeconds ?? 0) * 1000 : undefined),
      ),
    );
    const keys = clients.map(([client]) => this.#prefix + client);
    const answer = await store.run(this.#script, keys, [processId, windows.length, ...told], {
      timeoutMs: CALL_TIMEOUT_MS,
    });
    if (!Array.isArray(answer) || answer.length !== told.length)
      throw new TypeError('limits_share gave another answer');
    const nowMs = readMs();
    let place = 0;
    for (const [, usages] of clients) {
      for (const usage of usages) {
        usage.hear(Number(answer[place]), Number(answer[place + 1]), nowMs);
        place += 2;
      }
    }
  }

  #find(client: string): Client {
    let usages = this.#clients.get(client);
    if (usages === undefined) {
      if (this.#clients.size >= this.#clientsMax) {
        this.#options.onCrowded();
        return (this.#newcomers ??= this.#create());
      }
      this.#clients.set(client, (usages = this.#create()));
    }
    this.#seen.set(client, usages);
    return usages;
  }

  #create(): Client {
    const { windows, isSliding } = this.#options;
    return windows.map(
      (window) =>
        new SharedUsage(
          isSliding ? new SlidingUsage(window.nominalSeconds * 1000, this.#budget) : new FixedUsage(window),
        ),
    );
  }

  /**
   * Clients of which nothing counts any more, here or elsewhere, are not kept; nobody else is ever forgotten. What slid out of a window here
   * is told to the others; fixed windows end for all.
   */
  #look(nowMs: number): void {
    const { isSliding } = this.#options;
    for (const [client, usages] of this.#clients) {
      if (this.#seen.has(client)) continue;
      const isToldWrong = isSliding && usages.some((usage) => usage.isToldWrong(nowMs));
      if (isToldWrong) this.#seen.set(client, usages);
      if (isToldWrong || !usages.every((usage) => usage.isIdle(nowMs))) continue;
      for (const usage of usages) usage.drop();
      this.#clients.delete(client);
    }
  }
}
