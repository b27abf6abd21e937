import type { Usage } from './usage.ts';

/** Most counters of one instance: clients times limits. */
export const COUNTERS_MAX = 65_536;

/** Entries that are looked at to find a place for a new client when all are taken. */
const LOOKED_AT_WHEN_FULL = 32;

/** Entries that are looked at with each new client otherwise: twice as fast as clients come, what is over goes. */
const LOOKED_AT_WHEN_NEW = 2;

/** How the usages of a client are made and judged. */
export interface UsageKind {
  /** A usage for each limit. */
  readonly create: () => readonly Usage[];
  /** The largest part of a limit that is used: 1 when the client is refused. */
  readonly share: (usages: readonly Usage[], nowMs: number) => number;
}

/**
 * The clients of an instance, bounded. When there is no place for another client, one goes of which nothing counts any more;
 * else, among some, the one that has used least. A client that is refused now is never forgotten: if there are only
 * such, newcomers share one counter. So nobody gets rid of a limit by making the gateway forget it.
 */
export class ClientUsages {
  readonly #kind: UsageKind;
  readonly #clientsMax: number;
  readonly #onCrowded: () => void;
  readonly #clients = new Map<string, readonly Usage[]>();
  /** Goes round and round over the clients. */
  #cursor = this.#clients.entries();
  #newcomers: readonly Usage[] | undefined;

  /** @param onCrowded called when a client is forgotten whose requests still count, or cannot be counted by itself */
  constructor(kind: UsageKind, clientsMax: number, onCrowded: () => void) {
    this.#kind = kind;
    this.#clientsMax = clientsMax;
    this.#onCrowded = onCrowded;
  }

  /** Clients that are held now. */
  get size(): number {
    return this.#clients.size;
  }

  /** The usages of a client; new ones for a new client. */
  find(client: string, nowMs: number): readonly Usage[] {
    const known = this.#clients.get(client);
    if (known !== undefined) return known;
    const isFull = this.#clients.size >= this.#clientsMax;
    this.#forget(nowMs, isFull ? LOOKED_AT_WHEN_FULL : LOOKED_AT_WHEN_NEW);
    if (this.#clients.size >= this.#clientsMax) return (this.#newcomers ??= this.#kind.create());
    const usages = this.#kind.create();
    this.#clients.set(client, usages);
    return usages;
  }

  #forget(nowMs: number, lookedAt: number): void {
    let leastUsed: string | undefined;
    let leastShare = 1;
    for (let looked = 0; looked < lookedAt; looked += 1) {
      const next = this.#next();
      if (next === undefined) return;
      const [client, usages] = next;
      if (usages.every((usage) => usage.isIdle(nowMs))) this.#clients.delete(client);
      else if (this.#kind.share(usages, nowMs) < leastShare) {
        leastUsed = client;
        leastShare = this.#kind.share(usages, nowMs);
      }
    }
    if (this.#clients.size < this.#clientsMax) return;
    this.#onCrowded();
    if (leastUsed !== undefined) this.#clients.delete(leastUsed);
  }

  #next(): [string, readonly Usage[]] | undefined {
    const next = this.#cursor.next();
    if (!next.done) return next.value;
    this.#cursor = this.#clients.entries();
    return this.#cursor.next().value;
  }
}
