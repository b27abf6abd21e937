/** Who is compared with others. */
export interface Contender {
  /** Does what is measured for one client. */
  readonly run: (address: string) => unknown;
  /** In a round: fewer of what takes long. */
  readonly requests: number;
  /** Whether the time of the clock counts, because another process does the work. Default: this process' processor time. */
  readonly isWaiting?: boolean;
}
