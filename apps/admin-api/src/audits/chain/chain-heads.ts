import { CompactRange, GENESIS, type ChainHead } from '@portcullis/audit-chain';
import { sql, type Transaction } from 'kysely';
import { traitsOf } from '../../database/dialect-traits.ts';
import { executeLater } from '../../database/deferred-statement.ts';
import type { Executor } from '../../database/database.ts';
import type { Tables } from '../../database/tables.ts';
import { chainName, globalChain } from '../operations/chain-port.ts';
import { isKeptNode } from './kept-levels.ts';

/** Where a chain stands: its last record, and what its tree needs to grow. */
export interface StoredHead extends ChainHead {
  /** Roots of the perfect subtrees, left to right. */
  readonly subtreeHashes: readonly string[];
}

/** Heads by chain name. A chain that is not in it has no records. */
export type StoredHeads = ReadonlyMap<string, StoredHead>;

/** Heads that somebody remembers. */
export type KnownHeads = Pick<StoredHeads, 'get' | 'has'>;

const genesis: StoredHead = { ...GENESIS, subtreeHashes: [] };

/** A chain's head; the beginning for one that has no records. */
export function headIn(heads: KnownHeads, chain: string): StoredHead {
  return heads.get(chain) ?? genesis;
}

/** The global head and those of some tenants. */
export async function readHeads(executor: Executor, tenantIds: readonly string[]): Promise<StoredHeads> {
  const rows = await executor
    .selectFrom('audit_heads')
    .selectAll()
    .where('chain', 'in', [globalChain, ...tenantIds.map(chainName)])
    .execute();
  return new Map(
    rows.map(({ chain, sequence, hash, subtree_hashes }) => [
      chain,
      { sequence, hash, subtreeHashes: JSON.parse(subtree_hashes) as string[] },
    ]),
  );
}

/** A head that did not stand where it was expected: somebody else chained at the same time. */
export class ChainMovedError extends Error {
  override readonly name = 'ChainMovedError';
}

const movedColumns = {
  chain: 'text',
  sequence: 'integer',
  hash: 'text',
  subtree_hashes: 'text',
  expected: 'integer',
  expected_hash: 'text',
} as const;

/**
 * Moves heads on from where they were read; what is held back goes with it. A head that stands elsewhere is left alone.
 * @throws ChainMovedError, or the database's error for a chain that somebody else began; roll back then
 */
export async function moveHeads(
  transaction: Transaction<Tables>,
  before: StoredHeads,
  after: StoredHeads,
): Promise<void> {
  const begun = [...after].filter(([chain]) => !before.has(chain));
  if (begun.length > 0) {
    const values = begun.map(([chain, { sequence, hash, subtreeHashes }]) => ({
      chain,
      sequence,
      hash,
      subtree_hashes: JSON.stringify(subtreeHashes),
    }));
    await executeLater(transaction, transaction.insertInto('audit_heads').values(values));
  }
  const moved = [...after].filter(([chain]) => before.has(chain));
  const rows = moved.map(([chain, { sequence, hash, subtreeHashes }]) => [
    chain,
    sequence,
    hash,
    JSON.stringify(subtreeHashes),
    headIn(before, chain).sequence,
    headIn(before, chain).hash,
  ]);
  const { numAffectedRows } = await sql`
    update audit_heads set sequence = moved.sequence, hash = moved.hash, subtree_hashes = moved.subtree_hashes
    from ${traitsOf(transaction).rowsOf('moved', movedColumns, rows)}
    where audit_heads.chain = moved.chain and audit_heads.sequence = moved.expected
      and audit_heads.hash = moved.expected_hash`.execute(transaction);
  if (Number(numAffectedRows ?? 0) !== moved.length) {
    throw new ChainMovedError('the head of an audit chain was moved by somebody else');
  }
}

/** A perfect subtree that is kept. */
export interface KeptNode {
  readonly chain: string;
  readonly level: number;
  readonly position: number;
  readonly hash: string;
}

/** A chain's tree as it grows within one batch. */
export function growingTree(chain: string, head: StoredHead, kept: KeptNode[]) {
  const range = CompactRange.from(head.sequence, head.subtreeHashes);
  return {
    append(leaf: string): void {
      range.append(leaf, (level, position, hash) => {
        if (isKeptNode(level)) kept.push({ chain, level, position, hash });
      });
    },
    hashes: (): readonly string[] => range.hashes,
  };
}
