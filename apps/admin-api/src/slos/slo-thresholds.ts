import { observationLimits } from '@portcullis/resources';
import type { Executor } from '../database/database.ts';
import { Problem } from '../http/problem.ts';

/** Whose traffic an objective judges: a gateway's, or all of the tenant's where the ID is empty. */
export interface ObjectiveScope {
  readonly tenantId: string;
  readonly gatewayId: string;
}

/** What a gateway counts requests against, ascending: thresholds of its own objectives and of those of the whole tenant. */
export async function thresholdsOfGateway(
  executor: Executor,
  { tenantId, gatewayId }: ObjectiveScope,
): Promise<readonly number[]> {
  const rows = await executor
    .selectFrom('slo_states')
    .select('threshold_us')
    .distinct()
    .where('tenant_id', '=', tenantId)
    .where('gateway_id', 'in', [gatewayId, ''])
    .where('threshold_us', 'is not', null)
    .orderBy('threshold_us')
    .limit(observationLimits.thresholdsMax)
    .execute();
  return rows.flatMap(({ threshold_us: thresholdUs }) => thresholdUs ?? []);
}

/** Whether an objective of a scope, other than this one, counts against a threshold. */
export async function isCountedFor(
  executor: Executor,
  { tenantId, gatewayId }: ObjectiveScope,
  thresholdUs: number,
  exceptId: string,
): Promise<boolean> {
  const row = await executor
    .selectFrom('slo_states')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('gateway_id', '=', gatewayId)
    .where('threshold_us', '=', thresholdUs)
    .where('id', '!=', exceptId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Refuses a threshold with which a gateway would have too many. The write holds the tenant's lock, so two that come at once
 * cannot exceed the bound together. @throws Problem `validation_failed`. Source: reliability rules, SLO engine
 */
export async function demandRoomForThreshold(executor: Executor, scope: ObjectiveScope): Promise<void> {
  const rows = await executor
    .selectFrom('slo_states')
    .select(['gateway_id', 'threshold_us'])
    .distinct()
    .where('tenant_id', '=', scope.tenantId)
    .where('threshold_us', 'is not', null)
    .$if(scope.gatewayId !== '', (query) => query.where('gateway_id', 'in', [scope.gatewayId, '']))
    .execute();
  const shared = new Set(rows.filter((row) => row.gateway_id === '').map((row) => row.threshold_us));
  const own = Map.groupBy(
    rows.filter((row) => row.gateway_id !== '' && !shared.has(row.threshold_us)),
    (row) => row.gateway_id,
  );
  const most = shared.size + Math.max(0, ...Array.from(own.values(), (thresholds) => thresholds.length));
  const { thresholdsMax } = observationLimits;
  if (most <= thresholdsMax) return;
  const message = `one gateway counts against at most ${thresholdsMax} latency thresholds`;
  throw new Problem('validation_failed', message, {
    errors: [{ pointer: '/objective/latency_threshold_ms', code: 'max_thresholds', message }],
  });
}
