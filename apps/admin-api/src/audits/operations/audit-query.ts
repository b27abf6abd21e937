import { type Expression, type ExpressionBuilder, type RawBuilder, sql, type SqlBool } from 'kysely';
import * as v from 'valibot';
import type { Executor } from '../../database/database.ts';
import type { AuditRow } from '../../database/audit-tables.ts';
import type { Tables } from '../../database/tables.ts';
import type { QueryParameter } from '../../http/operation.ts';
import { choiceParameter, textParameter } from '../../http/query-parameters.ts';
import { globalChain, headOf } from './chain-port.ts';
import { sequenceParameter } from './sequence-parameter.ts';

/** Actions that one query may name. */
const actionsMax = 32;
/** Longest name of an action or entity. */
const wordLengthMax = 64;
/** Records behind the end of a pinned page up to which they are counted by themselves. */
const laterMax = 10_000;

const time = v.optional(
  v.pipe(
    v.string(),
    v.isoTimestamp('must be an RFC 3339 time'),
    v.check((text) => !Number.isNaN(Date.parse(text)), 'must be an RFC 3339 time'),
  ),
);

/** Filters and order of the audit list. Source: spec, Audit list; wire contract, Audits. */
export const auditFilterParameters: readonly QueryParameter[] = [
  {
    name: 'actions',
    description: 'Only these actions (`create`, `update`, `delete`, …). May be given several times.',
    repeatable: true,
    schema: v.pipe(
      v.array(v.pipe(v.string(), v.maxLength(wordLengthMax, `must be at most ${wordLengthMax} characters`))),
      v.maxLength(actionsMax, `must be given at most ${actionsMax} times`),
    ),
  },
  textParameter('entity', 'Only records about this type of entity, such as `service`.', wordLengthMax),
  textParameter('entity_id', 'Only records about the entity with this ID.', 128),
  textParameter('actor_id', 'Only what this user or token did.', 128),
  { name: 'from', description: 'Not before this time.', schema: time },
  { name: 'to', description: 'Before this time.', schema: time },
  sequenceParameter(
    'as_of',
    'Only what the log held when it had this many records. Links to further pages say it, so that following them shows each ' +
      'record once while others are written. Default: all.',
  ),
  choiceParameter('sort_direction', 'By time: newest first, or oldest first.', ['asc', 'desc'], 'desc'),
];

/** Which audit records a page shows. */
export interface AuditFilter {
  /** `undefined` for all, those outside any tenant among them. */
  readonly tenantId: string | undefined;
  /** Empty for all. */
  readonly actions: readonly string[];
  readonly entity?: string;
  readonly entityId?: string;
  readonly actorId?: string;
  /** Inclusive, milliseconds since 1970. */
  readonly fromMs?: number;
  /** Exclusive. */
  readonly toMs?: number;
  /** Only what the log held when it had this many records. */
  readonly asOf?: number;
  readonly direction: 'asc' | 'desc';
  readonly skip: number;
  readonly limit: number;
}

/** The filter of a checked query, within the tenant that the caller is limited to. */
export function auditFilterOf(query: Readonly<Record<string, unknown>>, tenantId: string | undefined): AuditFilter {
  const text = (name: string): string | undefined =>
    typeof query[name] === 'string' && query[name] !== '' ? query[name] : undefined;
  const [entity, entityId, actorId] = [text('entity'), text('entity_id'), text('actor_id')];
  const [from, to] = [text('from'), text('to')];
  return {
    tenantId,
    actions: Array.isArray(query['actions']) ? (query['actions'] as string[]) : [],
    ...(entity !== undefined && { entity }),
    ...(entityId !== undefined && { entityId }),
    ...(actorId !== undefined && { actorId }),
    ...(from !== undefined && { fromMs: Date.parse(from) }),
    ...(to !== undefined && { toMs: Date.parse(to) }),
    ...(typeof query['as_of'] === 'number' && { asOf: query['as_of'] }),
    direction: query['sort_direction'] === 'asc' ? 'asc' : 'desc',
    skip: Number(query['skip']),
    limit: Number(query['limit']),
  };
}

/**
 * One page and how many records match in all, from one statement. The records' texts are read for the page alone: filters,
 * order and count are answered from an index, which is what keeps a list of a million records cheap.
 */
export async function listAudits(
  executor: Executor,
  filter: AuditFilter,
): Promise<{ rows: readonly AuditRow[]; total: number }> {
  const matches = matching(filter);
  const total = totalOf(executor, filter, await isLittleLater(executor, filter.asOf));
  const page = executor
    .selectFrom('audit_records')
    .select('audit_records.id')
    .where(matches)
    .$if(filter.asOf !== undefined, (query) => query.where(isWithin(filter.asOf)))
    .orderBy('occurred_at', filter.direction)
    .orderBy('id', filter.direction)
    .limit(filter.limit)
    .offset(filter.skip);
  const rows = await executor
    .selectFrom(page.as('page'))
    .innerJoin('audit_records as record', 'record.id', 'page.id')
    .selectAll('record')
    .select(total.as('total'))
    .orderBy('record.occurred_at', filter.direction)
    .orderBy('record.id', filter.direction)
    .execute();
  const [first] = rows;
  if (first !== undefined) return { rows, total: first.total };
  // Beyond the last page there is no row to carry the count.
  const counted = await sql<{ total: number }>`select ${total} as total`.execute(executor);
  return { rows: [], total: counted.rows[0]?.total ?? 0 };
}

/** Whether few records came after the end that a page is pinned to. Anybody may ask for an end of long ago. */
async function isLittleLater(executor: Executor, asOf: number | undefined): Promise<boolean> {
  return asOf !== undefined && (await headOf(executor, globalChain)).sequence - asOf <= laterMax;
}

/** Where little came after the end that a page is pinned to, that is counted by itself, and the rest stays with the index. */
function totalOf(executor: Executor, filter: AuditFilter, isLittle: boolean): RawBuilder<number> {
  const all = executor
    .selectFrom('audit_records')
    .select((eb) => eb.fn.countAll<number>().as('all'))
    .where(matching(filter));
  if (filter.asOf === undefined) return sql<number>`(${all})`;
  const asOf = filter.asOf;
  if (!isLittle) return sql<number>`(${all.where(isWithin(asOf))})`;
  const later = executor
    .selectFrom('audit_records')
    .select('audit_records.id as later_id')
    .where('global_sequence', '>', asOf)
    .unionAll(
      executor.selectFrom('audit_records').select('audit_records.id as later_id').where('global_sequence', 'is', null),
    );
  const laterMatches = executor
    .selectFrom(later.as('later'))
    // SQLite then begins with what came later, of which there is little, whatever it thinks of the filters.
    .crossJoin('audit_records')
    .select((eb) => eb.fn.countAll<number>().as('later_matches'))
    .whereRef('audit_records.id', '=', 'later.later_id')
    .where(matching(filter) as never);
  return sql<number>`((${all}) - (${laterMatches}))`;
}

/** An expression, so that no database walks the log by its sequence in place of the index that has the filters and the order. */
function isWithin(asOf: number | undefined): RawBuilder<SqlBool> {
  return sql<SqlBool>`global_sequence + 0 <= ${asOf ?? 0}`;
}

function matching(filter: AuditFilter): (eb: ExpressionBuilder<Tables, 'audit_records'>) => Expression<SqlBool> {
  const { tenantId, actions, entity, entityId, actorId, fromMs, toMs } = filter;
  return (eb) => {
    const conditions: Expression<SqlBool>[] = [];
    if (tenantId !== undefined) conditions.push(eb('tenant_id', '=', tenantId));
    if (actions.length > 0) conditions.push(eb('action', 'in', actions));
    if (entity !== undefined) conditions.push(eb('entity_type', '=', entity));
    if (entityId !== undefined) conditions.push(eb('entity_id', '=', entityId));
    if (actorId !== undefined) conditions.push(eb('actor_id', '=', actorId));
    if (fromMs !== undefined) conditions.push(eb('occurred_at', '>=', fromMs));
    if (toMs !== undefined) conditions.push(eb('occurred_at', '<', toMs));
    return eb.and(conditions);
  };
}
