import type { Transaction } from 'kysely';
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

/**
 * Where acts are recorded. `append` writes in the act's own transaction: either both are there or neither.
 * Chaining the hashes is a sequencer's work after the commit. Source: decisions, 16.
 */
export interface AuditPort {
  append(transaction: Transaction<Tables>, entries: readonly AuditEntry[]): Promise<void>;
}
