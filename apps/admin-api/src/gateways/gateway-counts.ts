import { catalogue } from '@portcullis/resources';
import type { Executor } from '../database/database.ts';

/** A gateway of a tenant. */
export interface GatewayPlace {
  readonly tenantId: string;
  readonly gatewayId: string;
}

const ownFamilies = catalogue.filter((family) => family.scope === 'gateway').map(({ name }) => name);
/** Families of the tenant whose records may name a gateway. */
const namingFamilies = catalogue
  .filter(({ scope, references }) => scope !== 'gateway' && references.some(({ family }) => family === 'gateways'))
  .map(({ name }) => name);

/** Families that an overview counts, as it names them. */
export const countedFamilies: readonly string[] = [...ownFamilies, ...namingFamilies].map(wireName);

/** How many records of each family a gateway has, and how many of the tenant's name it. Both are counted in indexes. */
export async function countRecords(
  executor: Executor,
  { tenantId, gatewayId }: GatewayPlace,
): Promise<Readonly<Record<string, number>>> {
  const own = await executor
    .selectFrom('resources')
    .select(({ fn }) => ['collection', fn.countAll<number>().as('records')])
    .where('gateway_id', '=', gatewayId)
    .where(
      'collection',
      'in',
      ownFamilies.map((family) => `${family}/${tenantId}`),
    )
    .groupBy('collection')
    .execute();
  const naming = await executor
    .selectFrom('resource_references')
    .select(({ fn }) => ['family', fn.count<number>('id').distinct().as('records')])
    .where('tenant_id', '=', tenantId)
    .where('target_family', '=', 'gateways')
    .where('target_id', '=', gatewayId)
    .where('family', 'in', namingFamilies)
    .groupBy('family')
    .execute();
  const found = new Map([
    ...own.map((row) => [wireName(row.collection.slice(0, row.collection.indexOf('/'))), row.records] as const),
    ...naming.map((row) => [wireName(row.family), row.records] as const),
  ]);
  return Object.fromEntries(countedFamilies.map((family) => [family, found.get(family) ?? 0]));
}

function wireName(family: string): string {
  return family.replaceAll('-', '_');
}
