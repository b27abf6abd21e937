/*
 * What the processes of a tenant's gateways know together: counters, budgets. A runtime keeps nothing outside its process; the host passes a
 * `SharedStore` that speaks to a key-value store with scripts (Redis and what is compatible with it). It is a port of one call, because
 * what several processes count must be decided and counted in one step.
 */

/** A script in the store's language. Make each once: hosts keep by its object what they know of it. */
export interface StoreScript {
  /** For logs and errors, for instance `limits_fixed`. */
  readonly name: string;
  /** Lua as Redis 6.2 and later run it; keys come as `KEYS`, arguments as `ARGV`. */
  readonly lua: string;
}

/** Bounds of one call. */
export interface StoreCallOptions {
  /** How long the call may take, in milliseconds. What it changed in the store may stand even when it was too late. */
  readonly timeoutMs: number;
  /** Ends the wait: pass the exchange's signal. */
  readonly signal?: AbortSignal;
}

/** See the head of this file. */
export interface SharedStore {
  /**
   * Runs a script in one round trip; nothing else runs in the store meanwhile. Calls of one turn of the event loop go together, and wait for none before.
   * @param keys what the script reads and writes, all of it. The host puts the tenant before each: no plugin reaches what
   * other tenants keep, and an instance that runs in several gateways has the same keys in all. Begin them with what is the plugin's alone, the
   * instance's ID for instance. Give every key an expiry, bound their length, and never let a key hold what must not be read by the store's operator.
   * @returns what the script returns: text, whole numbers, `null`, lists of these
   * @throws an error whose `code` is a {@link SharedStoreFailure}; see {@link sharedStoreFailure}
   */
  run(
    script: StoreScript,
    keys: readonly string[],
    args: readonly (string | number)[],
    options: StoreCallOptions,
  ): Promise<unknown>;
}

/**
 * Why a call failed.
 * - `unavailable`: there is no store, no connection to it, or too many calls wait already. Nothing was sent, or nobody knows what became of it.
 * - `timeout`: it took longer than `timeoutMs`, or the signal fired.
 * - `failed`: the store refused the script, or the script failed.
 */
export type SharedStoreFailure = (typeof failures)[number];

const failures = ['unavailable', 'timeout', 'failed'] as const;

/** Why a call failed, whatever class the host's errors are of; `undefined` for an error that no call made. */
export function sharedStoreFailure(error: unknown): SharedStoreFailure | undefined {
  return error instanceof Error && 'code' in error ? failures.find((code) => code === error.code) : undefined;
}

/** A call that failed, for hosts that have no class of their own. The message names no address and no secret: it may be logged. */
export class SharedStoreError extends Error {
  override readonly name = 'SharedStoreError';
  readonly code: SharedStoreFailure;

  constructor(code: SharedStoreFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The store of hosts that have none: every call fails. Plugins may compare with it to say so when they are set up. */
export const noSharedStore: SharedStore = {
  run: () =>
    Promise.reject(new SharedStoreError('unavailable', 'this host has no shared store: it passes no `sharedStore`')),
};
