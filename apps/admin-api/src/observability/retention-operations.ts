import * as v from 'valibot';
import type { Operation, OperationInput, ResponseDescription } from '../http/operation.ts';
import { tenantIdParameter } from '../http/query-parameters.ts';
import { actorOf } from '../resources/actor.ts';
import { checkIfMatch } from '../resources/sent-record.ts';
import { inWriteSession } from '../resources/write-session.ts';
import { observabilityTag, readTenant, type ObservabilityOperationParts } from './observability-parts.ts';
import { retentionBounds, retentionOf, type RetentionRule } from './retention-rules.ts';

const daysIn = ({ minimum, maximum }: { readonly minimum: number; readonly maximum: number }) =>
  v.pipe(
    v.number(),
    v.integer('must be a whole number'),
    v.minValue(minimum, `must be at least ${minimum}`),
    v.maxValue(maximum, `must be at most ${maximum}`),
  );

const bodySchema = v.pipe(
  v.strictObject({
    tenant_id: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(128))),
    // Both have to be said: a default in place of what a tenant has would delete what it keeps.
    request_days: daysIn(retentionBounds.requestDays),
    rollup_days: daysIn(retentionBounds.rollupDays),
  }),
  v.title('ObservationRetentionRule'),
);
const shownSchema = v.pipe(
  v.object({ tenant_id: v.string(), request_days: v.number(), rollup_days: v.number() }),
  v.title('ObservationRetention'),
);

/** How long a tenant's observations are kept. Source: wire contract, Observability. */
export function retentionOperations(parts: ObservabilityOperationParts): Operation[] {
  const responses: readonly ResponseDescription[] = [
    { status: 200, description: 'How long observations are kept, in days', schema: shownSchema, headers: ['etag'] },
  ];
  const common = {
    paths: ['/admin/observability/retention'],
    tag: observabilityTag,
    query: [tenantIdParameter],
    responses,
  } as const;
  return [
    {
      ...common,
      id: 'getObservationRetention',
      method: 'GET',
      summary: 'How long raw requests and roll-ups of them are kept',
      access: 'read',
      async handler(input) {
        const tenantId = await readTenant(parts.scope, input);
        return answer(tenantId, await retentionOf(parts.database.read, tenantId));
      },
    },
    {
      ...common,
      id: 'setObservationRetention',
      method: 'PUT',
      summary: 'Sets how long raw requests and roll-ups of them are kept',
      access: 'write',
      body: { schema: bodySchema },
      handler: (input) => setRetention(parts, input),
    },
  ];
}

async function setRetention(parts: ObservabilityOperationParts, input: OperationInput) {
  const { tenant_id: inBody, ...days } = input.body as v.InferOutput<typeof bodySchema>;
  const { principal, query, request } = input;
  const tenantId = await parts.scope.resolve({ principal, inQuery: query['tenant_id'], inBody, isWrite: true });
  const wanted: RetentionRule = { requestDays: days.request_days, rollupDays: days.rollup_days };
  await inWriteSession(parts, tenantId, actorOf(principal, request), async (session) => {
    const before = await retentionOf(session.transaction, tenantId);
    checkIfMatch(input, { revision: revisionOf(before) });
    if (before.requestDays === wanted.requestDays && before.rollupDays === wanted.rollupDays) return;
    await session.transaction
      .insertInto('observation_retention_rules')
      .values({ tenant_id: tenantId, ...days })
      .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(days))
      .execute();
    session.noteAct({
      action: 'update',
      entityType: 'observation_retention',
      entityId: tenantId,
      before: daysOf(before),
      after: days,
    });
  });
  return answer(tenantId, wanted);
}

function answer(tenantId: string, rule: RetentionRule) {
  const headers = { etag: `"${revisionOf(rule)}"` };
  return { status: 200, headers, body: { tenant_id: tenantId, ...daysOf(rule) } };
}

/** Names a rule by what it says: two that say the same are no lost update. */
function revisionOf({ requestDays, rollupDays }: RetentionRule): number {
  return requestDays * 1000 + rollupDays;
}

function daysOf({ requestDays, rollupDays }: RetentionRule) {
  return { request_days: requestDays, rollup_days: rollupDays };
}
