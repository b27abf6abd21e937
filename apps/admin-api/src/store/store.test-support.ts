import type { RecordToWrite, ReferenceValue, StoredRecord } from './resource-store.ts';

/** What a sample record has that differs from the usual. */
export interface ItemOptions extends Partial<StoredRecord> {
  readonly keys?: RecordToWrite['keys'];
  readonly references?: readonly ReferenceValue[];
}

/** A record of family `service` named like its ID, with the name as unique key of the tenant. */
export function item(tenantId: string, id: string, options: ItemOptions = {}): RecordToWrite {
  const { keys, references = [], ...fields } = options;
  const record: StoredRecord = {
    tenantId,
    family: 'service',
    id,
    gatewayId: null,
    name: id,
    enabled: true,
    revision: 1,
    createdAtMs: 1_700_000_000_000,
    updatedAtMs: 1_700_000_000_000,
    body: {},
    secrets: {},
    tenantRevision: 1,
    ...fields,
  };
  return { record, keys: keys ?? [{ keyName: 'name', scope: tenantId, value: record.name ?? id }], references };
}

/** A reference to a service of the same tenant. */
export function refersTo(targetId: string, field = 'service_id'): ReferenceValue {
  return { field, targetFamily: 'service', targetId };
}
