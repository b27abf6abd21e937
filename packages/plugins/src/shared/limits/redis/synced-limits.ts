import { SharedStoreError } from '@portcullis/plugin-runtime';
import { COUNTERS_MAX } from '../client-usages.ts';
import type { LimitStanding } from '../request-limits.ts';
import type { SyncedClient } from './synced-client.ts';
import { SyncedUsage } from './synced-usage.ts';
import { Tellings, type TellingsOptions } from './tellings.ts';

/** Clients in one call: a call takes the store about half a millisecond. */
const CLIENTS_PER_CALL = 64;

/** Calls under way at a time, beside those for clients that wait. */
const CALLS_AT_A_TIME = 8;

/** A window is told of at least so many times, however rarely the others are to be told. */
const TIMES_PER_WINDOW = 8;

/** What is known may be older than the interval by this part of it: the time that the next call has. */
const GRACE = 0.25;

/** Clients that are due within this part of the interval go along. */
const EARLY = 0.1;

/** Shortest pause between two looks at who is due. */
const PAUSE_MS_MIN = 10;

/** Part of the places from which on clients are told of at once, so that some can be forgotten. */
const CROWDED = 0.875;

/** Clients that are looked at to find a place for a new one. */
const LOOKED_AT_WHEN_FULL = 32;
const LOOKED_AT_WHEN_NEW = 2;

/** How long the last words may take altogether. */
const STOP_MS_MAX = 2000;

/** Settings of {@link SyncedLimits}. */
export interface SyncedLimitsOptions extends TellingsOptions {
  /** The time after which others are told of a request, at the latest. */
  readonly everyMs: number;
  /** Clients times windows. Default: {@link COUNTERS_MAX}. */
  readonly countersMax?: number;
}

/**
 * The limits of one instance, decided in memory from what the shared store said a short while ago and what was counted since. Whoever has not been heard
 * of for {@link SyncedLimits.freshMs} is asked for first. A client that used up its limit is told of before it is refused. So a request
 * passes only when all that passed anywhere `freshMs` and {@link SyncedLimits.everyMs} and two calls ago, and here since, has left room.
 */
export class SyncedLimits {
  readonly everyMs: number;
  readonly freshMs: number;
  readonly #options: SyncedLimitsOptions;
  readonly #tellings: Tellings;
  readonly #clientsMax: number;
  readonly #clients = new Map<string, SyncedClient>();
  /** Goes round and round over the clients. */
  #cursor = this.#clients.values();
  /** Those that sent requests since they were last told of, the first one first. */
  readonly #seen = new Set<SyncedClient>();
  #callsUnderWay = 0;
  #timer: unknown;
  #isStopped = false;

  constructor(options: SyncedLimitsOptions) {
    const { windows, countersMax = COUNTERS_MAX } = options;
    this.#options = options;
    this.#tellings = new Tellings(options);
    this.#clientsMax = Math.max(1, Math.floor(countersMax / windows.length));
    const shortestMs = Math.min(...windows.map(({ nominalSeconds }) => nominalSeconds)) * 1000;
    this.everyMs = Math.min(options.everyMs, shortestMs / TIMES_PER_WINDOW);
    this.freshMs = this.everyMs * (1 + GRACE);
  }

  /** Whether requests can be decided. */
  get isInTouch(): boolean {
    return this.#tellings.isInTouch;
  }

  /** Clients that are known now. */
  get size(): number {
    return this.#clients.size;
  }

  /** Whether a request of this client is decided without a wait, if it has room. */
  knows(name: string): boolean {
    const client = this.#clients.get(name);
    return client !== undefined && this.isInTouch && this.#isFresh(client, this.#options.nowMs());
  }

  /**
   * Decides one request, and counts it only when all windows have room.
   * @param name a bounded text
   * @returns a promise where the store has to be asked; it rejects with an error of the store
   */
  take(name: string): readonly LimitStanding[] | Promise<readonly LimitStanding[]> {
    if (!this.isInTouch) return unavailable('the processes cannot tell each other what they count');
    const nowMs = this.#options.nowMs();
    const client = this.#find(name, nowMs);
    if (client === undefined) return unavailable('the store was not told yet of so many clients');
    if (this.#isFresh(client, nowMs)) return this.#decideOrTell(client);
    return this.#ask(client).then(() => this.#decideOrTell(client));
  }

  /** Tells what was not told yet, for a bounded time. No requests come any more. Rejects never. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const { nowMs, timers } = this.#options;
    timers.clear(this.#timer);
    const lastMs = nowMs() + STOP_MS_MAX;
    await this.#tellings.stop();
    while (this.#seen.size > 0 && nowMs() < lastMs && !this.#tellings.isFailing) {
      const underWay = Array.from(this.#seen, ({ telling }) => telling).filter((telling) => telling !== undefined);
      const calls = Array.from({ length: CALLS_AT_A_TIME }, () => this.#tellSome(Number.POSITIVE_INFINITY));
      await Promise.allSettled([...calls, ...underWay]);
    }
  }

  #isFresh(client: SyncedClient, nowMs: number): boolean {
    return nowMs - client.heardMs <= this.freshMs;
  }

  #ask(client: SyncedClient): Promise<void> {
    if (client.telling !== undefined) return client.telling;
    if (this.#tellings.isFailing) return unavailable('the store does not answer');
    this.#unsee(client);
    return this.#tellings.tell([client]);
  }

  /** A refusal rests on what the store has counted; where it could say something else it is told, and asked, first. */
  #decideOrTell(client: SyncedClient): readonly LimitStanding[] | Promise<readonly LimitStanding[]> {
    const { windows, nowMs } = this.#options;
    const now = nowMs();
    for (let index = 0; index < windows.length; index += 1) {
      const usage = client.usages[index] as SyncedUsage;
      const isUsedUp = usage.used(now, client.aheadMs) >= (windows[index]?.limit ?? 0);
      if (!isUsedUp || !usage.isDoubtful(now)) continue;
      const decide = (): readonly LimitStanding[] => this.#decide(client);
      return this.#ask(client).then(decide, decide);
    }
    return this.#decide(client);
  }

  #decide(client: SyncedClient): readonly LimitStanding[] {
    const { windows, nowMs } = this.#options;
    const now = nowMs();
    const used = client.usages.map((usage) => usage.used(now, client.aheadMs));
    const hasRoom = windows.every(({ limit }, index) => (used[index] as number) < limit);
    this.#see(client, now);
    return windows.map((window, index) => {
      const usage = client.usages[index] as SyncedUsage;
      const before = used[index] as number;
      if (hasRoom) usage.count();
      const remaining = Math.max(0, window.limit - before - (hasRoom ? 1 : 0));
      const resetSeconds = Math.ceil(usage.waitMs(now) / 1000);
      return { window, remaining, resetSeconds, isExceeded: before >= window.limit };
    });
  }

  #see(client: SyncedClient, nowMs: number): void {
    if (client.seenMs !== undefined) return;
    client.seenMs = nowMs;
    this.#seen.add(client);
    this.#arm(this.everyMs);
  }

  #unsee(client: SyncedClient): void {
    client.seenMs = undefined;
    this.#seen.delete(client);
  }

  #arm(waitMs: number): void {
    if (this.#isStopped) return;
    this.#timer ??= this.#options.timers.set(() => {
      this.#timer = undefined;
      this.#tellDue();
    }, waitMs);
  }

  /** Tells of the clients whose time has come, so many at a time; each call that ends makes place for the next. */
  #tellDue(): void {
    const now = this.#options.nowMs();
    const isCrowded = this.#clients.size >= this.#clientsMax * CROWDED;
    const dueMs = isCrowded ? now : now - this.everyMs * (1 - EARLY);
    while (this.#callsUnderWay < CALLS_AT_A_TIME) {
      const call = this.#tellSome(dueMs);
      if (call === undefined) break;
      this.#callsUnderWay += 1;
      const ended = (): void => {
        this.#callsUnderWay -= 1;
        if (!this.#isStopped) this.#tellDue();
      };
      call.then(ended, ended);
    }
    const [next] = this.#seen;
    if (next?.seenMs === undefined) return;
    // While calls fail, those that failed are tried first: see Tellings.
    const waitMs = next.seenMs + this.everyMs - now;
    this.#arm(Math.max(waitMs, this.everyMs * EARLY, PAUSE_MS_MIN));
  }

  /** Tells of clients that were seen up to a moment, the first ones first; `undefined` when there are none, or it has to wait. */
  #tellSome(untilMs: number): Promise<void> | undefined {
    if (this.#tellings.isFailing) return undefined;
    const due: SyncedClient[] = [];
    for (const client of this.#seen) {
      if (due.length >= CLIENTS_PER_CALL || (client.seenMs ?? 0) > untilMs) break;
      // What is counted while a call is under way is told after it.
      if (client.telling !== undefined) continue;
      this.#unsee(client);
      due.push(client);
    }
    return due.length === 0 ? undefined : this.#tellings.tell(due);
  }

  /** A client; `undefined` when there is no place for a new one. Forgetting one of which all is told costs a question when it comes back. */
  #find(name: string, nowMs: number): SyncedClient | undefined {
    const known = this.#clients.get(name);
    if (known !== undefined) return known;
    const isFull = this.#clients.size >= this.#clientsMax;
    this.#forget(nowMs, isFull ? LOOKED_AT_WHEN_FULL : LOOKED_AT_WHEN_NEW);
    if (this.#clients.size >= this.#clientsMax * CROWDED) this.#tellDue();
    if (this.#clients.size >= this.#clientsMax) return undefined;
    const { windows, isSliding } = this.#options;
    const usages = windows.map((window) => new SyncedUsage(window, isSliding));
    const client: SyncedClient = {
      ...{ name, usages, heardMs: Number.NEGATIVE_INFINITY, aheadMs: 0, seenMs: undefined, telling: undefined },
    };
    this.#clients.set(name, client);
    return client;
  }

  #forget(nowMs: number, lookedAt: number): void {
    const isFull = lookedAt === LOOKED_AT_WHEN_FULL;
    for (let looked = 0; looked < lookedAt; looked += 1) {
      let next = this.#cursor.next();
      if (next.done) next = (this.#cursor = this.#clients.values()).next();
      const client = next.value;
      if (client === undefined) return;
      const isTold = client.telling === undefined && !client.usages.some(({ hasUntold }) => hasUntold);
      if (!isTold || (!isFull && this.#isFresh(client, nowMs))) continue;
      this.#unsee(client);
      this.#clients.delete(client.name);
      if (isFull) return;
    }
  }
}

function unavailable(message: string): Promise<never> {
  return Promise.reject(new SharedStoreError('unavailable', message));
}
