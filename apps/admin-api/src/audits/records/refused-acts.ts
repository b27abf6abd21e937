import { LRUCache } from 'lru-cache';
import { DatabaseUnavailableError } from '../../database/database-errors.ts';
import type { Database } from '../../database/database.ts';
import type { AuditEntry, AuditPort } from '../audit-port.ts';

/**
 * How many records of refused acts there may be; each bucket wins one back every `refillMs`. What is known of a caller and
 * what is tried by somebody unknown have buckets of their own, so that nobody outside can keep the acts of insiders unseen.
 */
export const refusedActLimits = {
  actor: { capacity: 10, refillMs: 6_000 },
  tenant: { capacity: 60, refillMs: 1_000 },
} as const;
/** Actors and tenants that are remembered; the least recently seen are forgotten. */
const bucketsMax = 20_000;
/** Refused acts that wait for the database; more are counted and not kept. */
const waitingMax = 1_000;
/** Actors with acts that were left out and not told yet; those of more are told for the tenant as a whole. */
const owedMax = 1_000;

/** Until a refused act is written, milliseconds: its answer has left by then, so that it takes as long as one without a record. */
const flushDelayMs = 100;

/** What refused acts are recorded with. */
export interface RefusedActsParts {
  readonly database: Pick<Database, 'transaction'>;
  readonly audit: AuditPort;
  readonly log: { warn(fields: object, message: string): void };
  /** A clock that never goes back, in milliseconds. */
  readonly monotonicMs: () => number;
}

/** Records acts that were refused. Nobody waits for it: how long an answer takes must not say what was found. */
export interface RefusedActs {
  /**
   * Takes an act down, unless its actor or tenant has had too many. How many were left out is said by the next record, or by
   * one of its own once there is a place for it: `left_out_before` of the actor, `left_out_of_tenant` of all of the tenant.
   */
  note(entry: AuditEntry): void;
  /** Writes down what waits. What cannot be written now stays for the next time. */
  flush(): Promise<void>;
}

interface Bucket {
  left: number;
  atMs: number;
}

/** Acts without a record, of an actor or a tenant. */
interface Owed {
  count: number;
  /** The last of them. */
  entry: AuditEntry;
}

/** The recorder of one process; with several replicas each has its own bounds. Lost when the process is killed. */
export function createRefusedActs(parts: RefusedActsParts): RefusedActs {
  const buckets = new LRUCache<string, Bucket>({ max: bucketsMax });
  const owed = new Map<string, Owed>();
  const waiting: AuditEntry[] = [];
  let writing: Promise<void> | undefined;
  let later: NodeJS.Timeout | undefined;

  const bucketOf = (key: string, { capacity, refillMs }: { capacity: number; refillMs: number }): Bucket => {
    const nowMs = parts.monotonicMs();
    const bucket = buckets.get(key) ?? { left: capacity, atMs: nowMs };
    bucket.left = Math.min(capacity, bucket.left + (nowMs - bucket.atMs) / refillMs);
    bucket.atMs = nowMs;
    buckets.set(key, bucket);
    return bucket;
  };
  const leaveOut = (key: string, entry: AuditEntry): void => {
    const before = owed.get(key)?.count ?? 0;
    // Those of actors can be told of the tenant as well; that nobody does is bounded by the number of tenants.
    const place = before > 0 || owed.size < owedMax ? key : tenantKey(entry);
    owed.set(place, { count: (owed.get(place)?.count ?? 0) + 1, entry });
  };
  /** What an act's record says beside it, which is then no longer owed. */
  const settle = (key: string): number => {
    const count = owed.get(key)?.count ?? 0;
    owed.delete(key);
    return count;
  };
  const hasPlace = (entry: AuditEntry): boolean =>
    bucketOf(actorKey(entry), refusedActLimits.actor).left >= 1 &&
    bucketOf(tenantKey(entry), refusedActLimits.tenant).left >= 1 &&
    waiting.length < waitingMax;
  /** Puts an act in line, for which there is a place, and with it what is owed. */
  const take = (entry: AuditEntry): void => {
    bucketOf(actorKey(entry), refusedActLimits.actor).left -= 1;
    bucketOf(tenantKey(entry), refusedActLimits.tenant).left -= 1;
    waiting.push(withCounts(entry, settle(actorKey(entry)), settle(tenantKey(entry))));
  };
  /** Makes a record for what was left out where there is a place again: of whoever has fallen silent as well. */
  const tellOwed = (): void => {
    for (const [key, { entry }] of Array.from(owed)) {
      if (!owed.has(key) || !hasPlace(entry)) continue;
      // The last one left out is recorded itself, with the number of those before it.
      const count = settle(key) - 1;
      if (count > 0) owed.set(key, { count, entry });
      take(entry);
    }
  };
  const write = async (): Promise<void> => {
    while (waiting.length > 0) {
      const entries = waiting.slice();
      try {
        await parts.database.transaction((transaction) => parts.audit.append(transaction, entries));
        waiting.splice(0, entries.length);
      } catch (error) {
        // What cannot be written at any time must not keep the rest from it.
        if (!(error instanceof DatabaseUnavailableError)) waiting.splice(0, entries.length);
        throw error;
      }
    }
  };
  const flush = async (): Promise<void> => {
    writing ??= write().finally(() => {
      writing = undefined;
    });
    await writing;
  };
  return {
    note(entry) {
      if (!hasPlace(entry)) {
        const isOfActor = bucketOf(actorKey(entry), refusedActLimits.actor).left < 1;
        leaveOut(isOfActor ? actorKey(entry) : tenantKey(entry), entry);
        return;
      }
      take(entry);
      later ??= setTimeout(() => {
        later = undefined;
        flush().catch((error: unknown) => parts.log.warn({ err: error }, 'refused acts could not be recorded'));
      }, flushDelayMs).unref();
    },
    async flush() {
      tellOwed();
      await flush();
    },
  };
}

function actorKey(entry: AuditEntry): string {
  // Who acted, or who was meant where that is not known.
  const { tenantId, actorId, entityId } = entry;
  return `actor ${tenantId} ${actorId === '' ? `of ${entityId}` : actorId}`;
}

function tenantKey({ tenantId, actorId }: AuditEntry): string {
  return `${actorId === '' ? 'strangers' : 'callers'} ${tenantId}`;
}

function withCounts(entry: AuditEntry, ofActor: number, ofTenant: number): AuditEntry {
  if (ofActor + ofTenant === 0) return entry;
  const counts = {
    ...(ofActor > 0 && { left_out_before: ofActor }),
    ...(ofTenant > 0 && { left_out_of_tenant: ofTenant }),
  };
  return { ...entry, metadata: { ...entry.metadata, ...counts } };
}
