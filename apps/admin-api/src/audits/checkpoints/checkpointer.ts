import {
  CompactRange,
  consistencyProof,
  formatCheckpoint,
  type NoteSigner,
  rangeRoot,
  signNote,
  verifyConsistency,
} from '@portcullis/audit-chain';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { AuditCheckpointRow, AuditHeadRow } from '../../database/audit-tables.ts';
import type { Database, Executor } from '../../database/database.ts';
import type { Tables } from '../../database/tables.ts';
import type { Log } from '../../logging.ts';
import { globalChain, headOf, tenantOfChain } from '../operations/chain-port.ts';
import type { AnchoredHead } from './anchors/adapters/anchored-checkpoints.ts';
import { originOf, subtreesOf } from './origin.ts';
import { createTreeReader } from './tree-reader.ts';

/** How often the service looks whether a checkpoint is due. */
export const checkpointCheckEveryMs = 1_000;
/** With news, a checkpoint is due after this. Source: reliability, Audit chain, Checkpoints. */
const dueAfterMs = 10_000;
/** And after this many records, however soon. */
const dueAfterRecords = 1_000;
/** Chains that are signed in one run; the others have their turn in the next. */
const chainsPerRunMax = 2_000;
/** Names the lock under which replicas sign, on PostgreSQL. */
const signingLock = 7_205_759_403;

/** What signing takes. */
export interface CheckpointerParts {
  readonly database: Pick<Database, 'dialect' | 'read' | 'transaction'>;
  readonly signer: NoteSigner;
  readonly nowMs: () => number;
  readonly log: Pick<Log, 'error'>;
  /** What was stored outside the database: the log has to continue that as well. Chains are taken out once they do. */
  readonly anchored?: Map<string, AnchoredHead>;
  /** Gets each checkpoint once it is stored. Never throws. */
  readonly onSigned: (checkpoint: AuditCheckpointRow) => void;
}

/** Signs the heads of the chains. */
export interface Checkpointer {
  /** Signs what is due. Safe to call on all replicas at once. */
  run(): Promise<void>;
  /**
   * The checkpoint of a chain as it stands, signed now where the last one is of an earlier state; nothing before its first
   * record. @throws InconsistentLogError
   */
  upToDate(chain: string): Promise<AuditCheckpointRow | undefined>;
  /** The newest checkpoint over all tenants that this replica knows. */
  latestGlobal(): AuditCheckpointRow | undefined;
  /** Chains that this replica refused to sign, because they do not continue what was signed before. */
  refusedChains(): ReadonlySet<string>;
}

/** A log does not continue what was signed of it: somebody rewrote it. */
export class InconsistentLogError extends Error {
  override readonly name = 'InconsistentLogError';
  readonly code = 'audit_log_inconsistent';
}

/** Makes the checkpointer. */
export function createCheckpointer(parts: CheckpointerParts): Checkpointer {
  const { database, signer, nowMs, log, onSigned, anchored = new Map<string, AnchoredHead>() } = parts;
  const refused = new Set<string>();
  let global: AuditCheckpointRow | undefined;

  const sign = async (chain: string): Promise<AuditCheckpointRow | undefined> => {
    try {
      // Who rewrote the log over all tenants may have rewritten theirs.
      if (chain !== globalChain && refused.has(globalChain))
        throw new InconsistentLogError('the log over all tenants was rewritten');
      const { checkpoint, isNew } = await database.transaction(async (transaction) => {
        if (database.dialect === 'postgres')
          await sql`select pg_advisory_xact_lock(${signingLock})`.execute(transaction);
        const kept = anchored.get(chain);
        if (kept) await checkedRoot(transaction, await headOf(transaction, chain), kept);
        return signHead(transaction, chain, signer, nowMs());
      });
      anchored.delete(chain);
      refused.delete(chain);
      if (chain === globalChain) global = checkpoint;
      if (isNew && checkpoint) onSigned(checkpoint);
      return checkpoint;
    } catch (error) {
      if (error instanceof InconsistentLogError) {
        if (!refused.has(chain))
          log.error({ err: error, chain }, 'the audit log was rewritten: no checkpoint is signed');
        refused.add(chain);
      }
      throw error;
    }
  };
  return {
    async run() {
      global = await newestCheckpoint(database.read, globalChain);
      const head = await headOf(database.read, globalChain);
      const news = head.sequence - (global?.size ?? 0);
      if (news === 0) return;
      const ageMs = nowMs() - (global?.created_at ?? 0);
      // A clock that was set back makes the last one neither young nor old: it is due.
      if (news > 0 && news < dueAfterRecords && ageMs >= 0 && ageMs < dueAfterMs) return;
      for (const chain of await chainsWithNews(database.read)) {
        await sign(chain).catch((error: unknown) => {
          if (!(error instanceof InconsistentLogError)) throw error;
        });
      }
    },
    async upToDate(chain) {
      // Whoever asks for what is signed already takes no lock and no place among the writers.
      const [head, last] = await Promise.all([headOf(database.read, chain), newestCheckpoint(database.read, chain)]);
      const isSigned = last?.size === head.sequence && last.root === rootOf(head);
      return isSigned && refused.size === 0 && !anchored.has(chain) ? last : sign(chain);
    },
    latestGlobal: () => global,
    refusedChains: () => refused,
  };
}

/** The newest checkpoint of a chain. */
export async function newestCheckpoint(
  executor: Kysely<Tables> | Transaction<Tables>,
  chain: string,
): Promise<AuditCheckpointRow | undefined> {
  return executor
    .selectFrom('audit_checkpoints')
    .selectAll()
    .where('chain', '=', chain)
    .orderBy('size', 'desc')
    .limit(1)
    .executeTakeFirst();
}

interface SignedHead {
  readonly checkpoint: AuditCheckpointRow | undefined;
  readonly isNew: boolean;
}

async function signHead(
  transaction: Transaction<Tables>,
  chain: string,
  signer: NoteSigner,
  now: number,
): Promise<SignedHead> {
  const head = await headOf(transaction, chain);
  const last = await newestCheckpoint(transaction, chain);
  const root = await checkedRoot(transaction, head, last);
  if (head.sequence === (last?.size ?? 0)) return { checkpoint: last, isNew: false };
  const origin = originOf(signer.name, tenantOfChain(chain));
  const note = signNote(formatCheckpoint({ origin, size: head.sequence, root }), signer);
  const checkpoint = { chain, size: head.sequence, root, note, created_at: now };
  await transaction.insertInto('audit_checkpoints').values(checkpoint).execute();
  return { checkpoint, isNew: true };
}

/**
 * The root of a chain's tree as it stands, once it is certain that it continues what was signed last and that records, nodes
 * and head say the same. @throws InconsistentLogError
 */
async function checkedRoot(executor: Executor, head: AuditHeadRow, last: AnchoredHead | undefined): Promise<string> {
  const size = head.sequence;
  const root = rootOf(head);
  if (last === undefined) {
    if (size > 0 && (await rangeRoot({ start: 0, end: size }, createTreeReader(executor, head.chain))) !== root) {
      throw new InconsistentLogError('the records do not have the root that the head of the log says');
    }
    return root;
  }
  if (size < last.size) throw new InconsistentLogError('the log is shorter than the checkpoint that was signed last');
  const proof = await consistencyProof(last.size, size, createTreeReader(executor, head.chain));
  if (!verifyConsistency({ from: last.size, fromRoot: last.root, to: size, toRoot: root, proof })) {
    throw new InconsistentLogError('the log does not continue the checkpoint that was signed last');
  }
  return root;
}

function rootOf(head: AuditHeadRow): string {
  try {
    return CompactRange.from(head.sequence, subtreesOf(head)).root();
  } catch {
    throw new InconsistentLogError('the head of the log is malformed');
  }
}

/** Chains that were written to since they were last signed, the global one first. */
async function chainsWithNews(executor: Executor): Promise<readonly string[]> {
  const rows = await executor
    .selectFrom('audit_heads as head')
    .select('head.chain')
    .where((eb) =>
      eb(
        'head.sequence',
        '<>',
        eb.fn.coalesce(
          eb
            .selectFrom('audit_checkpoints as checkpoint')
            .select((inner) => inner.fn.max('checkpoint.size').as('size'))
            .whereRef('checkpoint.chain', '=', 'head.chain'),
          sql<number>`0`,
        ),
      ),
    )
    .orderBy('head.chain')
    .limit(chainsPerRunMax)
    .execute();
  return rows.map(({ chain }) => chain);
}
