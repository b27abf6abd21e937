import { LRUCache } from 'lru-cache';
import type { AuditHeadRow } from '../../database/audit-tables.ts';
import type { Executor } from '../../database/database.ts';
import { globalChain } from '../operations/chain-port.ts';
import { checkContinues, type VouchedHead } from './checked-root.ts';
import { InconsistentLogError } from './inconsistent-log.ts';
import { PrunedTreeError } from './tree-reader.ts';

/** Chains of tenants that a process remembers; the least recently signed are forgotten, and then only the database vouches for them. */
const rememberedMax = 20_000;

/** A state that a chain has to continue. */
interface Claim extends VouchedHead {
  /**
   * Whether it must not be older than what retention deleted. It never is of the whole log, which each process sees signed
   * every few seconds; of a tenant's it is where another replica signed what came later.
   */
  readonly isStrict: boolean;
}

/**
 * What a process knows of the chains whatever the database says: the newest state that it signed or saw signed, and what was
 * anchored. Whoever rewrites the log and deletes what was signed of it in the database is found out by this.
 */
export interface VouchedHeads {
  /** Whether this is the newest state that is known. */
  isNewest(chain: string, head: VouchedHead): boolean;
  /** Remembers a state that was signed; one of fewer records than before changes nothing. */
  remember(chain: string, head: VouchedHead): void;
  /** What a chain has to continue, of those that are read from now on: take it before its head is read. */
  claims(chain: string): readonly Claim[];
}

/** @param anchored states from outside the database, which are forgotten once the log has been found to continue them */
export function createVouchedHeads(anchored: ReadonlyMap<string, readonly VouchedHead[]>): VouchedHeads {
  const open = new Map(anchored);
  const tenants = new LRUCache<string, VouchedHead>({ max: rememberedMax });
  let global: VouchedHead | undefined;
  const newest = (chain: string): VouchedHead | undefined => (chain === globalChain ? global : tenants.get(chain));

  return {
    isNewest(chain, { size, root }) {
      const known = newest(chain);
      return !open.has(chain) && known?.size === size && known.root === root;
    },
    remember(chain, { size, root }) {
      open.delete(chain);
      if (size < (newest(chain)?.size ?? 0)) return;
      if (chain === globalChain) global = { size, root };
      else tenants.set(chain, { size, root });
    },
    claims(chain) {
      const known = newest(chain);
      const heads = open.get(chain) ?? [];
      const largest = Math.max(0, ...heads.map(({ size }) => size));
      return [
        ...(known ? [{ ...known, isStrict: chain === globalChain }] : []),
        ...heads.map((head) => ({ ...head, isStrict: head.size === largest })),
      ];
    },
  };
}

/** Holds a chain to a state. @throws InconsistentLogError */
export async function holdTo(executor: Executor, head: AuditHeadRow, claim: Claim): Promise<void> {
  try {
    await checkContinues(executor, head, claim);
  } catch (error) {
    if (!(error instanceof PrunedTreeError)) throw error;
    if (claim.isStrict) throw new InconsistentLogError('records are gone that the checkpoint signed last is of');
  }
}
