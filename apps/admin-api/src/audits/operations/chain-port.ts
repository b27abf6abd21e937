import type { AuditHeadRow } from '../../database/audit-tables.ts';
import type { Executor } from '../../database/database.ts';

/** What readers of the log want of the sequencer. */
export interface AuditDrain {
  /** Resolves when every record that was committed before the call has its place in the chains. */
  drain(): Promise<void>;
}

/** The chain over all tenants. */
export const globalChain = 'global';

/** The name under which a chain's head, nodes and checkpoints are stored; the global one without a tenant. */
export function chainName(tenantId: string | undefined): string {
  return tenantId === undefined ? globalChain : `tenant:${tenantId}`;
}

/** The tenant of a chain; `undefined` for the global one. */
export function tenantOfChain(chain: string): string | undefined {
  return chain === globalChain ? undefined : chain.slice('tenant:'.length);
}

/** Where a chain stands; at 0 before its first record. */
export async function headOf(executor: Executor, chain: string): Promise<AuditHeadRow> {
  const row = await executor.selectFrom('audit_heads').selectAll().where('chain', '=', chain).executeTakeFirst();
  return row ?? { chain, sequence: 0, hash: '0'.repeat(64), subtree_hashes: '[]' };
}
