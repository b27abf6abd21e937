import type { Operation } from '../http/operation.ts';
import { choiceParameter, integerParameter, tenantIdParameter } from '../http/query-parameters.ts';
import type { SloTimelineRow } from '../database/slo-tables.ts';
import { toTimestamp } from '../resources/record-view.ts';
import { objectiveInPath, type SloOperationParts, sloTag, tenantOf } from './slo-parts.ts';
import { timelineSchema } from './slo-schemas.ts';

/** Entries of one answer. Source: spec, Limits. */
const timelineLimit = { minimum: 1, maximum: 500, fallback: 100 } as const;

/** What happened to an objective. Source: spec, SLO endpoints; wire contract, SLOs. */
export function timelineOperation(parts: SloOperationParts): Operation {
  return {
    id: 'listSloTimeline',
    method: 'GET',
    paths: ['/admin/slos/{slo_id}/timeline'],
    tag: sloTag,
    summary: 'What happened to an objective: its creation, changes, transitions of its alert and acknowledgements',
    access: 'read',
    query: [
      tenantIdParameter,
      integerParameter('limit', 'How many entries to give at most.', timelineLimit),
      choiceParameter('sort_direction', 'Newest or oldest first.', ['desc', 'asc'], 'desc'),
    ],
    responses: [{ status: 200, description: 'The entries', schema: timelineSchema, headers: ['x-total-count'] }],
    async handler(input) {
      const tenantId = await tenantOf(parts, input);
      const { id } = await objectiveInPath(parts, input, tenantId);
      const limit = Number(input.query['limit']);
      const entries = parts.database.read
        .selectFrom('slo_timeline')
        .where('tenant_id', '=', tenantId)
        .where('slo_id', '=', id);
      const rows = await entries
        .selectAll()
        .orderBy('sequence', input.query['sort_direction'] === 'asc' ? 'asc' : 'desc')
        .limit(limit)
        .execute();
      const { total } = await entries.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
      return {
        status: 200,
        headers: { 'x-total-count': String(total) },
        body: { items: rows.map(entryView), total, limit },
      };
    },
  };
}

function entryView(row: SloTimelineRow): Record<string, unknown> {
  return {
    id: row.id,
    slo_id: row.slo_id,
    type: row.type,
    from_state: row.from_state,
    to_state: row.to_state,
    actor: row.actor,
    note: row.note,
    evaluation: row.evaluation === null ? null : JSON.parse(row.evaluation),
    at: toTimestamp(row.at),
  };
}
