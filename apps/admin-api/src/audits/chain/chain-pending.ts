import { chainBatch, GENESIS, leafHash, type ChainHead, type RecordLinks } from '@portcullis/audit-chain';
import { sql, type Transaction } from 'kysely';
import { executeLater } from '../../database/deferred-statement.ts';
import { traitsOf } from '../../database/dialect-traits.ts';
import type { Tables } from '../../database/tables.ts';
import { chainName, globalChain } from '../operations/chain-port.ts';
import {
  growingTree,
  headIn,
  type KeptNode,
  type KnownHeads,
  moveHeads,
  readHeads,
  type StoredHead,
  type StoredHeads,
} from './chain-heads.ts';

/** Most records that are chained in one transaction: it takes about 25 ms, and a crash takes no more than that back. */
export const batchMax = 500;

/**
 * Number of the advisory lock that whoever chains holds: "audit" in ASCII. A replica that dies lets go of it with its
 * connection.
 */
const chainLock = 0x61_75_64_69_74;

/** What one batch did. */
export interface ChainedPending {
  /** Records that were chained; fewer than {@link batchMax} when no more were there. */
  readonly count: number;
  /** The heads that the batch moved, as they stand once it is committed. */
  readonly heads: StoredHeads;
}

interface PendingRow {
  readonly id: string;
  readonly tenantId: string;
  readonly contentHash: string;
}

/**
 * Gives the oldest records without a place in the chains one, and moves the heads and trees with them. Everything is in the
 * given transaction; of two that chain at once one waits, and one that did not wait is refused by the heads.
 * @param known heads as they stood after the last batch; used while the global one still stands there
 * @throws ChainMovedError, or the database's error; roll back then
 */
export async function chainPending(transaction: Transaction<Tables>, known: KnownHeads): Promise<ChainedPending> {
  const lock = traitsOf(transaction).exclusively(chainLock);
  // A statement of its own: what the next one sees must be from after the wait.
  if (lock) await executeLater(transaction, transaction.selectNoFrom(lock.as('lock')));
  const { pending, global } = await readPending(transaction);
  if (pending.length === 0) return { count: 0, heads: new Map() };
  const tenantIds = [...new Set(pending.map(({ tenantId }) => tenantId))];
  const before = await headsFor(transaction, tenantIds, known, global);
  const { links, after, kept } = grow(before, tenantIds, pending);
  await storeLinks(transaction, pending, links);
  if (kept.length > 0) await executeLater(transaction, transaction.insertInto('audit_nodes').values(kept));
  await moveHeads(transaction, before, after);
  return { count: pending.length, heads: after };
}

async function readPending(
  transaction: Transaction<Tables>,
): Promise<{ readonly pending: readonly PendingRow[]; readonly global: ChainHead }> {
  const rows = await transaction
    .selectFrom('audit_records')
    .select(['id', 'tenant_id', 'content_hash'])
    .select((eb) => {
      const head = eb.selectFrom('audit_heads').where('chain', '=', sql.lit(globalChain));
      return [head.select('sequence').as('head_sequence'), head.select('hash').as('head_hash')];
    })
    .where('global_sequence', 'is', null)
    .orderBy('id')
    .limit(sql.lit(batchMax))
    .execute();
  const pending = rows.map(({ id, tenant_id, content_hash }) => ({
    id,
    tenantId: tenant_id,
    contentHash: content_hash,
  }));
  const { head_sequence: sequence, head_hash: hash } = rows[0] ?? {};
  return { pending, global: { sequence: sequence ?? GENESIS.sequence, hash: hash ?? GENESIS.hash } };
}

/**
 * Every batch moves the global head, whose hash stands for all records before. As long as that is the one that this process left, so
 * are all others. Its number alone says less: a database that lost its last commits, a standby for instance, comes to it again.
 */
async function headsFor(
  transaction: Transaction<Tables>,
  tenantIds: readonly string[],
  known: KnownHeads,
  global: ChainHead,
): Promise<StoredHeads> {
  const chains = [globalChain, ...tenantIds.map(chainName)];
  const { sequence, hash } = headIn(known, globalChain);
  const isKnown = sequence === global.sequence && hash === global.hash && chains.every((chain) => known.has(chain));
  if (!isKnown) return readHeads(transaction, tenantIds);
  return new Map(chains.map((chain) => [chain, headIn(known, chain)]));
}

function grow(before: StoredHeads, tenantIds: readonly string[], pending: readonly PendingRow[]) {
  const tenants = new Map(tenantIds.map((id) => [id, headIn(before, chainName(id))]));
  const { links, heads } = chainBatch({ global: headIn(before, globalChain), tenants }, pending);
  const kept: KeptNode[] = [];
  const treeOf = (chain: string) => growingTree(chain, headIn(before, chain), kept);
  const global = treeOf(globalChain);
  const trees = new Map(tenantIds.map((id) => [id, treeOf(chainName(id))]));
  for (const [index, { tenantId }] of pending.entries()) {
    const leaf = leafHash(links[index]?.audit_hash ?? '');
    global.append(leaf);
    trees.get(tenantId)?.append(leaf);
  }
  const after = new Map<string, StoredHead>([[globalChain, { ...heads.global, subtreeHashes: global.hashes() }]]);
  for (const [id, tree] of trees) {
    const head = heads.tenants.get(id);
    if (head) after.set(chainName(id), { ...head, subtreeHashes: tree.hashes() });
  }
  return { links, after, kept };
}

const linkColumns = {
  id: 'text',
  tenant_sequence: 'integer',
  previous_hash: 'text',
  audit_hash: 'text',
  global_sequence: 'integer',
  global_previous_hash: 'text',
  global_hash: 'text',
} as const;

/** One statement whatever the number of records. The heads that move after it show whether somebody else was faster. */
async function storeLinks(
  transaction: Transaction<Tables>,
  pending: readonly PendingRow[],
  links: readonly RecordLinks[],
): Promise<void> {
  const rows = links.map((link, index) => [
    pending[index]?.id ?? '',
    link.tenant_sequence,
    link.previous_hash,
    link.audit_hash,
    link.global_sequence,
    link.global_previous_hash,
    link.global_hash,
  ]);
  const statement = sql`
    update audit_records set tenant_sequence = link.tenant_sequence, previous_hash = link.previous_hash,
      audit_hash = link.audit_hash, global_sequence = link.global_sequence,
      global_previous_hash = link.global_previous_hash, global_hash = link.global_hash
    from ${traitsOf(transaction).rowsOf('link', linkColumns, rows)} where audit_records.id = link.id`;
  await executeLater(transaction, { compile: () => statement.compile(transaction) });
}
