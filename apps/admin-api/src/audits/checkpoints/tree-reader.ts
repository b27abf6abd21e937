import { CompactRange, leafHash, nodeHash, type ReadSubtree } from '@portcullis/audit-chain';
import type { Executor } from '../../database/database.ts';
import { keptLevelAt } from '../chain/kept-levels.ts';
import { globalChain, tenantOfChain } from '../operations/chain-port.ts';
import { subtreesOf } from './origin.ts';

/** A part of the tree is gone: retention deleted records, and what was kept of them does not give it. */
export class PrunedTreeError extends Error {
  override readonly name = 'PrunedTreeError';
  readonly code = 'audit_tree_pruned';
}

/**
 * Reads perfect subtrees of a chain's tree: those of kept levels as they are stored, others out of at most 256 of the
 * level below, leaves being those of the records themselves. @throws PrunedTreeError where retention left neither
 */
export function createTreeReader(executor: Executor, chain: string): ReadSubtree {
  const read: ReadSubtree = async (level, position) => {
    const below = keptLevelAt(level);
    const count = 2 ** (level - below);
    const first = position * count;
    const nodes =
      below === 0 ? await leavesOf(executor, chain, first, count) : await nodesOf(executor, chain, below, first, count);
    if (nodes.length === count) return rootOf(nodes);
    const kept = await keptOfPruned(executor, chain, level, position);
    if (kept !== undefined) return kept;
    if (level === 0) throw new PrunedTreeError('the tree was cut here by retention');
    // The cut may go through the middle: what is left of it and what is right of it are then there.
    return nodeHash(await read(level - 1, position * 2), await read(level - 1, position * 2 + 1));
  };
  return read;
}

async function leavesOf(executor: Executor, chain: string, first: number, count: number): Promise<string[]> {
  const tenantId = tenantOfChain(chain);
  const sequence = chain === globalChain ? ('global_sequence' as const) : ('tenant_sequence' as const);
  const rows = await executor
    .selectFrom('audit_records')
    .select('audit_hash')
    .$if(tenantId !== undefined, (query) => query.where('tenant_id', '=', tenantId ?? ''))
    .where(sequence, '>', first)
    .where(sequence, '<=', first + count)
    .orderBy(sequence)
    .execute();
  return rows.map((row) => leafHash(row.audit_hash ?? ''));
}

async function nodesOf(
  executor: Executor,
  chain: string,
  level: number,
  first: number,
  count: number,
): Promise<string[]> {
  const rows = await executor
    .selectFrom('audit_nodes')
    .select('hash')
    .where('chain', '=', chain)
    .where('level', '=', level)
    .where('position', '>=', first)
    .where('position', '<', first + count)
    .orderBy('position')
    .execute();
  return rows.map(({ hash }) => hash);
}

/** A subtree that retention kept the root of, as it was one of those that what is gone is made of. */
async function keptOfPruned(
  executor: Executor,
  chain: string,
  level: number,
  position: number,
): Promise<string | undefined> {
  const cut = await executor.selectFrom('audit_retention').selectAll().where('chain', '=', chain).executeTakeFirst();
  if (cut === undefined) return undefined;
  const hashes = CompactRange.from(cut.pruned_through, subtreesOf(cut)).hashes;
  let start = 0;
  let index = 0;
  for (let bit = Math.floor(Math.log2(cut.pruned_through)); bit >= 0; bit -= 1) {
    const size = 2 ** bit;
    if (Math.floor(cut.pruned_through / size) % 2 === 0) continue;
    if (bit === level && start / size === position) return hashes[index];
    start += size;
    index += 1;
  }
  return undefined;
}

/** The root over a number of nodes that is a power of two. */
function rootOf(nodes: readonly string[]): string {
  let level = nodes;
  while (level.length > 1) {
    const pairs = level.length / 2;
    level = Array.from({ length: pairs }, (_, index) => nodeHash(level[index * 2] ?? '', level[index * 2 + 1] ?? ''));
  }
  return level[0] ?? '';
}
