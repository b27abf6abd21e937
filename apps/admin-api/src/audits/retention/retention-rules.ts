import type { Executor } from '../../database/database.ts';

/** Days that records are kept at least, by tenant. Under '' for what belongs to no tenant, and for tenants without a rule. */
export type RetentionRules = ReadonlyMap<string, number>;

/** All rules. There is at most one a tenant. */
export async function retentionRules(executor: Executor): Promise<RetentionRules> {
  const rows = await executor.selectFrom('audit_retention_rules').selectAll().execute();
  return new Map(rows.map((row) => [row.tenant_id, row.days]));
}

/** How long a tenant's records are kept; `undefined` for ever. */
export function daysFor(rules: RetentionRules, tenantId: string): number | undefined {
  return rules.get(tenantId) ?? rules.get('');
}
