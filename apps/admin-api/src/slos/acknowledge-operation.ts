import { nextAlertState } from '@portcullis/slo-engine';
import { familyNamed, readSchema } from '@portcullis/resources';
import type { Operation } from '../http/operation.ts';
import { Problem } from '../http/problem.ts';
import { tenantIdParameter } from '../http/query-parameters.ts';
import { actorOf } from '../resources/actor.ts';
import { notFoundIn } from '../resources/record-reader.ts';
import { viewOf } from '../resources/record-view.ts';
import { inWriteSession } from '../resources/write-session.ts';
import { sloFamily } from './slo-definition.ts';
import { fieldsOf, objectiveInPath, type SloOperationParts, sloTag, tenantOf } from './slo-parts.ts';
import { acknowledgementSchema } from './slo-schemas.ts';
import { alertRecordOf, lockStates, stateOfRow, writeState } from './slo-states.ts';

/** Says that somebody takes care of an alert. Source: spec, SLO evaluation and alert state. */
export function acknowledgeOperation(parts: SloOperationParts): Operation {
  const family = familyNamed(sloFamily);
  return {
    id: 'acknowledgeSlo',
    method: 'POST',
    paths: ['/admin/slos/{slo_id}/acknowledge'],
    tag: sloTag,
    summary: 'Acknowledges a warning or critical alert; 409 when there is none',
    access: 'write',
    query: [tenantIdParameter],
    body: { schema: acknowledgementSchema, optional: true },
    responses: [{ status: 200, description: 'The objective', schema: readSchema(family), headers: ['etag'] }],
    async handler(input) {
      const tenantId = await tenantOf(parts, input);
      const actor = actorOf(input.principal, input.request);
      const { note } = fieldsOf(input);
      const { result } = await inWriteSession(parts, tenantId, actor, async (session) => {
        const stored = await objectiveInPath(parts, input, tenantId, session.transaction);
        const { id } = stored;
        const row = (await lockStates(session.transaction, tenantId, [id])).get(id);
        if (!row) throw notFoundIn(family, { tenantId, gatewayId: null });
        const before = alertRecordOf(row);
        const outcome = nextAlertState(before, {
          type: 'acknowledged',
          by: actor.username,
          note: typeof note === 'string' ? note : null,
          atMs: parts.nowMs(),
        });
        if (!outcome.ok) throw new Problem(outcome.code, outcome.message);
        const { record, timelineEvent } = outcome;
        await writeState(session.transaction, parts, { row, record, timelineEvent });
        session.noteAct({
          action: 'acknowledge',
          entityType: family.singular,
          entityId: id,
          before: { alert: before.alert },
          after: { alert: record.alert },
        });
        return { stored, state: { ...stateOfRow(row), alert: record.alert } };
      });
      const { stored, state } = result;
      return { status: 200, headers: { etag: `"${stored.revision}"` }, body: viewOf(family, stored, { ...state }) };
    },
  };
}
