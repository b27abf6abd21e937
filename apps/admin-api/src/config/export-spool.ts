import { bundleFamilies } from '@portcullis/resources';
import type { Executor } from '../database/database.ts';
import type { ResourceStore, StoredRecord } from '../store/resource-store.ts';
import type { ExportMemory } from './export-memory.ts';
import { exportOrder, exportedFields, namedFields } from './export-record.ts';
import { ExportedNames } from './exported-names.ts';

/** Where the records of an export are read. */
export type ExportedRecords = Pick<ResourceStore, 'scan'>;

/** A record that waits to be sent. */
export interface SpooledRecord {
  readonly id: string;
  readonly order: string;
  /** Its fields without its ID, as JSON. */
  readonly text: string;
}

/** A tenant's configuration, read from one committed state and ready to be sent. */
export interface ExportSpool {
  readonly tenantId: string;
  /** By the key of the bundle's array; each list in the reverse of its order, so that records are taken off its end. */
  readonly records: ReadonlyMap<string, SpooledRecord[]>;
  /** Whether a record is exported with its ID. */
  readonly showsId: (key: string, id: string) => boolean;
}

/**
 * Reads all that a bundle holds. It is short work, so that no snapshot of the database stays open however slowly the result
 * is fetched. @throws Problem when the texts do not fit into `memory`
 */
export async function spoolExport(
  {
    store,
    executor,
    memory,
  }: { readonly store: ExportedRecords; readonly executor: Executor; readonly memory: ExportMemory },
  tenantId: string,
  { ids }: { readonly ids: boolean },
): Promise<ExportSpool> {
  const names = new ExportedNames();
  const records = new Map<string, SpooledRecord[]>();
  for (const family of bundleFamilies) {
    const spooled: SpooledRecord[] = [];
    const spool = (record: StoredRecord): void => {
      const fields = exportedFields(family, record);
      const text = JSON.stringify(ids ? fields : namedFields(family, fields, names));
      const order = exportOrder(family, record, names);
      memory.take(text.length + order.length);
      spooled.push({ id: record.id, order, text });
    };
    for await (const page of store.scan(executor, tenantId, family.name)) {
      for (const record of page) {
        names.add(record);
        spool(record);
      }
    }
    spooled.sort((left, right) => (left.order < right.order ? 1 : -1));
    records.set(family.bundle.key, spooled);
  }
  const familyOf = new Map(bundleFamilies.map(({ bundle, name }) => [bundle.key, name]));
  return { tenantId, records, showsId: (key, id) => ids || names.keepsId(familyOf.get(key) ?? '', id) };
}
