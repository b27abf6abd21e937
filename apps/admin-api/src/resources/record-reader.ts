import type { Family } from '@portcullis/resources';
import { familyNamed } from '@portcullis/resources';
import type { Executor } from '../database/database.ts';
import { Problem } from '../http/problem.ts';
import type { PackedFields } from '../http/packed-fields.ts';
import type { Principal } from '../identity/principal.ts';
import { tenantRequired } from '../identity/tenant-scope.ts';
import type { RecordFilter, ResourceStore, StoredRecord } from '../store/resource-store.ts';
import type { FamilyBehaviour } from './family-behaviour.ts';
import { isVisible, pageOfMixed } from './mixed-list.ts';
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
  /** As `find`, but `undefined` where there is no such record. @throws Problem `invalid_state` for a built-in one, which nobody can change */
  findToWrite(
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
  /** Records as the wire shows them, with their live fields. @param isList whether they are a page of many; default no */
  view(
    executor: Executor,
    family: Family,
    tenantId: string,
    records: readonly StoredRecord[],
    isList?: boolean,
  ): Promise<Values[]>;
  /** The documents of a record, which are no part of its view: packed, by field. Nothing for families without. */
  documents(executor: Executor, family: Family, record: StoredRecord): Promise<PackedFields | undefined>;
  /** A page of what refers to a record, as the wire shows it, and how much there is of it. */
  referrers(
    executor: Executor,
    tenantId: string,
    family: Family,
    id: string,
    page: { readonly skip: number; readonly limit: number },
  ): Promise<{ readonly items: readonly Values[]; readonly total: number }>;
  /** The ID of a gateway by ID or name. @throws Problem `not_found` */
  gatewayId(executor: Executor, tenantId: string, idOrName: string): Promise<string>;
}

/** Where a record is looked for. */
export interface ReadPlace {
  readonly tenantId: string;
  readonly gatewayId: string | null;
  /** Of families whose records are found below another record only: that one's ID. */
  readonly parentId?: string;
}

/** Makes the reader. */
export function createRecordReader(
  store: ResourceStore,
  behaviours: ReadonlyMap<string, FamilyBehaviour>,
): RecordReader {
  const findVisible = async (
    executor: Executor,
    principal: Principal,
    family: Family,
    place: ReadPlace,
    idOrName: string,
  ): Promise<FoundRecord | undefined> => {
    const found = await findRecord(store, behaviours, executor, family, place, idOrName);
    const visibility = found && (await behaviours.get(family.name)?.visibility?.(executor, principal));
    return found && isVisible(found.record, visibility) ? found : undefined;
  };
  const reader: RecordReader = {
    async find(executor, principal, family, place, idOrName) {
      const found = await findVisible(executor, principal, family, place, idOrName);
      if (!found) throw notFoundIn(family, place);
      return found.record;
    },
    async findToWrite(executor, principal, family, place, idOrName) {
      return refuseBuiltIn(family, await findVisible(executor, principal, family, place, idOrName));
    },
    async list(executor, principal, family, filter) {
      const behaviour = behaviours.get(family.name);
      const visibility = await behaviour?.visibility?.(executor, principal);
      const builtIn = behaviour?.builtIn?.(filter.tenantId) ?? [];
      const seen = { ...filter, ...(visibility && { visibility }) };
      if (builtIn.length === 0) return store.list(executor, { ...seen, family: family.name });
      return pageOfMixed(family, builtIn, await storedRecords(store, executor, filter.tenantId, family), seen);
    },
    async view(executor, family, tenantId, records, isList = false) {
      const live = await behaviours.get(family.name)?.liveFields?.(executor, tenantId, records, isList);
      return records.map((record) => viewOf(family, record, live?.get(record.id)));
    },
    documents: async (executor, family, record) => behaviours.get(family.name)?.documents?.(executor, record),
    async referrers(executor, tenantId, family, id, { skip, limit }) {
      const rows = await store.referrers(executor, tenantId, family.name, id, limit, skip);
      const total = await store.countReferrers(executor, tenantId, family.name, id);
      const items = rows.map((row) => ({ ...row, resource_type: familyNamed(row.family).singular }));
      return { items: items.map(({ family: _family, ...item }) => item), total };
    },
    async gatewayId(executor, tenantId, idOrName) {
      const family = familyNamed('gateways');
      const found = await findRecord(store, behaviours, executor, family, { tenantId, gatewayId: null }, idOrName);
      if (!found) throw notFound(family);
      return found.record.id;
    },
  };
  return reader;
}

interface FoundRecord {
  readonly record: StoredRecord;
  readonly isBuiltIn: boolean;
}

async function findRecord(
  store: ResourceStore,
  behaviours: ReadonlyMap<string, FamilyBehaviour>,
  executor: Executor,
  family: Family,
  place: ReadPlace,
  idOrName: string,
): Promise<FoundRecord | undefined> {
  const stored = await findStored(store, executor, family, place, idOrName);
  if (stored) return { record: stored, isBuiltIn: false };
  const builtIn = behaviours.get(family.name)?.builtIn?.(place.tenantId) ?? [];
  const record = builtIn.find((candidate) => candidate.id === idOrName || candidate.name === idOrName);
  return record && { record, isBuiltIn: true };
}

/** What IDs look like that were not chosen by a caller. */
const madeUpId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * An ID goes before a name. One statement for what is usual: a made-up ID is looked for as an ID first; any other text may
 * well be a name.
 */
async function findStored(
  store: ResourceStore,
  executor: Executor,
  family: Family,
  place: ReadPlace,
  idOrName: string,
): Promise<StoredRecord | undefined> {
  const { tenantId } = place;
  const key = addressKey(family, place, idOrName);
  if (!key || madeUpId.test(idOrName)) {
    const byId = await store.get(executor, tenantId, family.name, idOrName);
    if (byId && isAt(family, place, byId)) return byId;
    return key && store.findByKey(executor, family.name, key);
  }
  const found = await store.findByIdOrKey(executor, tenantId, family.name, idOrName, key);
  const here = found.filter((record) => isAt(family, place, record));
  return here.find(({ id }) => id === idOrName) ?? here[0];
}

function isAt(family: Family, place: ReadPlace, record: StoredRecord): boolean {
  if (family.parent && record.body[family.parent.field] !== place.parentId) return false;
  return family.scope !== 'gateway' || record.gatewayId === place.gatewayId;
}

/** @throws Problem `invalid_state` for what every tenant has without storing it */
function refuseBuiltIn(family: Family, found: FoundRecord | undefined): StoredRecord | undefined {
  if (found?.isBuiltIn !== true) return found?.record;
  throw new Problem('invalid_state', `a built-in ${nameOf(family)} cannot be changed`);
}

async function storedRecords(store: ResourceStore, executor: Executor, tenantId: string, family: Family) {
  const stored: StoredRecord[] = [];
  for await (const page of store.scan(executor, tenantId, family.name)) stored.push(...page);
  return stored;
}

/**
 * The refusal where a record was looked for. Outside all tenants it says that a tenant has to be named: the caller, who belongs
 * to none, has most likely forgotten to. Source: spec, Errors.
 */
export function notFoundIn(family: Family, { tenantId }: ReadPlace): Problem {
  return family.tenantOptional === true && tenantId === '' ? tenantRequired() : notFound(family);
}

/** The refusal, built fresh each time, and the same whether a record is unknown or another tenant's. */
function notFound(family: Family): Problem {
  return new Problem('not_found', `${nameOf(family)} not found`);
}

function nameOf(family: Family): string {
  return family.singular.replaceAll('_', ' ');
}
