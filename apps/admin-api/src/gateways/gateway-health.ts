import { sql } from 'kysely';
import type { Executor } from '../database/database.ts';
import { dataPlaneSilenceMs } from '../data-planes/data-plane-state.ts';
import { healthOfSeverity } from '../targets/health-order.ts';
import type { GatewayPlace } from './gateway-counts.ts';

/** Data planes whose word on targets is taken, those heard of last. Each says something of every target. */
export const consultedNodesMax = 20;

/** Data planes of a gateway by when they were heard of. */
export interface NodeCounts {
  readonly online: number;
  readonly stale: number;
  readonly offline: number;
}

function nodesOf(executor: Executor, { tenantId, gatewayId }: GatewayPlace) {
  return executor
    .selectFrom('resource_references as reference')
    .leftJoin('resource_states as state', (join) =>
      join
        .onRef('state.tenant_id', '=', 'reference.tenant_id')
        .onRef('state.family', '=', 'reference.family')
        .onRef('state.id', '=', 'reference.id'),
    )
    .where('reference.tenant_id', '=', tenantId)
    .where('reference.target_family', '=', 'gateways')
    .where('reference.target_id', '=', gatewayId)
    .where('reference.family', '=', 'data-planes')
    .where('reference.field', '=', 'gateway_id');
}

/** How many data planes are online, stale and offline; see `connectionStatus`. */
export async function countNodes(executor: Executor, place: GatewayPlace, nowMs: number): Promise<NodeCounts> {
  // The state of a data plane is written by its own calls alone.
  const heardSince = (silenceMs: number) =>
    sql<number>`coalesce(sum(case when state.updated_at > ${nowMs - silenceMs} then 1 else 0 end), 0)`;
  const row = await nodesOf(executor, place)
    .select(({ fn }) => [
      fn.countAll<number>().as('total'),
      heardSince(dataPlaneSilenceMs.stale).as('online'),
      heardSince(dataPlaneSilenceMs.offline).as('heard'),
    ])
    .executeTakeFirstOrThrow();
  return { online: row.online, stale: row.heard - row.online, offline: row.total - row.heard };
}

/** Targets of a gateway by the worst that a data plane says of them. */
export interface TargetCounts {
  readonly healthy: number;
  readonly unhealthy: number;
  readonly dns_error: number;
  readonly healthchecks_off: number;
  /** Of which no data plane says anything. */
  readonly unknown: number;
}

/** How the targets are, as the data planes say that were heard of lately. @param total how many targets the gateway has */
export async function countTargets(
  executor: Executor,
  place: GatewayPlace,
  total: number,
  nowMs: number,
): Promise<TargetCounts> {
  const nodes = await nodesOf(executor, place)
    .select('reference.id')
    .where('state.updated_at', '>', nowMs - dataPlaneSilenceMs.offline)
    .orderBy('state.updated_at', 'desc')
    .orderBy('reference.id')
    .limit(consultedNodesMax)
    .execute();
  const counts = { healthy: 0, unhealthy: 0, dns_error: 0, healthchecks_off: 0 };
  if (nodes.length > 0) {
    const worst = executor
      .selectFrom('target_reports')
      .select(({ fn }) => fn.min<number>('severity').as('severity'))
      .where('tenant_id', '=', place.tenantId)
      .where('gateway_id', '=', place.gatewayId)
      .where('family', '=', 'data-planes')
      .where(
        'id',
        'in',
        nodes.map(({ id }) => id),
      )
      .groupBy('target_id');
    const rows = await executor
      .selectFrom(worst.as('worst'))
      .select(({ fn }) => ['worst.severity', fn.countAll<number>().as('targets')])
      .groupBy('worst.severity')
      .execute();
    for (const { severity, targets } of rows) counts[fieldOf(severity)] += targets;
  }
  const said = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return { ...counts, unknown: Math.max(0, total - said) };
}

const fields = {
  HEALTHY: 'healthy',
  UNHEALTHY: 'unhealthy',
  DNS_ERROR: 'dns_error',
  HEALTHCHECKS_OFF: 'healthchecks_off',
} as const;

function fieldOf(severity: number): (typeof fields)[keyof typeof fields] {
  return fields[healthOfSeverity(severity)];
}
