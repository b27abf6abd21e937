import { sql } from 'kysely';
import type { Executor } from '../database/database.ts';
import { dayMs, retentionOf } from './retention-rules.ts';

/** What evaluations need beside counters, of several scopes at once. */
export interface SloFacts {
  /** The later of when counters begin to be kept and when somebody could have sent any; `undefined` when there is no gateway. */
  sinceMs(gatewayId: string, nowMs: number, observedMs: number | undefined): number | undefined;
}

/** Reads when gateways were created and how long counters are kept. @param gatewayIds empty for all of a tenant */
export async function readSloFacts(
  executor: Executor,
  tenantId: string,
  gatewayIds: readonly string[],
): Promise<SloFacts> {
  const created = await creationTimes(executor, tenantId, gatewayIds);
  const { rollupDays } = await retentionOf(executor, tenantId);
  return {
    sinceMs(gatewayId, nowMs, observedMs) {
      const begun = [created.get(gatewayId), observedMs].filter((ms) => ms !== undefined);
      return begun.length === 0 ? undefined : Math.max(Math.min(...begun), nowMs - rollupDays * dayMs);
    },
  };
}

/** By gateway; that of the oldest under the empty ID. */
async function creationTimes(
  executor: Executor,
  tenantId: string,
  gatewayIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const gateways = executor.selectFrom('resources').where('collection', '=', `gateways/${tenantId}`);
  const named = gatewayIds.filter((id) => id !== '');
  const rows = named.length === 0 ? [] : await gateways.select(['id', 'created_at']).where('id', 'in', named).execute();
  const times = new Map(rows.map((row) => [row.id, row.created_at]));
  if (named.length < gatewayIds.length) {
    const { oldest } = await gateways
      .select(({ fn }) => fn.min<number | null>('created_at').as('oldest'))
      .executeTakeFirstOrThrow();
    if (oldest !== null) times.set('', oldest);
  }
  return times;
}

/** Requests that came in during a window and were refused as too old. */
export type DroppedLate = (gatewayId: string, windowMinutes: number) => number;

/** Reads them for several windows that end now: one statement for all gateways, one for the tenant. */
export async function readDroppedLate(
  executor: Executor,
  tenantId: string,
  { nowMs, gatewayIds, windowsMinutes }: DroppedQuestion,
): Promise<DroppedLate> {
  const hourOf = (ms: number): number => Math.floor(ms / 3_600_000) * 60;
  const firstOf = (windowMinutes: number): number => hourOf(nowMs - windowMinutes * 60_000);
  const named = gatewayIds.filter((id) => id !== '');
  const columns = windowsMinutes.map((windowMinutes, index) =>
    // As a sum of fractions, because SQLite refuses sums of integers beyond 2^63.
    sql<
      number | null
    >`sum(case when minute >= ${sql.lit(firstOf(windowMinutes))} then dropped_late * 1.0 else 0 end)`.as(
      `late_${index}`,
    ),
  );
  const drops = executor
    .selectFrom('observation_drops')
    .select(columns)
    .where('tenant_id', '=', tenantId)
    .where('minute', '>=', firstOf(Math.max(...windowsMinutes)))
    .where('minute', '<=', hourOf(nowMs));
  const rows = new Map<string, Readonly<Record<string, unknown>>>();
  if (named.length > 0) {
    const found = await drops.select('gateway_id').where('gateway_id', 'in', named).groupBy('gateway_id').execute();
    for (const row of found) rows.set(row.gateway_id, row);
  }
  if (named.length < gatewayIds.length) rows.set('', await drops.executeTakeFirstOrThrow());
  return (gatewayId, windowMinutes) => {
    const late = rows.get(gatewayId)?.[`late_${windowsMinutes.indexOf(windowMinutes)}`];
    return Math.min(Math.round(Number(late ?? 0)), Number.MAX_SAFE_INTEGER);
  };
}

/** Whose requests, and when. */
export interface DroppedQuestion {
  readonly nowMs: number;
  /** Empty for all of the tenant. */
  readonly gatewayIds: readonly string[];
  /** Each once. */
  readonly windowsMinutes: readonly number[];
}
