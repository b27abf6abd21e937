import type { Transaction } from 'kysely';
import type { BulkRow } from '../database/bulk-insert.ts';
import type { Tables } from '../database/tables.ts';

/** An administrative act, as the code that performs it describes it. Secrets are masked before they get here. */
export interface AuditEntry {
  /** Empty for acts outside any tenant. */
  readonly tenantId: string;
  readonly actorId: string;
  readonly actorUsername: string;
  readonly action: string;
  readonly entityType: string;
  readonly entityId: string;
  readonly requestId: string;
  readonly sourceIp: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Acts as they will stand in the log: worked out, and not in it yet. */
export interface WrittenActs {
  readonly rows: readonly BulkRow[];
}

/**
 * Where acts are recorded. `append` writes in the act's own transaction: either both are there or neither.
 * Chaining the hashes is a sequencer's work after the commit. Source: decisions, 16.
 */
export interface AuditPort {
  append(transaction: Transaction<Tables>, entries: readonly AuditEntry[]): Promise<void>;
  /** The slow part of `append`, for acts whose transaction is yet to begin: others wait for that. Takes turns with others. */
  writeDown(entries: readonly AuditEntry[]): Promise<WrittenActs>;
  /** The rest of it. */
  appendWritten(transaction: Transaction<Tables>, acts: WrittenActs): Promise<void>;
}
