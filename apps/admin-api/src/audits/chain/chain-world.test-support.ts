import { uuidv7 } from 'uuidv7';
import { expect } from 'vitest';
import type { Database } from '../../database/database.ts';
import type { AuditEntry } from '../audit-port.ts';
import { chainName } from '../operations/chain-port.ts';
import { verifyLog } from '../operations/verify-log.ts';
import { createAuditLog } from '../records/audit-log.ts';
import { createSequencer, type Sequencer, type SequencerParts } from './sequencer.ts';

const ignore = (): void => undefined;

/** An act of a tenant. */
export function someEntry(tenantId: string, entityId = 's1'): AuditEntry {
  const actor = { actorId: 'u1', actorUsername: 'ada', requestId: 'r1', sourceIp: '192.0.2.1' };
  return { ...actor, tenantId, action: 'update', entityType: 'service', entityId, after: { id: entityId } };
}

/** The log of acts as the service has it. */
export const auditLog = createAuditLog({ ids: uuidv7, clock: { nowMs: Date.now } });

/** Commits records, all in one transaction. */
export function write(database: Database, ...entries: readonly AuditEntry[]): Promise<void> {
  return database.transaction((transaction) => auditLog.append(transaction, entries));
}

/** A sequencer, and what it did. */
export interface SequencerUnderTest extends Sequencer {
  /** Sizes of its batches, empty ones too. */
  readonly batches: number[];
}

/** Makes one. */
export function sequencerOn(
  database: SequencerParts['database'],
  parts: Partial<SequencerParts> = {},
): SequencerUnderTest {
  const batches: number[] = [];
  const log = { warn: ignore };
  const onBatch = (count: number): void => void batches.push(count);
  return { batches, ...createSequencer({ database, log, monotonicMs: () => performance.now(), onBatch, ...parts }) };
}

/** How many records wait. */
export async function waiting(database: Database): Promise<number> {
  const query = database.read.selectFrom('audit_records').where('global_sequence', 'is', null);
  return (await query.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()).count;
}

/** Verifies the log over all tenants and those of some, with all that is stored of them, and counts the records. */
export async function expectWhole(database: Database, tenantIds: readonly string[]): Promise<number> {
  let checked = 0;
  for (const tenantId of [undefined, ...tenantIds]) {
    const log = { tenantId, chain: chainName(tenantId) };
    const { signal } = new AbortController();
    const verdict = await verifyLog({
      executor: database.read,
      log,
      logName: 'test',
      drain: async () => undefined,
      signal,
    });
    expect(verdict, tenantId ?? 'global').toMatchObject({ valid: true });
    if (tenantId === undefined) checked = verdict.checked;
  }
  return checked;
}
