import type { Executor } from '../database/database.ts';
import { scanRecords } from '../store/list-records.ts';
import { ConfigurationSum } from './configuration-hash.ts';
import type { ConfigurationTotals } from './configuration-hash.ts';
import { snapshotFamilies } from './snapshot-families.ts';

/** The totals of a tenant's configuration from all of its records, page after page. */
export async function sumConfiguration(executor: Executor, tenantId: string): Promise<ConfigurationTotals> {
  const sum = new ConfigurationSum();
  for (const { name } of snapshotFamilies) {
    for await (const page of scanRecords(executor, tenantId, name)) for (const record of page) sum.add(record);
  }
  return sum.totals();
}
