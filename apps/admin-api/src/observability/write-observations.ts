import { sql, type Transaction } from 'kysely';
import type { Database } from '../database/database.ts';
import { traitsOf } from '../database/dialect-traits.ts';
import type { Tables } from '../database/tables.ts';
import { addCounters, storedKeys } from './add-counters.ts';
import { addDrops, sumOfDrops } from './add-drops.ts';
import { addRecords, type ArrivingRecord } from './add-records.ts';
import type { BatchPart } from './batch-parts.ts';
import { sumsOfCounters, type CounterOwner } from './counter-sums.ts';
import { recordRow } from './request-records.ts';
import { defaultRetention, retentionOfMany } from './retention-rules.ts';
import { timelyObservations, type DroppedObservations, type TimelyObservations } from './timely-observations.ts';

/** What became of a part. */
export interface WrittenPart {
  /** Whether it was counted now, and not before. */
  readonly isFirst: boolean;
  readonly timely: TimelyObservations;
}

/** Parts of one gateway that are written together. */
interface GatewayParts {
  readonly owner: CounterOwner;
  readonly parts: readonly PreparedPart[];
}

interface PreparedPart {
  readonly part: BatchPart;
  readonly timely: TimelyObservations;
}

const partColumns = {
  tenant_id: 'text',
  data_plane_id: 'text',
  boot_id: 'text',
  sequence: 'integer',
  part: 'integer',
} as const;
type PartName = readonly [tenantId: string, dataPlaneId: string, bootId: string, sequence: number, part: number];

/**
 * Counts some parts in one transaction; of those that were counted before nothing. Whatever can be done before the transaction
 * is, so that the only writer of SQLite is held for short. Names, counters, drops and numbers of arrivals are taken in this order,
 * each of them in the order of their keys, so that replicas wait for each other but never in a circle.
 * @returns one result for each part, in their order
 */
export async function writeObservations(
  database: Database,
  parts: readonly BatchPart[],
  nowMs: number,
): Promise<WrittenPart[]> {
  const rules = await retentionOfMany(database.read, [...new Set(parts.map(({ node }) => node.tenantId))]);
  const prepared = parts.map((part) => {
    const rule = rules.get(part.node.tenantId) ?? defaultRetention;
    return { part, timely: timelyObservations(part, nowMs, rule) };
  });
  const gateways = byGateway(prepared);
  const known = new Map<GatewayParts, ReadonlySet<string>>();
  for (const gateway of gateways) {
    const sums = sumsOfCounters(gateway.parts.flatMap(({ timely }) => timely.counters));
    known.set(gateway, await storedKeys(database.read, gateway.owner, sums));
  }
  const first = await database.transaction(async (transaction) => {
    const names = await takeNames(transaction, parts, nowMs);
    const isNew = ({ part }: PreparedPart): boolean => names.has(nameText(nameOf(part)));
    for (const gateway of gateways) {
      const counters = gateway.parts.filter(isNew).flatMap(({ timely }) => timely.counters);
      await addCounters(transaction, gateway.owner, sumsOfCounters(counters), known.get(gateway) ?? new Set());
    }
    for (const gateway of gateways) {
      await addDrops(transaction, gateway.owner, dropsOf(gateway.parts.filter(isNew)), nowMs);
    }
    for (const [tenantId, records] of recordsByTenant(gateways, isNew)) {
      await addRecords(database, transaction, tenantId, records);
    }
    return names;
  });
  const told = new Set<string>();
  return prepared.map(({ part, timely }) => {
    const name = nameText(nameOf(part));
    const isFirst = first.has(name) && !told.has(name);
    told.add(name);
    return { isFirst, timely };
  });
}

function nameOf({ node, bootId, sequence, part }: BatchPart): PartName {
  return [node.tenantId, node.id, bootId, sequence, part];
}

function nameText(name: PartName): string {
  return JSON.stringify(name);
}

/** Notes the parts as counted. @returns those that were not before */
async function takeNames(
  transaction: Transaction<Tables>,
  parts: readonly BatchPart[],
  nowMs: number,
): Promise<ReadonlySet<string>> {
  const names = new Map(parts.map((part) => [nameText(nameOf(part)), nameOf(part)]));
  const sorted = [...names].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, name]) => name);
  const added = traitsOf(transaction).rowsOf('added', partColumns, sorted);
  const { rows } = await sql<Record<keyof typeof partColumns, string | number>>`
    insert into observation_batch_parts (tenant_id, data_plane_id, boot_id, sequence, part, received_at)
    select added.tenant_id, added.data_plane_id, added.boot_id, added.sequence, added.part, cast(${nowMs} as bigint) from ${added}
    where true
    on conflict do nothing
    returning tenant_id, data_plane_id, boot_id, sequence, part
  `.execute(transaction);
  return new Set(
    rows.map((row) =>
      JSON.stringify([row.tenant_id, row.data_plane_id, row.boot_id, Number(row.sequence), Number(row.part)]),
    ),
  );
}

/** In the order of tenant and gateway. The same part twice in one group is counted once. */
function byGateway(prepared: readonly PreparedPart[]): GatewayParts[] {
  const unique = new Map(prepared.map((one) => [nameText(nameOf(one.part)), one]));
  const groups = Map.groupBy(unique.values(), ({ part: { node } }) => JSON.stringify([node.tenantId, node.gatewayId]));
  return [...groups]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .flatMap(([, [first, ...rest]]) => (first ? [{ owner: first.part.node, parts: [first, ...rest] }] : []));
}

function dropsOf(parts: readonly PreparedPart[]): DroppedObservations {
  return parts
    .map(({ part, timely: { dropped } }) => ({ ...dropped, records: dropped.records + part.droppedRecords }))
    .reduce(sumOfDrops, { late: 0, future: 0, records: 0 });
}

/** In the order of tenants. */
function recordsByTenant(
  gateways: readonly GatewayParts[],
  isNew: (part: PreparedPart) => boolean,
): ReadonlyMap<string, readonly ArrivingRecord[]> {
  const records = new Map<string, ArrivingRecord[]>();
  for (const { owner, parts } of gateways) {
    let own = records.get(owner.tenantId);
    if (own === undefined) records.set(owner.tenantId, (own = []));
    for (const { timely } of parts.filter(isNew)) {
      for (const record of timely.records) own.push(recordRow(owner, record));
    }
  }
  return records;
}
