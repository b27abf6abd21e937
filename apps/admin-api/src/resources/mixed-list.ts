import type { Family } from '@portcullis/resources';
import type { RecordFilter, StoredRecord, Visibility } from '../store/resource-store.ts';
import { isValues } from './values.ts';

type ListFilter = Omit<RecordFilter, 'family'>;

/**
 * One page of a list that mixes built-in and stored records, with the filters and orders that the store applies to stored
 * ones. A stored record takes the place of the built-in one of the same name or ID. Such lists are short (plugin packages).
 */
export function pageOfMixed(
  family: Family,
  builtIn: readonly StoredRecord[],
  stored: readonly StoredRecord[],
  filter: ListFilter,
): { items: StoredRecord[]; total: number } {
  const taken = new Set(stored.flatMap(({ id, name }) => [`id ${id}`, ...(name === null ? [] : [`name ${name}`])]));
  const left = builtIn.filter(({ id, name }) => !taken.has(`id ${id}`) && !taken.has(`name ${name ?? ''}`));
  const sign = filter.order === 'desc' ? -1 : 1;
  const all = [...left, ...stored]
    .filter((record) => isListed(family, record, filter))
    .toSorted((one, other) => sign * compared(one, other, filter.sort ?? 'created_at'));
  return { items: all.slice(filter.skip, filter.skip + filter.limit), total: all.length };
}

/** Whether a record is among those that a caller may see. */
export function isVisible({ id, body }: StoredRecord, visibility: Visibility | undefined): boolean {
  if (!visibility || visibility.ids.includes(id)) return true;
  const { orField } = visibility;
  return orField !== undefined && body[orField.field] === orField.value;
}

function isListed(family: Family, record: StoredRecord, filter: ListFilter): boolean {
  const { body } = record;
  const labels = isValues(body['labels']) ? body['labels'] : {};
  return (
    (filter.gatewayId === undefined || record.gatewayId === filter.gatewayId) &&
    (filter.name === undefined || record.name === filter.name) &&
    (filter.enabled === undefined || record.enabled === filter.enabled) &&
    Object.entries(filter.labels ?? {}).every(([key, value]) => Object.hasOwn(labels, key) && labels[key] === value) &&
    Object.entries(filter.fields ?? {}).every(([field, value]) => body[field] === value) &&
    (filter.references ?? []).every(({ field, targetId }) => {
      const isMany = family.references.some((reference) => reference.field === field && reference.many);
      const held = body[field];
      return isMany ? Array.isArray(held) && held.includes(targetId) : held === targetId;
    }) &&
    isVisible(record, filter.visibility)
  );
}

/** The store's total order: a record without a name comes before those with one, and ties go by ID. */
function compared(one: StoredRecord, other: StoredRecord, sort: NonNullable<ListFilter['sort']>): number {
  const [left, right] = [sortValue(one, sort), sortValue(other, sort)];
  if (left !== right) return left < right ? -1 : 1;
  return one.id < other.id ? -1 : Number(one.id > other.id);
}

function sortValue(record: StoredRecord, sort: NonNullable<ListFilter['sort']>): number | string {
  switch (sort) {
    case 'created_at':
      return record.createdAtMs;
    case 'updated_at':
      return record.updatedAtMs;
    case 'name':
      return record.name ?? '';
    case 'id':
      return record.id;
  }
}
