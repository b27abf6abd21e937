import { hash } from 'node:crypto';
import type { Clock } from '@portcullis/plugin-runtime';

/** Most nonces that are remembered. Beyond it requests are refused: to forget one would let its request in again. */
export const NONCES_MAX = 100_000;

/** Nonces of requests that passed, for as long as their signatures could be good. They are this process's own. */
export class SeenNonces {
  /** When each is forgotten, by digest, in the order in which they came. All stay equally long, so that the oldest goes first. */
  readonly #untilMs = new Map<string, number>();
  readonly #clock: Clock;
  readonly #lifetimeMs: number;

  /** @param skewMs a signature of the furthest future that is accepted is good for twice as long */
  constructor(clock: Clock, skewMs: number) {
    this.#clock = clock;
    this.#lifetimeMs = 2 * skewMs;
  }

  /** Takes a nonce of a request whose signature is right: `seen` when another had it, `full` when there is no room. */
  take(keyId: string, nonce: string): 'new' | 'seen' | 'full' {
    const nowMs = this.#clock.monotonicMs();
    this.#forget(nowMs);
    const digest = hash('sha256', `${keyId.length}:${keyId}${nonce}`, 'base64');
    if (this.#untilMs.has(digest)) return 'seen';
    if (this.#untilMs.size >= NONCES_MAX) return 'full';
    this.#untilMs.set(digest, nowMs + this.#lifetimeMs);
    return 'new';
  }

  #forget(nowMs: number): void {
    for (const [digest, untilMs] of this.#untilMs) {
      if (untilMs >= nowMs) return;
      this.#untilMs.delete(digest);
    }
  }
}
