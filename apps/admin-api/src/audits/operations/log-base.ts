import type { LogBase } from '@portcullis/audit-chain';
import type { Executor } from '../../database/database.ts';
import { subtreesOf } from '../checkpoints/origin.ts';
import type { AskedLog } from './audit-parts.ts';
import { globalChain } from './chain-port.ts';

/** What comes before the first record that retention left. */
export async function logBase(executor: Executor, log: AskedLog): Promise<LogBase | undefined> {
  const cuts = await executor.selectFrom('audit_retention').selectAll().execute();
  const cut = cuts.find(({ chain }) => chain === log.chain);
  if (cut === undefined) return undefined;
  const headOfCut = ({ pruned_through, hash }: typeof cut) => ({ sequence: pruned_through, hash });
  const tenants = cuts.flatMap((other) =>
    other.chain.startsWith('tenant:') ? [[other.chain.slice('tenant:'.length), headOfCut(other)] as const] : [],
  );
  return {
    head: headOfCut(cut),
    subtrees: subtreesOf(cut),
    ...(log.tenantId === undefined && { tenants: new Map(tenants) }),
  };
}

/**
 * Up to where a tenant's log was rightly cut off: to its base, if the system's newest record of a deletion reaches as far as
 * the cut of the log over all tenants does. Whether that record is good, the verification of that log says.
 */
export async function prunedRightly(executor: Executor, base: LogBase): Promise<number> {
  const cut = await executor
    .selectFrom('audit_retention')
    .select('pruned_through')
    .where('chain', '=', globalChain)
    .executeTakeFirst();
  const record = await executor
    .selectFrom('audit_records')
    .select('disclosures')
    .where('tenant_id', '=', '')
    .where('action', '=', 'prune')
    .orderBy('tenant_sequence', 'desc')
    .limit(1)
    .executeTakeFirst();
  const { metadata } = JSON.parse(record?.disclosures ?? '{}') as {
    metadata?: { value?: { through?: unknown } } | null;
  };
  const through = metadata?.value?.through;
  return cut !== undefined && typeof through === 'number' && through >= cut.pruned_through ? base.head.sequence : 0;
}
