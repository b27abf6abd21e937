import { NoteError, type NoteSigner } from '@portcullis/audit-chain';
import type { AuditCheckpointRow, AuditHeadRow } from '../../database/audit-tables.ts';
import type { Executor } from '../../database/database.ts';
import { headOf } from '../operations/chain-port.ts';
import { auditKeysOf } from './audit-signer.ts';
import { checkContinues } from './checked-root.ts';
import { InconsistentLogError } from './inconsistent-log.ts';
import { openSigned, verifiersOf } from './signed-checkpoint.ts';
import { holdTo, type VouchedHeads } from './vouched-heads.ts';

/** A chain that continues all that is known of it. */
export interface CheckedChain {
  readonly head: AuditHeadRow;
  /** What the database says was signed last. */
  readonly last: AuditCheckpointRow | undefined;
}

/** The newest checkpoint of a chain. */
export async function newestCheckpoint(executor: Executor, chain: string): Promise<AuditCheckpointRow | undefined> {
  return executor
    .selectFrom('audit_checkpoints')
    .selectAll()
    .where('chain', '=', chain)
    .orderBy('size', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/**
 * Reads a chain's head and newest checkpoint, and holds the chain to that one and to all that this process knows.
 * @throws InconsistentLogError
 */
export async function checkedChain(
  executor: Executor,
  chain: string,
  { vouched, signer }: { readonly vouched: VouchedHeads; readonly signer: Pick<NoteSigner, 'verifierKey'> },
): Promise<CheckedChain> {
  // In this order, as others write meanwhile: what was signed is never ahead of a head that was read after it.
  const claims = vouched.claims(chain);
  const last = await newestCheckpoint(executor, chain);
  const head = await headOf(executor, chain);
  for (const claim of claims) await holdTo(executor, head, claim);
  if (last === undefined) {
    if (claims.length === 0) await checkContinues(executor, head);
  } else if (!vouched.isNewest(chain, last)) {
    await checkNote(executor, last, signer);
    await holdTo(executor, head, { ...last, isStrict: true });
  }
  return { head, last };
}

/** What the database says was signed last counts only as it was signed. */
async function checkNote(
  executor: Executor,
  { chain, size, root, note }: AuditCheckpointRow,
  { verifierKey }: Pick<NoteSigner, 'verifierKey'>,
): Promise<void> {
  const stored = await auditKeysOf(executor);
  const verifiers = verifiersOf([verifierKey, ...stored.map((row) => row.verifier_key)]);
  try {
    const signed = openSigned(note, chain, verifiers);
    if (signed.size === size && signed.root === root) return;
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
  }
  throw new InconsistentLogError('the checkpoint that is stored as the last one was not signed so', 'foreign_key');
}
