import { CompactRange, consistencyProof, rangeRoot, verifyConsistency } from '@portcullis/audit-chain';
import type { AuditHeadRow } from '../../database/audit-tables.ts';
import type { Executor } from '../../database/database.ts';
import { InconsistentLogError } from './inconsistent-log.ts';
import { subtreesOf } from './origin.ts';
import { createTreeReader } from './tree-reader.ts';

/** A state of a chain that is vouched for: so many records had this root. */
export interface VouchedHead {
  readonly size: number;
  /** Lower-case hex. */
  readonly root: string;
}

/**
 * Makes certain that a chain as it stands continues an earlier state, and that records, nodes and head say the same; without
 * an earlier state it is checked from its beginning.
 * @throws InconsistentLogError; PrunedTreeError where retention deleted what the comparison takes
 */
export async function checkContinues(executor: Executor, head: AuditHeadRow, earlier?: VouchedHead): Promise<void> {
  const size = head.sequence;
  const root = rootOf(head);
  const tree = createTreeReader(executor, head.chain);
  if (earlier === undefined) {
    if (size > 0 && (await rangeRoot({ start: 0, end: size }, tree)) !== root) {
      throw new InconsistentLogError('the records do not have the root that the head of the log says');
    }
    return;
  }
  if (size < earlier.size) {
    throw new InconsistentLogError('the log is shorter than the checkpoint that was signed last', 'tail_deleted');
  }
  const proof = await consistencyProof(earlier.size, size, tree);
  if (!verifyConsistency({ from: earlier.size, fromRoot: earlier.root, to: size, toRoot: root, proof })) {
    throw new InconsistentLogError('the log does not continue the checkpoint that was signed last');
  }
}

/** The root that a head says. @throws InconsistentLogError for one that is none */
export function rootOf(head: Pick<AuditHeadRow, 'sequence' | 'subtree_hashes'>): string {
  try {
    return CompactRange.from(head.sequence, subtreesOf(head)).root();
  } catch {
    throw new InconsistentLogError('the head of the log is malformed');
  }
}
