import { familyNamed, readSchema } from '@portcullis/resources';
import { CallerPlaces } from '../http/caller-places.ts';
import type { Operation, OperationInput, OperationOutput } from '../http/operation.ts';
import { Problem } from '../http/problem.ts';
import { tenantIdParameter, textParameter } from '../http/query-parameters.ts';
import { nameOfActor } from '../resources/actor.ts';
import { viewOf } from '../resources/record-view.ts';
import { evaluateAllSlos, evaluateSlos } from './evaluate-slos.ts';
import { objectiveOf, sloFamily, type StoredObjective } from './slo-definition.ts';
import { fieldsOf, objectiveInPath, type SloOperationParts, sloTag, tenantOf } from './slo-parts.ts';
import { evaluatedListSchema, filterSchema, tenantBodySchema } from './slo-schemas.ts';

/** Evaluations of all objectives of a tenant that run at once; of one tenant there is one. */
const places = { waitingMax: 256, waitingPerCallerMax: 32 };
/** As many as snapshots at once do not slow each other down. */
const runningMax = { sqlite: 1, postgres: 4 };
const retryAfterSeconds = 2;

/** Evaluations of one objective that is changed while it is evaluated. After them it is as its last change left it. */
const attemptsMax = 3;

/** Evaluates every objective of a tenant, or of one of its gateways. Source: spec, SLO endpoints; wire contract, SLOs. */
export function evaluateAllOperation(parts: SloOperationParts): Operation {
  const turns = new CallerPlaces({ ...places, runningMax: runningMax[parts.database.dialect], refusal });
  return {
    id: 'evaluateSlos',
    method: 'POST',
    paths: ['/admin/slos/evaluate'],
    tag: sloTag,
    summary: 'Evaluates all objectives of a tenant, or those of a gateway; stores what it finds, so it is a write',
    access: 'write',
    query: [tenantIdParameter, textParameter('gateway_id', 'Only objectives of this gateway.', 128)],
    body: { schema: filterSchema, optional: true },
    responses: [
      { status: 200, description: 'What was found', schema: evaluatedListSchema },
      { status: 429, description: 'Too many evaluations of this tenant at once' },
    ],
    async handler(input) {
      const tenantId = await tenantOf(parts, input);
      const gatewayId = gatewayOf(input);
      return turns.run(tenantId, () => evaluateAll(parts, input, tenantId, gatewayId), input.request.signal);
    },
  };
}

async function evaluateAll(
  parts: SloOperationParts,
  input: OperationInput,
  tenantId: string,
  gatewayId: string | undefined,
): Promise<OperationOutput> {
  const startedMs = parts.nowMs();
  const objectives: StoredObjective[] = [];
  for await (const page of parts.store.scan(parts.database.read, tenantId, sloFamily)) {
    const all = page.map(objectiveOf);
    objectives.push(...all.filter((each) => gatewayId === undefined || each.gatewayId === gatewayId));
  }
  const request = { tenantId, objectives, clock: parts.nowMs, by: nameOfActor(input.principal) };
  const evaluated = await evaluateAllSlos(parts, request, input.request.signal);
  const items = objectives.flatMap(({ id, name }) => {
    const state = evaluated.get(id);
    return state ? [{ id, name, evaluation: state.evaluation, alert: state.alert }] : [];
  });
  return { status: 200, body: { items, evaluated_at: new Date(startedMs).toISOString() } };
}

/** Evaluates one objective. Source: spec, SLO endpoints. */
export function evaluateOneOperation(parts: SloOperationParts): Operation {
  const family = familyNamed(sloFamily);
  return {
    id: 'evaluateSlo',
    method: 'POST',
    paths: ['/admin/slos/{slo_id}/evaluate'],
    tag: sloTag,
    summary: 'Evaluates one objective; stores what it finds, so it is a write',
    access: 'write',
    query: [tenantIdParameter],
    body: { schema: tenantBodySchema, optional: true },
    responses: [
      { status: 200, description: 'The objective with what was found', schema: readSchema(family), headers: ['etag'] },
    ],
    async handler(input) {
      const tenantId = await tenantOf(parts, input);
      for (let attempt = 1; ; attempt += 1) {
        const record = await objectiveInPath(parts, input, tenantId);
        const by = nameOfActor(input.principal);
        const request = { tenantId, objectives: [objectiveOf(record)], clock: parts.nowMs, by };
        const state = (await evaluateSlos(parts, request)).get(record.id);
        // Without a state it was deleted meanwhile: the next look says so.
        if (state && (state.version === record.revision || attempt >= attemptsMax)) {
          const { evaluation, alert } = state;
          const body = viewOf(family, record, { evaluation, alert });
          return { status: 200, headers: { etag: `"${record.revision}"` }, body };
        }
      }
    },
  };
}

/** @throws Problem when query and body name different gateways */
function gatewayOf(input: OperationInput): string | undefined {
  const [inQuery, inBody] = [input.query['gateway_id'], fieldsOf(input)['gateway_id']];
  if (inQuery !== undefined && inBody !== undefined && inBody !== null && inQuery !== inBody) {
    const message = 'contradicts the query';
    throw new Problem('validation_failed', '1 field is invalid', {
      errors: [{ pointer: '/gateway_id', code: 'contradiction', message }],
    });
  }
  const given = inQuery ?? inBody;
  return typeof given === 'string' && given !== '' ? given : undefined;
}

function refusal(tooMany: 'of_caller' | 'in_all'): Problem {
  const headers = { 'retry-after': String(retryAfterSeconds) };
  return tooMany === 'of_caller'
    ? new Problem('rate_limited', 'Too many evaluations of this tenant at once', { headers })
    : new Problem('unavailable', 'Too many evaluations at once', { headers });
}
