import { LRUCache } from 'lru-cache';
import { gatewayRevision } from '../data-planes/gateway-revision.ts';
import type { Database } from '../database/database.ts';
import type { ResourceStore } from '../store/resource-store.ts';
import { readMatchingTable, type MatchingTable } from './matching-table.ts';
import { tableWeight } from './table-weight.ts';
import { TenantTurns } from './tenant-turns.ts';

/** What all tables that are kept take together: two of a hundred thousand plain routes. One that is larger is read each time. */
const keptBytesMax = 256 * 1024 * 1024;
/** Tables that are being read at the same time, of tenants that differ: each is as large as its tenant made it. */
const readAtOnce = 2;

/** A gateway's table, and the revision that it shows. */
export interface RevisedTable {
  readonly revision: number;
  readonly table: MatchingTable;
}

/** What tables are read with. */
export interface MatchingTablesParts {
  readonly database: Database;
  readonly store: ResourceStore;
  readonly monotonicMs: () => number;
}

/** Gives gateways' tables, each read once per revision however often it is asked for. */
export interface MatchingTables {
  /** `undefined` when the gateway is gone. */
  get(tenantId: string, gatewayId: string): Promise<RevisedTable | undefined>;
}

/** Makes the store of tables. Tenants take turns in having theirs read. */
export function createMatchingTables({ database, store, monotonicMs }: MatchingTablesParts): MatchingTables {
  const kept = new LRUCache<string, RevisedTable>({
    maxSize: keptBytesMax,
    sizeCalculation: ({ table }, key) => key.length + tableWeight(table),
  });
  const turns = new TenantTurns(readAtOnce);
  const present = async (key: string, tenantId: string, gatewayId: string): Promise<RevisedTable | undefined> => {
    const known = kept.get(key);
    if (known && known.revision >= (await gatewayRevision(database.read, tenantId, gatewayId))) return known;
    return undefined;
  };
  const read = (tenantId: string, gatewayId: string): Promise<RevisedTable | undefined> =>
    database.snapshot(async (executor) => {
      const revision = await gatewayRevision(executor, tenantId, gatewayId);
      const gateway = await store.get(executor, tenantId, 'gateways', gatewayId);
      if (gateway === undefined) return undefined;
      return { revision, table: await readMatchingTable({ store, executor, tenantId, gateway, monotonicMs }) };
    });
  return {
    async get(tenantId, gatewayId) {
      const key = JSON.stringify([tenantId, gatewayId]);
      const known = await present(key, tenantId, gatewayId);
      if (known) return known;
      return turns.run(tenantId, async () => {
        // Somebody before may have read it.
        const meanwhile = await present(key, tenantId, gatewayId);
        if (meanwhile) return meanwhile;
        const made = await read(tenantId, gatewayId);
        if (made) kept.set(key, made);
        return made;
      });
    },
  };
}
