import type { Transaction } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Database } from '../../database/database.ts';
import type { Tables } from '../../database/tables.ts';
import type { AuditDrain } from '../operations/chain-port.ts';
import { isSomethingWaiting } from './chain-backlog.ts';
import { batchMax, chainPending } from './chain-pending.ts';
import { ChainMovedError, type KnownHeads, type StoredHead, type StoredHeads } from './chain-heads.ts';

/** Longest wait of an answer for the place of its record, milliseconds. Source: decisions, 16. */
export const answerWaitMs = 250;
/** Longest wait of a reader of the log for records that are on their way, milliseconds. A list shows only what is chained. */
export const drainWaitMs = 5_000;
/** Heads that are kept in memory; of others the database is asked. */
const headsMax = 1_000;
/** Tries of one batch whose heads somebody else moved meanwhile. */
const attemptsMax = 3;
/**
 * Most batches in one transaction. Under overload the sequencer waits for a connection behind as many writers as may wait, so
 * that its turn must take on more than they left; on SQLite others wait for it, so that it must not take long.
 */
const batchesMax = 3;
/** While the chain cannot be written it has one line of the log in this time. */
const lineEveryMs = 10_000;

/** What the sequencer is made of. */
export interface SequencerParts {
  /** Whose transactions do not wait for the sequencer themselves. */
  readonly database: Pick<Database, 'read' | 'transaction'>;
  readonly log: { warn(fields: object, message: string): void };
  /** A clock that never goes back, in milliseconds. */
  readonly monotonicMs: () => number;
  readonly onBatch?: (count: number) => void;
  readonly onFailure?: () => void;
  readonly onLate?: () => void;
}

/** Gives committed records their places in the chains, in batches. */
export interface Sequencer extends AuditDrain {
  /** Chains all that was committed before the call. @throws the database's error */
  chainAll(): Promise<void>;
  /** Waits for {@link chainAll}, but not longer than that, and never fails. @returns whether it was done in time */
  settle(waitMs: number): Promise<boolean>;
}

/**
 * The sequencer of one process. Whoever has committed a record asks for a round; those who ask while one is under way share
 * the next one, so that many writers cost one batch. Several processes take turns by a lock of the database's; one that
 * dies leaves nothing half done, because a batch is a transaction. Source: reliability, Audit chain, Sequencing; ADR 0039.
 */
export function createSequencer(parts: SequencerParts): Sequencer {
  const heads = new LRUCache<string, StoredHead>({ max: headsMax });
  const known: KnownHeads = { has: (chain: string) => heads.has(chain), get: (chain: string) => heads.get(chain) };
  let silentUntilMs = Number.NEGATIVE_INFINITY;
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<void> | undefined;

  /** @returns whether there may be more */
  const chainSome = async (): Promise<boolean> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const { moved, counts } = await parts.database.transaction((transaction) => chainBatches(transaction, known));
        for (const [chain, head] of moved) heads.set(chain, head);
        for (const count of counts) parts.onBatch?.(count);
        return counts.at(-1) === batchMax;
      } catch (error) {
        heads.clear();
        if (attempt >= attemptsMax || !(error instanceof ChainMovedError)) throw error;
      }
    }
  };
  const round = async (): Promise<void> => {
    while (await chainSome());
  };
  const report = (error: unknown): void => {
    parts.onFailure?.();
    if (parts.monotonicMs() < silentUntilMs) return;
    silentUntilMs = parts.monotonicMs() + lineEveryMs;
    parts.log.warn({ err: error }, 'audit records could not be chained; they wait and are tried again');
  };
  const chainAll = (): Promise<void> => {
    // A round that is under way may have looked before the caller's record was there.
    next ??= running.then(() => {
      next = undefined;
      const own = round();
      running = own.catch(report);
      return own;
    });
    return next;
  };
  const settle = async (waitMs: number): Promise<boolean> => {
    const isDone = await within(
      waitMs,
      chainAll().then(
        () => true,
        () => false,
      ),
    );
    if (!isDone) parts.onLate?.();
    return isDone;
  };
  return {
    chainAll,
    settle,
    async drain() {
      if (await isSomethingWaiting(parts.database.read)) await settle(drainWaitMs);
    },
  };
}

/** Batches in one transaction, each going on from the heads of the one before. */
async function chainBatches(
  transaction: Transaction<Tables>,
  known: KnownHeads,
): Promise<{ readonly moved: StoredHeads; readonly counts: readonly number[] }> {
  const moved = new Map<string, StoredHead>();
  const latest: KnownHeads = {
    has: (chain) => moved.has(chain) || known.has(chain),
    get: (chain) => moved.get(chain) ?? known.get(chain),
  };
  const counts: number[] = [];
  do {
    const { count, heads } = await chainPending(transaction, latest);
    for (const [chain, head] of heads) moved.set(chain, head);
    counts.push(count);
  } while (counts.at(-1) === batchMax && counts.length < batchesMax);
  return { moved, counts };
}

/** What a promise gives, or `false` when it takes longer. */
function within(waitMs: number, promise: Promise<boolean>): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, waitMs, false);
    promise.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}
