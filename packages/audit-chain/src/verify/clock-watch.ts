import type { Finding } from './verdict.ts';

/** By how much timestamps may go back unless the caller says otherwise: replicas' clocks differ, and a long write is chained late. */
export const CLOCK_SKEW_MS_MAX = 300_000;
/** How many findings are kept. */
export const FINDINGS_MAX = 100;

/** Notices that a clock was set back: timestamps of one log that go back by more than replicas' clocks differ. */
export class ClockWatch {
  readonly #skewMsMax: number;
  #latestMs = Number.NEGATIVE_INFINITY;
  readonly findings: Finding[] = [];

  constructor(skewMsMax: number = CLOCK_SKEW_MS_MAX) {
    this.#skewMsMax = skewMsMax;
  }

  /** Each time that a clock is set back is one finding: what follows is compared with the new time. */
  see(sequence: number, timestamp: unknown): void {
    const atMs = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
    if (Number.isNaN(atMs)) return;
    const behindMs = this.#latestMs - atMs;
    if (behindMs > this.#skewMsMax) {
      if (this.findings.length < FINDINGS_MAX) this.findings.push({ kind: 'clock_set_back', sequence, behindMs });
      this.#latestMs = atMs;
    } else if (behindMs < 0) {
      this.#latestMs = atMs;
    }
  }
}
