import { GENESIS_HASH } from '../hashing/framing.ts';

/** The last record of a chain: how many records it has and the hash of the last one. */
export interface ChainHead {
  readonly sequence: number;
  readonly hash: string;
}

/** The head of a chain without records. */
export const GENESIS: ChainHead = { sequence: 0, hash: GENESIS_HASH };

/** The heads that a batch goes on from: of the chain over all tenants, and of tenants' chains by tenant ID ('' for no tenant). */
export interface ChainHeads {
  readonly global: ChainHead;
  /** A tenant that is not in it has no records yet. */
  readonly tenants: ReadonlyMap<string, ChainHead>;
}
