import type { Executor } from '../database/database.ts';

/** How long observations are kept, in days. */
export interface RetentionRule {
  /** Raw records. */
  readonly requestDays: number;
  /** Counters of hours, and those of minutes as far as `minuteDays` allow. */
  readonly rollupDays: number;
}

/** What holds for tenants that say nothing else. */
export const defaultRetention: RetentionRule = { requestDays: 7, rollupDays: 90 };

/** What a tenant may say. */
export const retentionBounds = {
  requestDays: { minimum: 1, maximum: 90 },
  rollupDays: { minimum: 1, maximum: 800 },
} as const;

/**
 * How long counters of single minutes are kept, in days, if roll-ups are kept so long. Of whole gateways long enough for both
 * edges of the longest window of an objective; of routes for anomalies, which compare with a week.
 */
export const minuteDays = { gateway: 35, route: 9 } as const;

export const dayMs = 86_400_000;

/** A tenant's rule. */
export async function retentionOf(executor: Executor, tenantId: string): Promise<RetentionRule> {
  return (await retentionOfMany(executor, [tenantId])).get(tenantId) ?? defaultRetention;
}

/** The rules of some tenants; those that have none of their own are not in it. */
export async function retentionOfMany(
  executor: Executor,
  tenantIds: readonly string[],
): Promise<ReadonlyMap<string, RetentionRule>> {
  if (tenantIds.length === 0) return new Map();
  const rows = await executor
    .selectFrom('observation_retention_rules')
    .selectAll()
    .where('tenant_id', 'in', tenantIds)
    .execute();
  return new Map(
    rows.map((row) => [row.tenant_id, { requestDays: row.request_days, rollupDays: row.rollup_days }] as const),
  );
}
