import { GENESIS } from '../chain/heads.ts';
import { tenantOf } from '../chain/append-record.ts';
import type { ReadSubtree } from '../tree/subtrees.ts';
import { LogError } from './log-error.ts';
import {
  GLOBAL_CHAIN,
  prunedChain,
  tenantChain,
  type LogPrune,
  type LogStorage,
  type StoredHead,
  type StoredNode,
} from './log-storage.ts';

const PAGE_RECORDS_MAX = 500;

/**
 * What pruning up to that size removes, and what it keeps so that the rest can be verified: the roots of the perfect
 * subtrees over what goes, and where each chain stood. Reads every record that goes once.
 */
export async function planPrune(storage: LogStorage, size: number, read: ReadSubtree): Promise<LogPrune> {
  const heads = new Map(await storage.readHeadsOf(prunedChain('')));
  const global = prunedChain(GLOBAL_CHAIN);
  const prunedBefore = heads.get(global)?.sequence ?? 0;
  if (size <= prunedBefore) throw new LogError('pruned', `the log is pruned up to ${prunedBefore} already`);
  const kept = await compactNodes(size, read);
  let next = prunedBefore + 1;
  while (next <= size) {
    // oxlint-disable-next-line no-await-in-loop
    const records = await storage.readRecords(next, Math.min(PAGE_RECORDS_MAX, size - next + 1));
    if (records.length === 0) throw new LogError('inconsistent', `record ${next} is missing`);
    for (const record of records) {
      const chain = prunedChain(tenantChain(tenantOf(JSON.parse(record.canonical) as object)));
      heads.set(chain, { sequence: record.tenant_sequence, hash: record.audit_hash, subtrees: [] });
      heads.set(global, { sequence: record.global_sequence, hash: record.global_hash, subtrees: [] });
    }
    next = (records.at(-1)?.global_sequence ?? size) + 1;
  }
  const head: StoredHead = { ...(heads.get(global) ?? GENESIS), subtrees: kept.map(({ hash }) => hash) };
  return { upTo: size, kept, heads: heads.set(global, head) };
}

/** The perfect subtrees that a tree of that size is made of, left to right. */
async function compactNodes(size: number, read: ReadSubtree): Promise<readonly StoredNode[]> {
  const places: { level: number; position: number }[] = [];
  let start = 0;
  for (let level = Math.floor(Math.log2(size)); level >= 0; level--) {
    if (Math.floor(size / 2 ** level) % 2 === 0) continue;
    places.push({ level, position: start / 2 ** level });
    start += 2 ** level;
  }
  return Promise.all(
    places.map(async ({ level, position }) => ({ level, position, hash: await read(level, position) })),
  );
}
