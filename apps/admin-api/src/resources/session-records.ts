import type { Family } from '@portcullis/resources';
import { familyNamed } from '@portcullis/resources';
import { Problem } from '../http/problem.ts';
import type { ResourceStore, StoredRecord } from '../store/resource-store.ts';
import type { SessionRecords } from './family-behaviour.ts';
import type { RecordWriter } from './record-writer.ts';
import type { WriteSession } from './write-session.ts';

/** Referring records that are read at once. */
const recordsPerPage = 500;
/** Referring records that an effect works with at the most: others wait for its transaction. */
const referringMax = 2_500;

/** The records of a session as a behaviour's effect writes them. @param writer does each write, with its own effects */
export function createSessionRecords(
  store: ResourceStore,
  session: WriteSession,
  writer: Pick<RecordWriter, 'anticipate' | 'create' | 'replace' | 'removeMany'>,
): SessionRecords {
  return {
    referring: (familyName, field, targetId) => referring(store, session, familyName, { field, targetId }),
    async create(familyName, gatewayId, values) {
      const family = familyNamed(familyName);
      const anticipated = await writer.anticipate(family, values, session.tenantId);
      return (await writer.create(session, family, { gatewayId }, values, anticipated)).record;
    },
    async replace(stored, values) {
      const family = familyNamed(stored.family);
      const anticipated = await writer.anticipate(family, values, session.tenantId);
      return (await writer.replace(session, family, stored, values, anticipated)).record;
    },
    remove: (family, stored) => writer.removeMany(session, familyNamed(family), stored),
  };
}

async function referring(
  store: ResourceStore,
  { transaction, tenantId }: WriteSession,
  family: Family['name'],
  reference: { readonly field: string; readonly targetId: string },
): Promise<StoredRecord[]> {
  const found: StoredRecord[] = [];
  let total = Infinity;
  while (found.length < total) {
    const filter = { tenantId, family, references: [reference], skip: found.length, limit: recordsPerPage };
    const page = await store.list(transaction, filter);
    if (page.total > referringMax) {
      throw new Problem(
        'referenced_by_others',
        `more than ${referringMax} ${family} belong to this record: change them by themselves`,
      );
    }
    found.push(...page.items);
    total = page.items.length === 0 ? 0 : page.total;
  }
  return found;
}
