import { hash } from 'node:crypto';

/**
 * Most nonces that are remembered for one tenant before every key has its share only, some 70 bytes each; twice as many with the shares.
 * Beyond them requests are refused: to forget a nonce would let its request in again.
 */
export const NONCES_MAX = 500_000;

/** Nonces are forgotten together, at the end of the period in which the last of them could be good, in milliseconds. */
export const PERIOD_MS = 60_000;

/** A nonce of a request whose signature is right. */
export interface GivenNonce {
  readonly tenantId: string;
  /** The plugin instance: several may see one request. Its ID stays when its config changes. */
  readonly instanceId: string;
  readonly keyId: string;
  readonly nonce: string;
  /** On the monotonic clock, in milliseconds: now, and until when the signature could be good. */
  readonly nowMs: number;
  readonly untilMs: number;
}

/** `seen`: another request had the nonce; `full`: there is no room for another one of this key. */
export type TakenNonce = 'new' | 'seen' | 'full';

/** Nonces of requests that passed, of all instances of a process. */
export class SeenNonces {
  readonly #tenants = new Map<string, TenantNonces>();
  readonly #noncesMax: number;

  /** @param noncesMax see {@link NONCES_MAX} */
  constructor(noncesMax: number = NONCES_MAX) {
    this.#noncesMax = noncesMax;
  }

  /** Tenants of whom something is remembered. */
  get size(): number {
    return this.#tenants.size;
  }

  take({ tenantId, instanceId, keyId, nonce, nowMs, untilMs }: GivenNonce): TakenNonce {
    const holder = JSON.stringify([instanceId, keyId]);
    const tenant = this.#tenants.get(tenantId) ?? this.#add(tenantId, nowMs);
    return tenant.take(holder, hash('sha256', `${holder}${nonce}`, 'binary'), nowMs, untilMs);
  }

  #add(tenantId: string, nowMs: number): TenantNonces {
    for (const [id, known] of this.#tenants) if (known.isEmpty(nowMs)) this.#tenants.delete(id);
    const tenant = new TenantNonces(this.#noncesMax);
    this.#tenants.set(tenantId, tenant);
    return tenant;
  }
}

interface Period {
  readonly digests: Set<string>;
  readonly counts: Map<string, number>;
}

/** One tenant's nonces. One key that fills them leaves room for the others. */
class TenantNonces {
  /** By the time at which each is forgotten. */
  readonly #periods = new Map<number, Period>();
  readonly #counts = new Map<string, number>();
  readonly #noncesMax: number;
  #size = 0;

  constructor(noncesMax: number) {
    this.#noncesMax = noncesMax;
  }

  take(holder: string, digest: string, nowMs: number, untilMs: number): TakenNonce {
    this.#forget(nowMs);
    for (const { digests } of this.#periods.values()) if (digests.has(digest)) return 'seen';
    if (!this.#hasRoom(holder)) return 'full';
    const { digests, counts } = this.#periodOf(untilMs);
    digests.add(digest);
    add(counts, holder, 1);
    add(this.#counts, holder, 1);
    this.#size += 1;
    return 'new';
  }

  isEmpty(nowMs: number): boolean {
    this.#forget(nowMs);
    return this.#size === 0;
  }

  #hasRoom(holder: string): boolean {
    if (this.#size < this.#noncesMax) return true;
    const held = this.#counts.get(holder);
    const share = this.#noncesMax / (this.#counts.size + (held === undefined ? 1 : 0));
    return this.#size < 2 * this.#noncesMax && (held ?? 0) < share;
  }

  #periodOf(untilMs: number): Period {
    const endMs = (Math.floor(untilMs / PERIOD_MS) + 1) * PERIOD_MS;
    const period = this.#periods.get(endMs) ?? { digests: new Set(), counts: new Map() };
    this.#periods.set(endMs, period);
    return period;
  }

  #forget(nowMs: number): void {
    for (const [endMs, { digests, counts }] of this.#periods) {
      if (nowMs < endMs) continue;
      this.#periods.delete(endMs);
      this.#size -= digests.size;
      for (const [holder, count] of counts) add(this.#counts, holder, -count);
    }
  }
}

function add(counts: Map<string, number>, holder: string, change: number): void {
  const count = (counts.get(holder) ?? 0) + change;
  if (count === 0) counts.delete(holder);
  else counts.set(holder, count);
}
