import type { Expression, ExpressionBuilder, OrderByItemBuilder, SelectQueryBuilder, SqlBool } from 'kysely';
import type { Executor } from '../database/database.ts';
import { traitsOf } from '../database/dialect-traits.ts';
import type { Tables } from '../database/tables.ts';
import { fromRow } from './record-row.ts';
import type { RecordFilter, StoredRecord } from './resource-store.ts';

/** Rows per page of scans. */
export const SCAN_PAGE_ROWS = 1_000;

/**
 * One page of a list, and how many records match in all; both from one statement, so they agree. The page is found in an
 * index, which holds no bodies, and only its own records are then read: a late page costs little more than the first.
 */
export async function listRecords(
  executor: Executor,
  filter: RecordFilter,
): Promise<{ items: StoredRecord[]; total: number }> {
  const matches = matching(executor, filter);
  const count = executor
    .selectFrom('resources')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where(matches);
  const { column, ordered } = orderOf(filter);
  const page = executor
    .selectFrom('resources')
    .select('resources.id')
    .where(matches)
    .orderBy(column, ordered)
    .orderBy('id', filter.order ?? 'asc')
    .limit(filter.limit)
    .offset(filter.skip);
  const rows = await executor
    .selectFrom(page.as('page'))
    .innerJoin('resources as record', 'record.id', 'page.id')
    .selectAll('record')
    .select(() => count.as('total'))
    .where('record.tenant_id', '=', filter.tenantId)
    .where('record.family', '=', filter.family)
    .orderBy(`record.${column}`, ordered)
    .orderBy('record.id', filter.order ?? 'asc')
    .execute();
  const [first] = rows;
  if (first !== undefined) return { items: rows.map(fromRow), total: Number(first.total) };
  // Beyond the last page there is no row to carry the count.
  const { total } = await count.executeTakeFirstOrThrow();
  return { items: [], total };
}

/** A list's order. One way is the exact reverse of the other, so that an index serves both; no name sorts before any. */
function orderOf({ sort = 'created_at', order = 'asc' }: RecordFilter) {
  const ordered = (item: OrderByItemBuilder): OrderByItemBuilder => {
    // Said for names only: of columns that are never null PostgreSQL would not see that it makes no difference.
    if (sort !== 'name') return item[order]();
    return order === 'asc' ? item.asc().nullsFirst() : item.desc().nullsLast();
  };
  return { column: sort, ordered };
}

/** All records of a family in the order of creation, page by page. */
export async function* scanRecords(
  executor: Executor,
  tenantId: string,
  family: string,
  gatewayId?: string,
): AsyncGenerator<readonly StoredRecord[], void> {
  const records = executor
    .selectFrom('resources')
    .selectAll()
    .where('collection', '=', collectionOf(family, tenantId))
    .$if(gatewayId !== undefined, (query) => query.where('gateway_id', '=', gatewayId ?? null));
  for await (const page of inPages(records)) yield page.map(fromRow);
}

/** The rows of a query in the order of creation, page by page. */
async function* inPages<Row extends { readonly created_at: number; readonly id: string }>(
  query: SelectQueryBuilder<Tables, 'resources', Row>,
): AsyncGenerator<readonly Row[], void> {
  const pages = query.orderBy('created_at').orderBy('id').limit(SCAN_PAGE_ROWS);
  let page = await pages.execute();
  while (page.length > 0) {
    yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < SCAN_PAGE_ROWS) return;
    page = await pages
      .where((eb) => eb(eb.refTuple('created_at', 'id'), '>', eb.tuple(last.created_at, last.id)))
      .execute();
  }
}

/** What the column `collection` holds. Names of families have no slash, so no two lists share one. */
export function collectionOf(family: string, tenantId: string): string {
  return `${family}/${tenantId}`;
}

function matching(
  executor: Executor,
  filter: RecordFilter,
): (eb: ExpressionBuilder<Tables, 'resources'>) => Expression<SqlBool> {
  const { bodyFieldEquals, labelEquals } = traitsOf(executor);
  return (eb) => {
    const conditions: Expression<SqlBool>[] = [
      eb('resources.collection', '=', collectionOf(filter.family, filter.tenantId)),
    ];
    if (filter.gatewayId !== undefined) conditions.push(eb('resources.gateway_id', '=', filter.gatewayId));
    if (filter.name !== undefined) conditions.push(eb('resources.name', '=', filter.name));
    if (filter.enabled !== undefined) conditions.push(eb('resources.enabled', '=', filter.enabled ? 1 : 0));
    for (const [key, value] of Object.entries(filter.labels ?? {})) conditions.push(labelEquals(key, value));
    for (const [field, value] of Object.entries(filter.fields ?? {})) conditions.push(bodyFieldEquals(field, value));
    if (filter.visibility) {
      const { ids, orField } = filter.visibility;
      const alternatives: Expression<SqlBool>[] = ids.length > 0 ? [eb('resources.id', 'in', ids)] : [];
      if (orField) alternatives.push(bodyFieldEquals(orField.field, orField.value));
      // Without any alternative this is `false`: a caller who may see nothing gets nothing.
      conditions.push(eb.or(alternatives));
    }
    for (const { field, targetId } of filter.references ?? []) {
      conditions.push(
        eb.exists(
          eb
            .selectFrom('resource_references as reference')
            .select('reference.id')
            .whereRef('reference.tenant_id', '=', 'resources.tenant_id')
            .whereRef('reference.family', '=', 'resources.family')
            .whereRef('reference.id', '=', 'resources.id')
            .where('reference.field', '=', field)
            .where('reference.target_id', '=', targetId),
        ),
      );
    }
    return eb.and(conditions);
  };
}
