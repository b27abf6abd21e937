import type { Executor } from '../database/database.ts';

/** Certificates that one query asks about; databases bound the parameters of a statement. */
const idsPerQuery = 500;

/** Names of the SNI records that point to certificates, by certificate ID, each list sorted. */
export async function serverNamesOf(
  executor: Executor,
  tenantId: string,
  certificateIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>();
  for (let from = 0; from < certificateIds.length; from += idsPerQuery) {
    const rows = await executor
      .selectFrom('resource_references as reference')
      .innerJoin('resources as sni', (join) =>
        join
          .onRef('sni.tenant_id', '=', 'reference.tenant_id')
          .onRef('sni.family', '=', 'reference.family')
          .onRef('sni.id', '=', 'reference.id'),
      )
      .select(['reference.target_id', 'sni.name'])
      .where('reference.tenant_id', '=', tenantId)
      .where('reference.target_family', '=', 'certificates')
      .where('reference.target_id', 'in', certificateIds.slice(from, from + idsPerQuery))
      .where('reference.family', '=', 'snis')
      .execute();
    for (const { target_id: id, name } of rows) found.set(id, [...(found.get(id) ?? []), name ?? '']);
  }
  for (const names of found.values()) names.sort();
  return found;
}
