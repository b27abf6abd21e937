import { CompactRange, leafHash } from '@portcullis/audit-chain';
import type { Transaction } from 'kysely';
import type { Executor } from '../../database/database.ts';
import type { Tables } from '../../database/tables.ts';
import { systemActor } from '../../resources/actor.ts';
import { inWriteSession, type WriteSessionParts } from '../../resources/write-session.ts';
import { newestCheckpoint } from '../checkpoints/stored-checkpoints.ts';
import { subtreesOf } from '../checkpoints/origin.ts';
import { chainName, globalChain } from '../operations/chain-port.ts';
import { daysFor, type RetentionRules, retentionRules } from './retention-rules.ts';

/** How often the service looks for records that have been kept long enough. */
export const pruneEveryMs = 60_000;
/** Records in one transaction, so that no step holds the writer for long. */
const recordsPerStep = 500;
/** Steps of one run; what is left then waits for the next. */
const stepsMax = 40;
const dayMs = 86_400_000;

interface PrunedRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly occurred_at: number;
  readonly global_sequence: number;
  readonly tenant_sequence: number;
  readonly audit_hash: string;
  readonly global_hash: string;
}

/**
 * Deletes the oldest records that have been kept long enough, from the beginning of the log over all tenants and without a
 * gap: the first record that is still to be kept ends it, whoever's it is. Never beyond what was signed, of the whole log
 * and of each tenant's. What is kept of the deleted ones is enough for chains and proofs to go on. Replicas may run it at once.
 * @returns how many were deleted
 */
export async function pruneAudits(parts: WriteSessionParts, nowMs: number, steps: number = stepsMax): Promise<number> {
  const rules = await retentionRules(parts.database.read);
  if (rules.size === 0) return 0;
  let pruned = 0;
  for (let left = steps; left > 0; left -= 1) {
    const count = await pruneStep(parts, rules, nowMs);
    pruned += count;
    if (count < recordsPerStep) break;
  }
  return pruned;
}

/** One step, with a record about it, in which nobody else prunes: the lock is that of the system's own records. */
async function pruneStep(parts: WriteSessionParts, rules: RetentionRules, nowMs: number): Promise<number> {
  if ((await dueRows(parts.database.read, rules, nowMs)).length === 0) return 0;
  const { result } = await inWriteSession(parts, '', systemActor('retention'), async (session) => {
    const rows = await dueRows(session.transaction, rules, nowMs);
    const [first, last] = [rows[0], rows.at(-1)];
    if (first === undefined || last === undefined) return 0;
    await moveCuts(session.transaction, rows, nowMs);
    const ids = rows.map(({ id }) => id);
    await session.transaction.deleteFrom('audit_records').where('id', 'in', ids).execute();
    session.noteAct({
      action: 'prune',
      entityType: 'audit_log',
      entityId: globalChain,
      metadata: { from: first.global_sequence, through: last.global_sequence },
    });
    return rows.length;
  });
  return result;
}

/** The records from the beginning of the log that are signed and have been kept long enough, at most a step's. */
async function dueRows(executor: Executor, rules: RetentionRules, nowMs: number): Promise<readonly PrunedRow[]> {
  const signed = (await newestCheckpoint(executor, globalChain))?.size ?? 0;
  const rows = await executor
    .selectFrom('audit_records')
    .select(['id', 'tenant_id', 'occurred_at', 'global_sequence', 'tenant_sequence', 'audit_hash', 'global_hash'])
    .where('global_sequence', '<=', signed)
    .orderBy('global_sequence')
    .limit(recordsPerStep)
    .execute();
  const signedTenants = new Map<string, number>();
  const due: PrunedRow[] = [];
  for (const row of rows as readonly PrunedRow[]) {
    const days = daysFor(rules, row.tenant_id);
    if (days === undefined || row.occurred_at > nowMs - days * dayMs) break;
    if (!signedTenants.has(row.tenant_id)) {
      const checkpoint = await newestCheckpoint(executor, chainName(row.tenant_id));
      signedTenants.set(row.tenant_id, checkpoint?.size ?? 0);
    }
    if (row.tenant_sequence > (signedTenants.get(row.tenant_id) ?? 0)) break;
    due.push(row);
  }
  return due;
}

/** Notes for each chain where it now begins: the last deleted record's hash, and the tree over all that were deleted. */
async function moveCuts(transaction: Transaction<Tables>, rows: readonly PrunedRow[], nowMs: number): Promise<void> {
  const chains = new Map<string, PrunedRow[]>([[globalChain, [...rows]]]);
  for (const row of rows) {
    const chain = chainName(row.tenant_id);
    const own = chains.get(chain);
    if (own) own.push(row);
    else chains.set(chain, [row]);
  }
  const before = await transaction.selectFrom('audit_retention').selectAll().execute();
  for (const [chain, own] of chains) {
    const cut = before.find((row) => row.chain === chain);
    const range = CompactRange.from(cut?.pruned_through ?? 0, cut ? subtreesOf(cut) : []);
    for (const row of own) range.append(leafHash(row.audit_hash));
    const last = own.at(-1);
    if (last === undefined) continue;
    const values = {
      pruned_through: chain === globalChain ? last.global_sequence : last.tenant_sequence,
      hash: chain === globalChain ? last.global_hash : last.audit_hash,
      subtree_hashes: JSON.stringify(range.hashes),
      pruned_at: nowMs,
    };
    if (range.size !== values.pruned_through) throw new Error(`the records of ${chain} have a gap: nothing is deleted`);
    await transaction
      .insertInto('audit_retention')
      .values({ chain, ...values })
      .onConflict((conflict) => conflict.column('chain').doUpdateSet(values))
      .execute();
  }
}
