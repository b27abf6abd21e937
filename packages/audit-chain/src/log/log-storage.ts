import type { ChainHead } from '../chain/heads.ts';
import type { Disclosure } from '../records/export-line.ts';
import type { RecordLinks } from '../chain/chain-batch.ts';

/** Name of the chain over all tenants. */
export const GLOBAL_CHAIN = 'global';

/** Name of a tenant's chain; '' for what belongs to no tenant. */
export function tenantChain(tenantId: string): string {
  return `tenant:${tenantId}`;
}

/** A chain's name for where it stood when the log was pruned last. */
export function prunedChain(chain: string): string {
  return `pruned:${chain}`;
}

/** A record as it is stored: `canonical` is kept byte for byte. */
export interface LogRecord extends RecordLinks {
  readonly canonical: string;
  readonly disclosures: Readonly<Record<string, Disclosure>>;
}

/** Where a chain stands, and of the chain over all tenants its Merkle tree: the roots of its perfect subtrees. */
export interface StoredHead extends ChainHead {
  readonly subtrees: readonly string[];
}

/** Root of a perfect subtree of the Merkle tree. */
export interface StoredNode {
  readonly level: number;
  readonly position: number;
  readonly hash: string;
}

/** What one append stores, all of it or nothing. */
export interface LogAppend {
  /** Sequence that the chain over all tenants has to have: fencing, so that two writers cannot make two chains. */
  readonly expected: number;
  readonly heads: ReadonlyMap<string, StoredHead>;
  readonly records: readonly LogRecord[];
  readonly nodes: readonly StoredNode[];
}

/** What pruning removes and keeps, all of it or nothing. */
export interface LogPrune {
  /** Records up to and including this sequence go, and nodes that lie over them alone. */
  readonly upTo: number;
  /** Nodes that stay all the same: the tree over what was pruned, so that later proofs still work. */
  readonly kept: readonly StoredNode[];
  /** Where the chains stood, under the names of `prunedChain`. */
  readonly heads: ReadonlyMap<string, StoredHead>;
}

/**
 * Where a log is kept. Adapters answer in the order of writes: what `append` has stored, a later read sees. Failures of the
 * store itself are thrown as they come.
 */
export interface LogStorage {
  /** The heads of those chains. A chain without records is not in the map. */
  readHeads(chains: readonly string[]): Promise<ReadonlyMap<string, StoredHead>>;
  /** All heads whose name begins so. */
  readHeadsOf(prefix: string): Promise<ReadonlyMap<string, StoredHead>>;
  /** False, with nothing stored, where the chain over all tenants is not at `expected`. */
  append(append: LogAppend): Promise<boolean>;
  /** Records in the order of the chain over all tenants, from that global sequence on. */
  readRecords(from: number, limit: number): Promise<readonly LogRecord[]>;
  readNode(level: number, position: number): Promise<string | undefined>;
  /** Replaces the disclosures of a record. False where they are not `expected` any more. */
  replaceDisclosures(
    sequence: number,
    expected: LogRecord['disclosures'],
    next: LogRecord['disclosures'],
  ): Promise<boolean>;
  /** Keeps a signed note. One size has one note: the first one stays. */
  saveCheckpoint(size: number, note: string): Promise<void>;
  /** Notes of checkpoints larger than that, by size. */
  readCheckpoints(after: number, limit: number): Promise<readonly string[]>;
  readLastCheckpoint(): Promise<string | undefined>;
  prune(prune: LogPrune): Promise<void>;
}
