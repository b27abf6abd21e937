import type { Usage } from '../usage.ts';

/** What a client has used of one window, here and, as far as is known, at other processes. */
export class SharedUsage {
  readonly #own: Usage;
  #others = 0;
  #othersUntilMs = 0;
  #told = 0;

  constructor(own: Usage) {
    this.#own = own;
  }

  used(nowMs: number): number {
    return this.#own.used(nowMs) + (nowMs < this.#othersUntilMs ? this.#others : 0);
  }

  count(nowMs: number): void {
    this.#own.count(nowMs, 1);
  }

  /** Milliseconds until there is more room; as far as others are meant, at the latest. */
  resetMs(nowMs: number): number {
    return Math.max(this.#own.isIdle(nowMs) ? 0 : this.#own.resetMs(nowMs), this.#othersUntilMs - nowMs, 1);
  }

  /** Milliseconds until a request has room that has none now. */
  waitMs(nowMs: number, limit: number): number {
    const own = this.#own.used(nowMs) >= limit ? this.#own.waitMs(nowMs, limit - 1) : 0;
    return Math.max(own, this.#othersUntilMs - nowMs, 1);
  }

  isIdle(nowMs: number): boolean {
    return this.used(nowMs) === 0;
  }

  /**
   * What others are told: units, and milliseconds until they do not count.
   * @param lengthMs of a sliding window, in which the last unit may have been counted now; `undefined` for a fixed one
   */
  told(nowMs: number, lengthMs: number | undefined): readonly [units: number, leftMs: number] {
    const units = this.#own.used(nowMs);
    this.#told = units;
    return units === 0 ? [0, 0] : [units, lengthMs ?? this.#own.resetMs(nowMs)];
  }

  /** Whether the others were told another number than the one that is right now. */
  isToldWrong(nowMs: number): boolean {
    return this.#own.used(nowMs) !== this.#told;
  }

  /** Takes in what the others have. */
  hear(units: number, leftMs: number, nowMs: number): void {
    this.#others = units;
    this.#othersUntilMs = units === 0 ? 0 : nowMs + leftMs;
  }

  drop(): void {
    this.#own.drop();
  }
}
