import type { ReportedTarget, TargetHealthState } from '@portcullis/resources';
import { sql } from 'kysely';
import { chunksOf } from '../database/chunks.ts';
import type { Executor } from '../database/database.ts';
import { traitsOf } from '../database/dialect-traits.ts';
import { storableJson } from '../database/storable-text.ts';
import { dataPlaneSilenceMs } from '../data-planes/data-plane-state.ts';
import { healthAtNode, healthOfSeverity, severityOf, worstFirst } from './health-order.ts';

/** A data plane that says something of targets. */
export interface ReportingNode {
  readonly tenantId: string;
  readonly id: string;
  readonly gatewayId: string;
}

/** What a data plane says of one address of a target. */
export type ReportedAddress = Omit<ReportedTarget, 'target_id'>;

/** What one data plane says of one target of its gateway. */
export interface TargetReport {
  readonly dataPlaneId: string;
  readonly dataPlaneName: string;
  readonly targetId: string;
  /** See `healthAtNode`. */
  readonly health: TargetHealthState;
  /** The worst of them, at most {@link keptAddressesMax}. */
  readonly addresses: readonly ReportedAddress[];
}

/** Targets of one gateway. */
export interface AskedTargets {
  readonly tenantId: string;
  readonly gatewayId: string;
  readonly targetIds: readonly string[];
}

const family = 'data-planes';

/** Addresses of one target that are kept of a data plane: how the whole target is counts all of them. */
export const keptAddressesMax = 8;

/** Targets and rows of one statement: what is read at once is parsed at once, and no more than a tenth of a second may go into that. */
const targetsPerStatement = 10;
const rowsPerStatement = 5000;

/**
 * Keeps what a data plane says of targets, in place of what it said before; what is the same is not written, nor what it says of
 * anything but targets of its gateway. The database compares, so that a long list costs the caller two statements.
 * @throws UnstorableTextError
 */
export async function storeTargetReport(
  executor: Executor,
  { tenantId, id, gatewayId }: ReportingNode,
  targets: readonly ReportedTarget[],
): Promise<void> {
  const entries = storableJson(JSON.stringify(Object.fromEntries(saidByTarget(targets))));
  const said = traitsOf(executor).entriesOf(entries);
  await sql`
    delete from target_reports
    where tenant_id = ${tenantId} and family = ${family} and id = ${id}
      and (gateway_id <> ${gatewayId} or target_id not in (select said.key from ${said} as said))
  `.execute(executor);
  if (targets.length === 0) return;
  // One digit, and then the addresses.
  const severity = sql`cast(substr(said.value, 1, 1) as integer)`;
  const addresses = sql`substr(said.value, 2)`;
  await sql`
    insert into target_reports (tenant_id, gateway_id, target_id, family, id, severity, addresses)
    select ${tenantId}, ${gatewayId}, said.key, ${family}, ${id}, ${severity}, ${addresses} from ${said} as said
    where exists (
      select 1 from resources as target where target.tenant_id = ${tenantId} and target.family = 'targets'
        and target.id = said.key and target.gateway_id = ${gatewayId}
    )
    on conflict (target_id, tenant_id, gateway_id, id)
    do update set severity = excluded.severity, addresses = excluded.addresses
    where target_reports.severity <> excluded.severity or target_reports.addresses <> excluded.addresses
  `.execute(executor);
}

/** What data planes say of targets that were heard of lately. */
export async function readTargetReports(
  executor: Executor,
  { tenantId, gatewayId, targetIds }: AskedTargets,
  nowMs: number,
): Promise<readonly TargetReport[]> {
  const found: TargetReport[] = [];
  for (let start = 0; start < targetIds.length; start += targetsPerStatement) {
    const rows = await executor
      .selectFrom('target_reports')
      .select(['id', 'target_id', 'severity', 'addresses'])
      .where('tenant_id', '=', tenantId)
      .where('gateway_id', '=', gatewayId)
      .where('target_id', 'in', targetIds.slice(start, start + targetsPerStatement))
      .orderBy('severity')
      .orderBy('id')
      .limit(rowsPerStatement)
      .execute();
    const ids = [...new Set(rows.map(({ id }) => id))];
    const names = await namesOfOnline(executor, tenantId, ids, nowMs);
    for (const row of rows) {
      const dataPlaneName = names.get(row.id);
      if (dataPlaneName === undefined) continue;
      const health = healthOfSeverity(row.severity);
      const addresses = JSON.parse(row.addresses) as ReportedAddress[];
      found.push({ dataPlaneId: row.id, dataPlaneName, targetId: row.target_id, health, addresses });
    }
  }
  return found;
}

/**
 * Those of some data planes that were heard of lately, with their names. Asked for by itself: a join that begins with the data planes
 * reads all that each of them says.
 */
async function namesOfOnline(
  executor: Executor,
  tenantId: string,
  ids: readonly string[],
  nowMs: number,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const chunk of chunksOf(ids)) {
    const rows = await executor
      .selectFrom('resources')
      .innerJoin('resource_states', (join) =>
        join
          .onRef('resource_states.tenant_id', '=', 'resources.tenant_id')
          .onRef('resource_states.family', '=', 'resources.family')
          .onRef('resource_states.id', '=', 'resources.id'),
      )
      .select(['resources.id', 'resources.name'])
      .where('resources.tenant_id', '=', tenantId)
      .where('resources.family', '=', family)
      .where('resources.id', 'in', chunk)
      // The state of a data plane is written by its own calls alone.
      .where('resource_states.updated_at', '>', nowMs - dataPlaneSilenceMs.offline)
      .execute();
    for (const { id, name } of rows) names.set(id, name ?? id);
  }
  return names;
}

/** Severity and addresses of each target, as one text. */
function saidByTarget(targets: readonly ReportedTarget[]): ReadonlyMap<string, string> {
  const lists = new Map<string, ReportedAddress[]>();
  for (const { target_id: targetId, ...address } of targets) {
    const list = lists.get(targetId);
    if (list === undefined) lists.set(targetId, [address]);
    else list.push(address);
  }
  return new Map(
    Array.from(lists, ([targetId, list]) => {
      const severity = severityOf({ health: healthAtNode(list) });
      const kept = list.length > 1 ? worstFirst(list).slice(0, keptAddressesMax) : list;
      return [targetId, storableJson(`${severity}${JSON.stringify(kept)}`)];
    }),
  );
}
