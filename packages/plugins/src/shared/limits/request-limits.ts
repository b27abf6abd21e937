import { COUNTERS_MAX, ClientUsages } from './client-usages.ts';
import type { LimitWindow } from './limit-window.ts';
import { SlidingUsage } from './sliding-usage.ts';
import { FixedUsage, type Usage } from './usage.ts';

/** How one limit stands after a decision. */
export interface LimitStanding {
  readonly window: LimitWindow;
  /** Requests that would pass now. */
  readonly remaining: number;
  /** Whole seconds, at least 1, until there is more room: the end of the window, or with `sliding` of the oldest request. */
  readonly resetSeconds: number;
  readonly isExceeded: boolean;
}

/** Settings of {@link RequestLimits}. */
export interface RequestLimitsOptions {
  readonly windows: readonly LimitWindow[];
  readonly isSliding: boolean;
  /** See `ClientUsages`. */
  readonly onCrowded: () => void;
  /** Default: {@link COUNTERS_MAX}. */
  readonly countersMax?: number;
}

/** The limits of one instance, per client and in memory. */
export class RequestLimits {
  readonly #windows: readonly LimitWindow[];
  readonly #clients: ClientUsages;

  constructor({ windows, isSliding, onCrowded, countersMax = COUNTERS_MAX }: RequestLimitsOptions) {
    this.#windows = windows;
    const create = (): readonly Usage[] =>
      windows.map((window) => (isSliding ? new SlidingUsage(window) : new FixedUsage(window)));
    const share = (usages: readonly Usage[], nowMs: number): number =>
      Math.max(...usages.map((usage, index) => usage.used(nowMs) / (windows[index]?.limit ?? 1)));
    const clientsMax = Math.max(1, Math.floor(countersMax / windows.length));
    this.#clients = new ClientUsages({ create, share }, clientsMax, onCrowded);
  }

  /** Clients that are counted now. */
  get size(): number {
    return this.#clients.size;
  }

  /**
   * Decides one request, and counts it only when all limits have room. A refused request counts nowhere.
   * Source: wire, Rate-limit headers.
   * @param nowMs never less than before
   */
  take(client: string, nowMs: number): readonly LimitStanding[] {
    const windows = this.#windows;
    const usages = this.#clients.find(client, nowMs);
    let hasRoom = true;
    for (let index = 0; index < windows.length; index += 1) {
      if ((usages[index] as Usage).used(nowMs) >= (windows[index] as LimitWindow).limit) hasRoom = false;
    }
    const standings: LimitStanding[] = [];
    for (let index = 0; index < windows.length; index += 1) {
      const window = windows[index] as LimitWindow;
      const usage = usages[index] as Usage;
      const before = usage.used(nowMs);
      if (hasRoom) usage.count(nowMs);
      standings.push({
        window,
        remaining: window.limit - before - (hasRoom ? 1 : 0),
        resetSeconds: Math.ceil(usage.resetMs(nowMs) / 1000),
        isExceeded: before >= window.limit,
      });
    }
    return standings;
  }
}
