import type { SyncedUsage } from './synced-usage.ts';

/** What a process knows of one client. Moments are of the own clock. */
export interface SyncedClient {
  readonly name: string;
  /** One for each window. */
  readonly usages: readonly SyncedUsage[];
  /** When the store was asked for what is known; before everything when it never was. */
  heardMs: number;
  /** The store's clock less the own one. */
  aheadMs: number;
  /** The first request since then; `undefined` when there was none. */
  seenMs: number | undefined;
  /** The call that this client is in. One that failed stays here until it was repeated with success. */
  telling: Promise<void> | undefined;
}
