import { catalogue } from '@portcullis/resources';
import type { Executor } from '../database/database.ts';
import type { RecordChange } from '../revisions/revision-port.ts';

const deliveredFamilies = new Set(
  catalogue.filter((family) => family.deliveredToGateways).map((family) => family.name),
);

/**
 * Which gateway's configuration a change is part of: the gateway's ID, empty for every gateway of the tenant, nothing when
 * gateways do not get the record at all.
 */
export function gatewayOfChange(change: RecordChange): string | undefined {
  if (change.family === 'gateways') return change.id;
  return deliveredFamilies.has(change.family) ? (change.gateway_id ?? '') : undefined;
}

/**
 * The last revision of a tenant that concerned one gateway: a change of its own records, or of the tenant-wide records
 * that every gateway gets. Changes of other gateways leave it where it is, so that nodes fetch only what is theirs.
 */
export async function gatewayRevision(executor: Executor, tenantId: string, gatewayId: string): Promise<number> {
  const row = await executor
    .selectFrom('gateway_revisions')
    .select(({ fn }) => fn.max('revision').as('revision'))
    .where('tenant_id', '=', tenantId)
    .where('gateway_id', 'in', [gatewayId, ''])
    .executeTakeFirst();
  return row?.revision ?? 0;
}
