import { formatCheckpoint, type NoteSigner, signNote } from '@portcullis/audit-chain';
import { sql, type Transaction } from 'kysely';
import type { AuditCheckpointRow } from '../../database/audit-tables.ts';
import type { Database } from '../../database/database.ts';
import type { Tables } from '../../database/tables.ts';
import type { Log } from '../../logging.ts';
import { globalChain, headOf, tenantOfChain } from '../operations/chain-port.ts';
import { chainsWithNews } from './chains-with-news.ts';
import { rootOf, type VouchedHead } from './checked-root.ts';
import { InconsistentLogError } from './inconsistent-log.ts';
import { originOf } from './origin.ts';
import { type CheckedChain, checkedChain, newestCheckpoint } from './stored-checkpoints.ts';
import { createVouchedHeads } from './vouched-heads.ts';

/** How often the service looks whether a checkpoint is due. */
export const checkpointCheckEveryMs = 1_000;
/** With news, a checkpoint is due after this. Source: reliability, Audit chain, Checkpoints. */
const dueAfterMs = 10_000;
/** And after this many records, however soon. */
const dueAfterRecords = 1_000;
/** Chains of tenants that are signed in one run; the next one goes on behind them. */
const chainsPerRunMax = 2_000;
/** Names the lock under which replicas sign, on PostgreSQL. */
const signingLock = 7_205_759_403;

/** What signing takes. */
export interface CheckpointerParts {
  readonly database: Pick<Database, 'dialect' | 'read' | 'transaction'>;
  readonly signer: NoteSigner;
  readonly nowMs: () => number;
  readonly log: Pick<Log, 'error'>;
  /** What was stored outside the database, by chain: the log has to continue that as well. */
  readonly anchored?: ReadonlyMap<string, readonly VouchedHead[]>;
  /** Why nothing may be signed, whatever the log is like, until the operator has seen to it. */
  readonly standingRefusal?: InconsistentLogError | undefined;
  /** Chains that one run signs at most; for tests. */
  readonly chainsPerRun?: number;
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
  /** Why a chain would not be signed as it stands; nothing where it would. Signs nothing. */
  refusalOf(chain: string): Promise<InconsistentLogError | undefined>;
  /** The newest checkpoint over all tenants that this replica knows. */
  latestGlobal(): AuditCheckpointRow | undefined;
  /** Chains that this replica refused to sign, because they do not continue what was signed before. */
  refusedChains(): ReadonlySet<string>;
}

/** Makes the checkpointer. */
export function createCheckpointer(parts: CheckpointerParts): Checkpointer {
  const { database, signer, nowMs, log, onSigned, standingRefusal, chainsPerRun = chainsPerRunMax } = parts;
  const vouched = createVouchedHeads(parts.anchored ?? new Map<string, never>());
  const refused = new Set<string>();
  let global: AuditCheckpointRow | undefined;
  /** The round over the tenants' chains: after which one it goes on, and where the log over all stood as it began. */
  let round: { readonly after: string; readonly sequence: number } | undefined;
  let lastRound = { sequence: -1, beganAtMs: Number.NEGATIVE_INFINITY };

  const checked = async (executor: Database['read'], chain: string): Promise<CheckedChain> => {
    if (standingRefusal) throw standingRefusal;
    return checkedChain(executor, chain, { vouched, signer });
  };
  const settle = (chain: string, checkpoint: AuditCheckpointRow | undefined): void => {
    refused.delete(chain);
    if (checkpoint === undefined) return;
    vouched.remember(chain, checkpoint);
    if (chain === globalChain && checkpoint.size >= (global?.size ?? 0)) global = checkpoint;
  };
  const noteRefusal = (chain: string, error: InconsistentLogError): void => {
    if (!refused.has(chain)) log.error({ err: error, chain }, 'the audit log was rewritten: no checkpoint is signed');
    refused.add(chain);
  };
  const sign = async (chain: string): Promise<AuditCheckpointRow | undefined> => {
    // Who rewrote the log over all tenants may have rewritten theirs. One alarm is enough then.
    if (chain !== globalChain && refused.has(globalChain))
      throw new InconsistentLogError('the log over all tenants was rewritten');
    try {
      if (standingRefusal) throw standingRefusal;
      const { checkpoint, isNew } = await database.transaction(async (transaction) => {
        if (database.dialect === 'postgres')
          await sql`select pg_advisory_xact_lock(${signingLock})`.execute(transaction);
        return signHead(transaction, await checked(transaction, chain), signer, nowMs());
      });
      settle(chain, checkpoint);
      if (isNew && checkpoint) onSigned(checkpoint);
      return checkpoint;
    } catch (error) {
      if (error instanceof InconsistentLogError) noteRefusal(standingRefusal ? globalChain : chain, error);
      throw error;
    }
  };
  const signed = (chain: string): Promise<unknown> =>
    sign(chain).catch((error: unknown) => {
      if (!(error instanceof InconsistentLogError)) throw error;
    });
  /** Signs the log over all tenants when that is due, or takes over what another replica signed. */
  const runGlobal = async (sequence: number): Promise<void> => {
    const last = await newestCheckpoint(database.read, globalChain);
    const isDue =
      sequence !== (last?.size ?? 0) && isTime(sequence - (last?.size ?? 0), nowMs() - (last?.created_at ?? 0));
    if (isDue || refused.has(globalChain)) await signed(globalChain);
    else if (last && !vouched.isNewest(globalChain, last)) {
      // Signed where it is found wanting only: the one who signed it goes on at his own pace.
      await checked(database.read, globalChain).then(
        (found) => settle(globalChain, found.last),
        () => signed(globalChain),
      );
    }
  };
  /** Signs chains of tenants with news, the log over all of which may have been signed on demand meanwhile. */
  const runTenants = async (sequence: number): Promise<void> => {
    if (refused.has(globalChain)) return;
    if (round === undefined) {
      const news = sequence - lastRound.sequence;
      if (news === 0 && refused.size === 0) return;
      if (!isTime(news, nowMs() - lastRound.beganAtMs)) return;
      round = { after: '', sequence };
      lastRound = { ...lastRound, beganAtMs: nowMs() };
    }
    const chains = await chainsWithNews(database.read, round.after, chainsPerRun);
    for (const chain of chains) {
      await signed(chain);
      round = { ...round, after: chain };
    }
    if (chains.length === chainsPerRun) return;
    lastRound = { ...lastRound, sequence: round.sequence };
    round = undefined;
  };
  return {
    async run() {
      const { sequence } = await headOf(database.read, globalChain);
      await runGlobal(sequence);
      await runTenants(sequence);
    },
    async upToDate(chain) {
      // Whoever asks for what is signed already takes no lock and no place among the writers.
      const [head, last] = await Promise.all([headOf(database.read, chain), newestCheckpoint(database.read, chain)]);
      const isSigned = last?.size === head.sequence && last.root === rootOf(head);
      return isSigned && refused.size === 0 && vouched.isNewest(chain, last) ? last : sign(chain);
    },
    async refusalOf(chain) {
      try {
        for (const one of new Set([globalChain, chain])) await checked(database.read, one);
        return undefined;
      } catch (error) {
        if (error instanceof InconsistentLogError) return error;
        throw error;
      }
    },
    latestGlobal: () => global,
    refusedChains: () => refused,
  };
}

/** Whether so much news of this age is to be signed. A clock that was set back makes the last time neither young nor old. */
function isTime(news: number, ageMs: number): boolean {
  return news < 0 || news >= dueAfterRecords || ageMs < 0 || ageMs >= dueAfterMs;
}

async function signHead(
  transaction: Transaction<Tables>,
  { head, last }: CheckedChain,
  signer: NoteSigner,
  now: number,
): Promise<{ readonly checkpoint: AuditCheckpointRow | undefined; readonly isNew: boolean }> {
  const { chain, sequence: size } = head;
  if (size === (last?.size ?? 0)) return { checkpoint: last, isNew: false };
  const root = rootOf(head);
  const origin = originOf(signer.name, tenantOfChain(chain));
  const note = signNote(formatCheckpoint({ origin, size, root }), signer);
  const checkpoint = { chain, size, root, note, created_at: now };
  await transaction.insertInto('audit_checkpoints').values(checkpoint).execute();
  return { checkpoint, isNew: true };
}
