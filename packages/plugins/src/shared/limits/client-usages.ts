import type { Usage } from './usage.ts';

/** Most counters of one instance: clients times limits. */
export const COUNTERS_MAX = 65_536;

/** Entries that are looked at to find a place for a new client when all are taken. */
const LOOKED_AT_WHEN_FULL = 32;

/** Entries that are looked at with each new client otherwise: twice as fast as clients come, what is over goes. */
const LOOKED_AT_WHEN_NEW = 2;

/** An instance that counts in a window's counters. */
export interface UsagesUser {
  /** Clients for which it asks for a place. */
  readonly clientsMax: number;
  /** Used units from which on it refuses a client. */
  readonly refusedFrom: number;
  /** Called when a client is forgotten whose units still count, or cannot be counted by itself. */
  readonly onCrowded: () => void;
}

/**
 * The clients of one window, bounded. When there is no place for another client, one goes of which nothing counts any more;
 * else, among some, the one that has used least. A client that is refused now is never forgotten: if there are only
 * such, newcomers share one counter. So nobody gets rid of a limit by making the gateway forget it.
 */
export class ClientUsages {
  readonly #create: () => Usage;
  readonly #users = new Set<UsagesUser>();
  readonly #clients = new Map<string, Usage>();
  /** Goes round and round over the clients. */
  #cursor = this.#clients.entries();
  #newcomers: Usage | undefined;
  #clientsMax = 1;
  #refusedFrom = Number.POSITIVE_INFINITY;

  /** @param create makes the usage of a new client */
  constructor(create: () => Usage) {
    this.#create = create;
  }

  /** Clients that are held now. */
  get size(): number {
    return this.#clients.size;
  }

  /** The largest of the users' bounds and the strictest of their limits are what counts. */
  addUser(user: UsagesUser): void {
    this.#users.add(user);
    this.#judgeAnew();
  }

  /** @returns whether somebody still counts here; what was counted is gone otherwise */
  removeUser(user: UsagesUser): boolean {
    this.#users.delete(user);
    this.#judgeAnew();
    if (this.#users.size > 0) return true;
    for (const [client, usage] of this.#clients) this.#delete(client, usage);
    this.#newcomers?.drop();
    this.#newcomers = undefined;
    return false;
  }

  /** The usage of a client; a new one for a new client. */
  find(client: string, nowMs: number): Usage {
    const known = this.#clients.get(client);
    if (known !== undefined) return known;
    const isFull = this.#clients.size >= this.#clientsMax;
    this.#forget(nowMs, isFull ? LOOKED_AT_WHEN_FULL : LOOKED_AT_WHEN_NEW);
    if (this.#clients.size >= this.#clientsMax) return (this.#newcomers ??= this.#create());
    const usage = this.#create();
    this.#clients.set(client, usage);
    return usage;
  }

  /** Looks at a few clients and forgets those of which nothing counts any more. */
  sweep(nowMs: number): void {
    for (let looked = 0; looked < LOOKED_AT_WHEN_NEW; looked += 1) {
      const next = this.#next();
      if (next?.[1].isIdle(nowMs) === true) this.#delete(next[0], next[1]);
    }
  }

  #forget(nowMs: number, lookedAt: number): void {
    let leastUsed: readonly [string, Usage] | undefined;
    let leastUnits = this.#refusedFrom;
    for (let looked = 0; looked < lookedAt; looked += 1) {
      const next = this.#next();
      if (next === undefined) return;
      const [client, usage] = next;
      const units = usage.used(nowMs);
      if (units === 0) this.#delete(client, usage);
      else if (units < leastUnits) {
        leastUsed = next;
        leastUnits = units;
      }
    }
    if (this.#clients.size < this.#clientsMax) return;
    for (const { onCrowded } of this.#users) onCrowded();
    if (leastUsed !== undefined) this.#delete(...leastUsed);
  }

  #delete(client: string, usage: Usage): void {
    usage.drop();
    this.#clients.delete(client);
  }

  #next(): [string, Usage] | undefined {
    const next = this.#cursor.next();
    if (!next.done) return next.value;
    this.#cursor = this.#clients.entries();
    return this.#cursor.next().value;
  }

  #judgeAnew(): void {
    const users = [...this.#users];
    this.#clientsMax = Math.max(1, ...users.map(({ clientsMax }) => clientsMax));
    this.#refusedFrom = Math.min(...users.map(({ refusedFrom }) => refusedFrom));
  }
}
