import type { Mode } from '../peers/terms.ts';

/** What one peer took in one repetition. */
export interface Measurement {
  readonly peer: string;
  readonly mode: Mode;
  /** User and system time of the peer's process tree. */
  readonly cpuSecondsPer1000: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Resident memory of the process tree at the end of the load. */
  readonly residentMegabytes: number;
  readonly errors: number;
  /** Share of the answered requests that the peer has reported; absent where it reports none. */
  readonly reportedShare?: number;
}
