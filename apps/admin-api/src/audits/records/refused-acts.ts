import { LRUCache } from 'lru-cache';
import { DatabaseUnavailableError } from '../../database/database-errors.ts';
import type { Database } from '../../database/database.ts';
import type { AuditEntry, AuditPort } from '../audit-port.ts';

/** How many records of refused acts there may be; each bucket wins one back every `refillMs`. */
export const refusedActLimits = {
  actor: { capacity: 10, refillMs: 6_000 },
  tenant: { capacity: 60, refillMs: 1_000 },
} as const;
/** Actors and tenants that are remembered; the least recently seen are forgotten. */
const bucketsMax = 20_000;
/** Refused acts that wait for the database; more are counted and not kept. */
const waitingMax = 1_000;

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
  /** Takes an act down, unless its actor or tenant has had too many; the next record then says how many were left out. */
  note(entry: AuditEntry): void;
  /** Writes down what waits. What cannot be written now stays for the next time. */
  flush(): Promise<void>;
}

interface Bucket {
  left: number;
  atMs: number;
  /** Acts without a record since the last one. */
  leftOut: number;
}

/** The recorder of one process; with several replicas each has its own bounds. Lost when the process is killed. */
export function createRefusedActs(parts: RefusedActsParts): RefusedActs {
  const buckets = new LRUCache<string, Bucket>({ max: bucketsMax });
  const waiting: AuditEntry[] = [];
  let writing: Promise<void> | undefined;
  let later: NodeJS.Timeout | undefined;

  const bucketOf = (key: string, { capacity, refillMs }: { capacity: number; refillMs: number }): Bucket => {
    const nowMs = parts.monotonicMs();
    const bucket = buckets.get(key) ?? { left: capacity, atMs: nowMs, leftOut: 0 };
    bucket.left = Math.min(capacity, bucket.left + (nowMs - bucket.atMs) / refillMs);
    bucket.atMs = nowMs;
    buckets.set(key, bucket);
    return bucket;
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
      const actor = bucketOf(`actor ${entry.tenantId} ${subjectOf(entry)}`, refusedActLimits.actor);
      const tenant = bucketOf(`tenant ${entry.tenantId}`, refusedActLimits.tenant);
      if (actor.left < 1 || tenant.left < 1 || waiting.length >= waitingMax) {
        actor.leftOut += 1;
        return;
      }
      actor.left -= 1;
      tenant.left -= 1;
      waiting.push(actor.leftOut === 0 ? entry : withCount(entry, actor.leftOut));
      actor.leftOut = 0;
      later ??= setTimeout(() => {
        later = undefined;
        flush().catch((error: unknown) => parts.log.warn({ err: error }, 'refused acts could not be recorded'));
      }, flushDelayMs).unref();
    },
    flush,
  };
}

/** Who is kept within bounds: who acted, or who was meant where that is not known. */
function subjectOf({ actorId, entityId }: AuditEntry): string {
  return actorId === '' ? `of ${entityId}` : actorId;
}

function withCount(entry: AuditEntry, leftOut: number): AuditEntry {
  return { ...entry, metadata: { ...entry.metadata, left_out_before: leftOut } };
}
