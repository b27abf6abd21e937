import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Executor } from '../database/database.ts';
import { traitsOf } from '../database/dialect-traits.ts';
import { SCAN_PAGE_ROWS, collectionOf } from './list-records.ts';

/** Digits of a moment in {@link lastPlace}. */
const momentDigits = 20;

/**
 * A page ends once its bodies have so many bytes, with the body in which they do: a record has up to some 16 MiB, a thousand of them are more than
 * one value of a database or one text may hold.
 */
export const pageBytesMax: number = 16 * 1024 * 1024;

/** What of a record is read when only its content matters: its ID, its gateway's, and its fields with masks in place of secrets. */
export type StoredContent = readonly [id: string, gatewayId: string | null, fields: Record<string, unknown>];

/** The records of a page of {@link scanTexts}. */
export function contentsOf(text: string): readonly StoredContent[] {
  return JSON.parse(text) as StoredContent[];
}

/** A row of the query of one page. */
interface PageRow {
  readonly records: string | null;
  readonly count: number;
  /** Of all its bodies. */
  readonly bytes: number | null;
  readonly last: string | null;
}

/**
 * The content of all records of a family in the order of creation, page by page, each as one JSON text: whoever hands it on to
 * another thread has one value to copy and not thousands, and the database, which has the bodies as JSON, only joins them.
 */
export async function* scanTexts(executor: Executor, tenantId: string, family: string): AsyncGenerator<string, void> {
  const { asJson, joined, withZeros } = traitsOf(executor);
  const column = <Value>(name: string): RawBuilder<Value> => sql`${sql.ref(name)}`;
  const content: RawBuilder<string> = sql`'[' || ${asJson(column('id'))} || ',' || ${asJson(column('gateway_id'))} || ',' || body || ']'`;
  // The last place of a page is the highest, as text: moments all have as many digits, and IDs are compared as texts anyway.
  const lastPlace = sql`max(${withZeros(column('created_at'))} || id)`;
  const records = joined(content, sql`created_at, id`);
  for (let createdAtMs = -1, id = ''; ;) {
    const page = executor
      .selectFrom('resources')
      .select(['id', 'gateway_id', 'body', 'created_at'])
      .where('collection', '=', collectionOf(family, tenantId))
      .where((eb) => eb(eb.refTuple('created_at', 'id'), '>', eb.tuple(createdAtMs, id)))
      .orderBy('created_at')
      .orderBy('id')
      .limit(SCAN_PAGE_ROWS);
    const inOrder = sql`over (order by created_at, id rows between unbounded preceding and 1 preceding)`;
    const measured = sql`select page.*, sum(octet_length(body)) ${inOrder} as bytes_before from ${page} as page`;
    const query = sql<PageRow>`
      select ${records} as records, count(*) as count, sum(octet_length(body)) as bytes, ${lastPlace} as last
      from (${measured}) as measured where coalesce(bytes_before, 0) < ${pageBytesMax}`;
    const [row] = (await query.execute(executor)).rows;
    if (!row || row.records === null || row.last === null) return;
    yield `[${row.records}]`;
    if (row.count < SCAN_PAGE_ROWS && Number(row.bytes) < pageBytesMax) return;
    createdAtMs = Number(row.last.slice(0, momentDigits));
    id = row.last.slice(momentDigits);
  }
}
