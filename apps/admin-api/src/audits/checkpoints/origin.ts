import type { AuditHeadRow } from '../../database/audit-tables.ts';

/**
 * The origin of a chain's checkpoints: the log's name for the chain over all tenants, with `/tenants/` and the ID for a
 * tenant's, so that no checkpoint of one passes for the other's. What belongs to no tenant is `…/system`.
 */
export function originOf(logName: string, tenantId: string | undefined): string {
  if (tenantId === undefined) return logName;
  return tenantId === '' ? `${logName}/system` : `${logName}/tenants/${tenantId}`;
}

/** The stored roots of perfect subtrees. */
export function subtreesOf({ subtree_hashes: hashes }: Pick<AuditHeadRow, 'subtree_hashes'>): readonly string[] {
  return JSON.parse(hashes) as readonly string[];
}
