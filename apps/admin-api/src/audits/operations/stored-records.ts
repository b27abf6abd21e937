import { setImmediate as otherWork } from 'node:timers/promises';
import type { ExportRecord } from '@portcullis/audit-chain';
import type { AuditRow } from '../../database/audit-tables.ts';
import type { Executor } from '../../database/database.ts';
import type { AskedLog } from './audit-parts.ts';

/** Records that are read at once. Each may be some megabytes, of which this many are in memory. */
const pageRecords = 100;

/** How an erased value shows among `disclosures`, whatever else may look like it. */
const erasedValue = /"(?:before|after|metadata|source_ip|actor_username)":null/;

/** A stretch of a log. */
export interface LogStretch extends Pick<AskedLog, 'tenantId'> {
  /** The sequence before the first record. */
  readonly after: number;
  /** The sequence of the last one. */
  readonly through: number;
  /**
   * Where the log ends by now, asked for once when values of a record in the stretch are erased. Whoever erased them while the
   * log was read has a record of it behind `through`, and without that record it looks as if somebody else had.
   */
  readonly laterEnd?: () => Promise<number>;
}

/**
 * The records of a stretch in the log's order, page by page, in bounded memory. Between pages others have their turn. What
 * retention deletes meanwhile is missing.
 */
export async function* storedRecords(executor: Executor, stretch: LogStretch): AsyncGenerator<readonly AuditRow[]> {
  const { tenantId, laterEnd } = stretch;
  let { through } = stretch;
  let isErased = false;
  let isExtended = laterEnd === undefined;
  const sequence = tenantId === undefined ? ('global_sequence' as const) : ('tenant_sequence' as const);
  for (let { after } = stretch; after < through;) {
    const rows = await executor
      .selectFrom('audit_records')
      .selectAll()
      .$if(tenantId !== undefined, (query) => query.where('tenant_id', '=', tenantId ?? ''))
      .where(sequence, '>', after)
      .where(sequence, '<=', through)
      .orderBy(sequence)
      .limit(pageRecords)
      .execute();
    const last = rows.at(-1);
    if (last === undefined) return;
    isErased ||= rows.some(({ disclosures }) => disclosures !== null && erasedValue.test(disclosures));
    yield rows;
    await otherWork();
    after = Number(last[sequence]);
    if (after < through || !isErased || isExtended) continue;
    isExtended = true;
    through = (await laterEnd?.()) ?? through;
  }
}

/** A record as it is exported. @throws RangeError for one without a place in the chains */
export function exportRecordOf(row: AuditRow): ExportRecord {
  const { tenant_sequence, previous_hash, audit_hash, global_sequence, global_previous_hash, global_hash } = row;
  if (
    tenant_sequence === null ||
    previous_hash === null ||
    audit_hash === null ||
    global_sequence === null ||
    global_previous_hash === null ||
    global_hash === null
  ) {
    throw new RangeError(`the audit record ${row.id} has no place in the chains`);
  }
  return {
    canonical: row.canonical,
    ...(row.disclosures !== null && {
      disclosures: JSON.parse(row.disclosures) as NonNullable<ExportRecord['disclosures']>,
    }),
    tenant_sequence,
    previous_hash,
    audit_hash,
    global_sequence,
    global_previous_hash,
    global_hash,
  };
}
