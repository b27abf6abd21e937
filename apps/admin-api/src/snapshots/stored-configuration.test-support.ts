import type { Executor } from '../database/database.ts';
import { ConfigurationSum } from './configuration-hash.ts';
import type { ConfigurationTotals } from './configuration-hash.ts';
import { fromRow } from '../store/record-row.ts';
import { snapshotFamilies } from './snapshot-families.ts';

const families = snapshotFamilies.map(({ name }) => name);

/** Everything that is stored of a tenant's configuration and says what it is, in an order of its own. */
export async function storedConfiguration(executor: Executor, tenantId: string) {
  const ofTenant = { tenant_id: tenantId };
  const records = await executor
    .selectFrom('resources')
    .select(['family', 'id', 'gateway_id', 'name', 'enabled', 'body', 'secrets'])
    .where((eb) => eb.and(ofTenant))
    .where('family', 'in', families)
    .orderBy('family')
    .orderBy('id')
    .execute();
  const keys = await executor
    .selectFrom('resource_keys')
    .select(['family', 'id', 'key_name', 'scope', 'value'])
    .where((eb) => eb.and(ofTenant))
    .where('family', 'in', families)
    .orderBy('family')
    .orderBy('id')
    .orderBy('key_name')
    .execute();
  const references = await executor
    .selectFrom('resource_references')
    .select(['family', 'id', 'field', 'target_family', 'target_id'])
    .where((eb) => eb.and(ofTenant))
    .where('family', 'in', families)
    .orderBy('family')
    .orderBy('id')
    .orderBy('field')
    .orderBy('target_id')
    .execute();
  return { records, keys, references };
}

/** The totals of a tenant's configuration, from all of its records at once. */
export async function naiveTotals(executor: Executor, tenantId: string): Promise<ConfigurationTotals> {
  const sum = new ConfigurationSum();
  const rows = await executor.selectFrom('resources').selectAll().where('tenant_id', '=', tenantId).execute();
  for (const row of rows) sum.add(fromRow(row));
  return sum.totals();
}
