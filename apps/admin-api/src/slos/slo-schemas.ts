import { maxCharacters, readSchema, familyNamed, sloAlertStates } from '@portcullis/resources';
import * as v from 'valibot';

/** Longest note of an acknowledgement. */
export const noteLengthMax = 2000;

const tenantId = v.optional(v.pipe(v.string(), maxCharacters(128), v.description('The tenant, also in the query')));

/** What an operation without further fields takes. */
export const tenantBodySchema: v.GenericSchema = v.pipe(v.strictObject({ tenant_id: tenantId }), v.title('SloTenant'));

/** Which objectives are evaluated; the same as in the query. */
export const filterSchema: v.GenericSchema = v.pipe(
  v.strictObject({
    tenant_id: tenantId,
    gateway_id: v.nullish(v.pipe(v.string(), maxCharacters(128), v.description('Only objectives of this gateway'))),
  }),
  v.title('SloFilter'),
);

/** What acknowledges an alert. Source: spec, SLO object. */
export const acknowledgementSchema: v.GenericSchema = v.pipe(
  v.strictObject({
    tenant_id: tenantId,
    note: v.nullish(v.pipe(v.string(), maxCharacters(noteLengthMax), v.description('What is being done about it'))),
  }),
  v.title('SloAcknowledgement'),
);

const shown = (readSchema(familyNamed('slos')) as unknown as { pipe: [{ entries: Record<string, v.GenericSchema> }] })
  .pipe[0].entries;
const evaluation = shown['evaluation'] ?? v.unknown();
const alert = shown['alert'] ?? v.unknown();

/** Answer of an evaluation of all objectives. Source: wire contract, SLOs. */
export const evaluatedListSchema: v.GenericSchema = v.pipe(
  v.object({
    items: v.array(v.object({ id: v.string(), name: v.string(), evaluation, alert })),
    evaluated_at: v.string(),
  }),
  v.title('EvaluatedSlos'),
);

const state = v.nullable(v.picklist(sloAlertStates));

/** A timeline. Source: wire contract, SLOs. */
export const timelineSchema: v.GenericSchema = v.pipe(
  v.object({
    items: v.array(
      v.object({
        id: v.string(),
        slo_id: v.string(),
        type: v.picklist(['created', 'updated', 'transition', 'acknowledged']),
        from_state: state,
        to_state: state,
        actor: v.string(),
        note: v.nullable(v.string()),
        evaluation,
        at: v.string(),
      }),
    ),
    total: v.number(),
    limit: v.number(),
  }),
  v.title('SloTimeline'),
);
