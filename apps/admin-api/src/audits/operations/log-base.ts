import type { LogBase } from '@portcullis/audit-chain';
import type { Executor } from '../../database/database.ts';
import { subtreesOf } from '../checkpoints/origin.ts';
import type { AskedLog } from './audit-parts.ts';

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
