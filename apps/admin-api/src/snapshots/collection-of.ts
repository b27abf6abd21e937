import type { StoredRecord } from '../store/resource-store.ts';
import { snapshotFamilies, type SnapshotFamily } from './snapshot-families.ts';

const families: ReadonlyMap<string, SnapshotFamily> = new Map(snapshotFamilies.map((family) => [family.name, family]));

/** The family of a record of the configuration. @throws RangeError for a record of another family: a bug */
export function familyOf({ family: name, id }: Pick<StoredRecord, 'family' | 'id'>): SnapshotFamily {
  const family = families.get(name);
  if (!family) throw new RangeError(`${name} ${id} is no configuration`);
  return family;
}

/** What results and differences say of a record. */
export interface RecordLine {
  readonly resource_type: string;
  readonly id: string;
  readonly name: string | null;
}

/** How results and differences name a record. */
export function lineOf(record: StoredRecord): RecordLine {
  return { resource_type: familyOf(record).bundle.key, id: record.id, name: record.name };
}
