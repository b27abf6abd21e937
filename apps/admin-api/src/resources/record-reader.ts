import type { Family } from '@portcullis/resources';
import { familyNamed } from '@portcullis/resources';
import type { Executor } from '../database/database.ts';
import { Problem } from '../http/problem.ts';
import type { Principal } from '../identity/principal.ts';
import type { RecordFilter, ResourceStore, StoredRecord, Visibility } from '../store/resource-store.ts';
import type { FamilyBehaviour } from './family-behaviour.ts';
import { addressKey } from './record-keys.ts';
import { viewOf } from './record-view.ts';
import type { Values } from './values.ts';

/** Reads records of every family as callers may see them. */
export interface RecordReader {
  /** A record by ID or, where the family has one, by name. @throws Problem `not_found`, the same for foreign and unknown records */
  find(
    executor: Executor,
    principal: Principal,
    family: Family,
    place: ReadPlace,
    idOrName: string,
  ): Promise<StoredRecord>;
  /** As `find`, but `undefined` where there is no such record. */
  findOrNone(
    executor: Executor,
    principal: Principal,
    family: Family,
    place: ReadPlace,
    idOrName: string,
  ): Promise<StoredRecord | undefined>;
  list(
    executor: Executor,
    principal: Principal,
    family: Family,
    filter: Omit<RecordFilter, 'family'>,
  ): Promise<{ items: StoredRecord[]; total: number }>;
  /** Records as the wire shows them, with their live fields. */
  view(executor: Executor, family: Family, tenantId: string, records: readonly StoredRecord[]): Promise<Values[]>;
  /** What refers to a record, at most `limit`, as the wire shows it. */
  referrers(
    executor: Executor,
    tenantId: string,
    family: Family,
    id: string,
    limit: number,
  ): Promise<{ resource_type: string; id: string; field: string }[]>;
  /** The ID of a gateway by ID or name. @throws Problem `not_found` */
  gatewayId(executor: Executor, tenantId: string, idOrName: string): Promise<string>;
}

/** Where a record is looked for. */
export interface ReadPlace {
  readonly tenantId: string;
  readonly gatewayId: string | null;
}

/** Makes the reader. */
export function createRecordReader(
  store: ResourceStore,
  behaviours: ReadonlyMap<string, FamilyBehaviour>,
): RecordReader {
  const reader: RecordReader = {
    async find(executor, principal, family, place, idOrName) {
      const record = await reader.findOrNone(executor, principal, family, place, idOrName);
      if (!record) throw notFound(family);
      return record;
    },
    async findOrNone(executor, principal, family, place, idOrName) {
      const record = await findRecord(store, behaviours, executor, family, place, idOrName);
      const visible = await behaviours.get(family.name)?.visibility?.(executor, principal);
      return record && isVisible(record, visible) ? record : undefined;
    },
    async list(executor, principal, family, filter) {
      const behaviour = behaviours.get(family.name);
      const visibility = await behaviour?.visibility?.(executor, principal);
      const builtIn = behaviour?.builtIn?.(filter.tenantId) ?? [];
      return builtIn.length === 0
        ? store.list(executor, { ...filter, family: family.name, ...(visibility && { visibility }) })
        : listWithBuiltIn(store, executor, family, filter, builtIn);
    },
    async view(executor, family, tenantId, records) {
      const live = await behaviours.get(family.name)?.liveFields?.(executor, tenantId, records);
      return records.map((record) => viewOf(family, record, live?.get(record.id)));
    },
    async referrers(executor, tenantId, family, id, limit) {
      const rows = await store.referrers(executor, tenantId, family.name, id, limit);
      return rows.map((row) => ({ resource_type: familyNamed(row.family).singular, id: row.id, field: row.field }));
    },
    async gatewayId(executor, tenantId, idOrName) {
      const family = familyNamed('gateways');
      const record = await findRecord(store, behaviours, executor, family, { tenantId, gatewayId: null }, idOrName);
      if (!record) throw notFound(family);
      return record.id;
    },
  };
  return reader;
}

function isVisible({ id, body }: StoredRecord, visibility: Visibility | undefined): boolean {
  if (!visibility || visibility.ids.includes(id)) return true;
  const { orField } = visibility;
  return orField !== undefined && body[orField.field] === orField.value;
}

async function findRecord(
  store: ResourceStore,
  behaviours: ReadonlyMap<string, FamilyBehaviour>,
  executor: Executor,
  family: Family,
  place: ReadPlace,
  idOrName: string,
): Promise<StoredRecord | undefined> {
  const byId = await store.get(executor, place.tenantId, family.name, idOrName);
  if (byId) return isOnGateway(family, place, byId) ? byId : undefined;
  const key = addressKey(family, place, idOrName);
  const byName = key && (await store.findByKey(executor, family.name, key));
  if (byName) return byName;
  const builtIn = behaviours.get(family.name)?.builtIn?.(place.tenantId) ?? [];
  return builtIn.find((record) => record.id === idOrName || record.name === idOrName);
}

function isOnGateway(family: Family, place: ReadPlace, record: StoredRecord): boolean {
  return family.scope !== 'gateway' || record.gatewayId === place.gatewayId;
}

/** Lists that mix built-in and stored records are short (plugin packages), so they are put together in memory. */
async function listWithBuiltIn(
  store: ResourceStore,
  executor: Executor,
  family: Family,
  filter: Omit<RecordFilter, 'family'>,
  builtIn: readonly StoredRecord[],
): Promise<{ items: StoredRecord[]; total: number }> {
  const stored: StoredRecord[] = [];
  for await (const page of store.scan(executor, filter.tenantId, family.name)) stored.push(...page);
  const names = new Set(stored.map((record) => record.name));
  const all = [...builtIn.filter((record) => !names.has(record.name)), ...stored]
    .filter((record) => filter.name === undefined || record.name === filter.name)
    .toSorted((left, right) => ((left.name ?? '') < (right.name ?? '') ? -1 : 1));
  if (filter.order === 'desc') all.reverse();
  return { items: all.slice(filter.skip, filter.skip + filter.limit), total: all.length };
}

/** Built fresh each time, and the same whether the record is unknown or another tenant's. */
function notFound(family: Family): Problem {
  return new Problem('not_found', `${family.singular.replaceAll('_', ' ')} not found`);
}
