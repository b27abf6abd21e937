import {
  CompactRange,
  contentHash,
  createVerifier,
  leafHash,
  type LogBase,
  type Verdict,
} from '@portcullis/audit-chain';
import type { AuditRow } from '../../database/audit-tables.ts';
import type { Executor } from '../../database/database.ts';
import { Problem } from '../../http/problem.ts';
import { auditKeysOf } from '../checkpoints/audit-signer.ts';
import { originOf, subtreesOf } from '../checkpoints/origin.ts';
import { verifiersOf } from '../checkpoints/signed-checkpoint.ts';
import type { AskedLog } from './audit-parts.ts';
import { chainName, headOf } from './chain-port.ts';
import { displayedOf } from './displayed-columns.ts';
import { logBase, prunedRightly } from './log-base.ts';
import { exportRecordOf, storedRecords } from './stored-records.ts';
import { treeComparison } from './tree-comparison.ts';

/** Saved checkpoints that a log is held to, the newest. Each covers all before it; checking a signature takes 0.1 ms. */
const checkpointsMax = 64;

/** What is wrong with a log, at its first place. */
export interface FirstInvalid {
  /** In the log that was verified: the first that cannot be trusted. */
  readonly sequence: number;
  /** Of the record that stands there, if one does. */
  readonly id: string | null;
  readonly kind: string;
  readonly detail: string;
}

/** What a verification says. */
export interface LogVerdict {
  readonly valid: boolean;
  /** Records found good. */
  readonly checked: number;
  /** Values that were erased. */
  readonly redacted: number;
  /** The last sequence that retention deleted; 0 for none. */
  readonly pruned_through: number;
  readonly first_invalid?: FirstInvalid;
  /** The last record found good. */
  readonly head: { readonly sequence: number; readonly hash: string };
}

/** What a verification needs. */
export interface VerifyLogOptions {
  readonly executor: Executor;
  readonly log: AskedLog;
  readonly logName: string;
  /** Chains what waits. */
  readonly drain: () => Promise<void>;
  /** Ends it early. */
  readonly signal: AbortSignal;
}

/**
 * Verifies a stored log from its first record, or from where retention cut it, to its head: texts against hashes, hashes
 * against each other, columns against texts, values against commitments, kept nodes against leaves, and the whole against
 * the head and the saved checkpoints. In bounded memory; others have their turn between pages. @throws Problem when the signal fires
 */
export async function verifyLog(options: VerifyLogOptions): Promise<LogVerdict> {
  const base = await logBase(options.executor, options.log);
  const verdict = await verifyFrom(base, options);
  if (verdict.valid) return verdict;
  const now = await logBase(options.executor, options.log);
  // What was deleted by retention meanwhile is not missing.
  return now?.head.sequence === base?.head.sequence ? verdict : verifyFrom(now, options);
}

async function verifyFrom(
  base: LogBase | undefined,
  { executor, log, logName, drain, signal }: VerifyLogOptions,
): Promise<LogVerdict> {
  const { tenantId, chain } = log;
  // After the beginning: the record of who deleted what is before it has to be in the log.
  await drain();
  // Before the head: what was signed by now is of records that the head has, unless somebody set it back.
  const notes = await notesOf(executor, chain);
  let head = await headOf(executor, chain);
  const laterEnd = async (): Promise<number> => {
    await drain();
    head = await headOf(executor, chain);
    return head.sequence;
  };
  const keys = await auditKeysOf(executor);
  const verifier = createVerifier({
    scope: tenantId === undefined ? { kind: 'global' } : { kind: 'tenant', tenantId },
    base,
    checkpoints: keys.length === 0 ? [] : notes,
    keys: keys.map((key) => key.verifier_key).filter((key) => verifiersOf([key]).length > 0),
    origin: originOf(logName, tenantId),
    recordedRemovals: true,
    // The records that say so are in the log over all tenants.
    ...(tenantId !== undefined && base && { prunedThrough: await prunedRightly(executor, base) }),
  });
  const tree = treeComparison(executor, chain, CompactRange.from(base?.head.sequence ?? 0, base?.subtrees ?? []));
  let found: FirstInvalid | undefined;
  let inTree: FirstInvalid | undefined;
  let last: AuditRow | undefined;
  const after = base?.head.sequence ?? 0;
  for await (const rows of storedRecords(executor, { tenantId, after, through: head.sequence, laterEnd })) {
    if (signal.aborted) throw new Problem('unavailable', 'The caller went away');
    for (const row of rows) {
      last = row;
      found = unlinked(row, log);
      if (found || !verifier.pushRecord({ ...exportRecordOf(row), displayed: displayedOf(row) })) break;
      found = rehashed(row, log);
      if (found) break;
      tree.append(leafHash(row.audit_hash ?? ''));
    }
    inTree ??= await tree.compare();
    if (found || last !== rows.at(-1)) break;
  }
  const verdict = verifier.finish();
  // A tree over records that are not in their places says nothing.
  found ??= problemOf(verdict, last, log) ?? inTree ?? problemOfHead(verdict, head, tree.hashes());
  return {
    valid: found === undefined,
    checked: verdict.checked,
    redacted: verdict.redacted,
    pruned_through: verdict.pruned,
    ...(found && { first_invalid: found }),
    head: verdict.head,
  };
}

async function notesOf(executor: Executor, chain: string): Promise<readonly string[]> {
  const rows = await executor
    .selectFrom('audit_checkpoints')
    .select('note')
    .where('chain', '=', chain)
    .orderBy('size', 'desc')
    .limit(checkpointsMax)
    .execute();
  return rows.map(({ note }) => note);
}

/** A place in the chains that is there by half. */
function unlinked(row: AuditRow, log: AskedLog): FirstInvalid | undefined {
  const links = [row.tenant_sequence, row.previous_hash, row.audit_hash];
  const isWhole = ![...links, row.global_sequence, row.global_previous_hash, row.global_hash].includes(null);
  return isWhole ? undefined : problemAt(row, log, 'link_edited', 'the record has only a part of its links');
}

/** What only the database has beside a record. */
function rehashed(row: AuditRow, log: AskedLog): FirstInvalid | undefined {
  if (row.content_hash === contentHash(row.canonical)) return undefined;
  return problemAt(row, log, 'display_edited', 'content_hash is shown otherwise than it was hashed');
}

function problemAt(row: AuditRow, { tenantId }: AskedLog, kind: string, detail: string): FirstInvalid {
  return {
    sequence: Number(tenantId === undefined ? row.global_sequence : row.tenant_sequence),
    id: row.id,
    kind,
    detail,
  };
}

function problemOf(verdict: Verdict, last: AuditRow | undefined, { chain }: AskedLog): FirstInvalid | undefined {
  if (verdict.outcome === 'valid') return undefined;
  const kind = verdict.outcome === 'tampered' ? verdict.kind : verdict.reason;
  const sequence = verdict.outcome === 'tampered' ? verdict.firstBad : verdict.head.sequence + 1;
  const at = chain === chainName(undefined) ? last?.global_sequence : last?.tenant_sequence;
  return { sequence, id: Number(at) === sequence ? (last?.id ?? null) : null, kind, detail: verdict.detail };
}

/** Whether the log ends where its head says, with its tree. */
function problemOfHead(
  { head: found }: Verdict,
  head: Awaited<ReturnType<typeof headOf>>,
  hashes: readonly string[],
): FirstInvalid | undefined {
  if (found.sequence < head.sequence) {
    const detail = `the head of the log has ${head.sequence} records, the log ends with ${found.sequence}`;
    return { sequence: found.sequence + 1, id: null, kind: 'tail_deleted', detail };
  }
  const isSame = found.hash === head.hash && JSON.stringify(subtreesOf(head)) === JSON.stringify(hashes);
  if (isSame) return undefined;
  return {
    sequence: found.sequence,
    id: null,
    kind: 'head_edited',
    detail: 'the head of the log is not that of its records',
  };
}
