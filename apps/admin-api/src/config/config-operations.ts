import * as v from 'valibot';
import type { BodyDescription, Operation, QueryParameter } from '../http/operation.ts';
import { choiceParameter, tenantIdParameter } from '../http/query-parameters.ts';
import { assertPlannable } from './bundle-behaviours.ts';
import { BundlePlanner } from './bundle-planner.ts';
import { isOn, packagesFor, planFor, shownDiff, tenantOf } from './config-request.ts';
import type { ConfigOperationParts, ConfigParts } from './config-request.ts';
import { diffSchema, syncSchema, validationSchema } from './config-schemas.ts';
import { syncConfiguration } from './sync-configuration.ts';

const tag = 'configuration';
/** Source: decisions, 15. */
const bundleBytesMax = 64 * 1024 * 1024;

const bundleBody: BodyDescription = {
  schema: v.pipe(v.looseObject({ tenant_id: v.string() }), v.title('Bundle')),
  bytesMax: bundleBytesMax,
  format: 'json_or_yaml',
  validatedByHandler: true,
};

const flag = (name: string, fallback: boolean, description: string): QueryParameter =>
  choiceParameter(name, `${description}; default ${fallback}.`, ['true', 'false'], fallback ? 'true' : 'false');

const formatParameter = choiceParameter('format', 'Form of body and answer when no header says it.', ['json', 'yaml']);

/** Declarative configuration: validate, diff, sync. Source: spec, Configuration bundle; decisions, 13. */
export function configOperations(given: ConfigOperationParts): Operation[] {
  assertPlannable(given.behaviours);
  const parts: ConfigParts = { ...given, planner: new BundlePlanner(given) };
  return [validateOperation(parts), diffOperation(parts), syncOperation(parts)];
}

function validateOperation(parts: ConfigParts): Operation {
  return {
    id: 'validateConfiguration',
    method: 'POST',
    paths: ['/admin/config/validate'],
    tag,
    summary: 'Checks a bundle by itself; 200 also when it is wrong',
    access: 'read',
    query: [tenantIdParameter, formatParameter, flag('strict', false, 'References must lead into the bundle')],
    body: bundleBody,
    responses: [{ status: 200, description: 'What was found', schema: validationSchema }],
    async handler(input) {
      const tenantId = await tenantOf(parts, input, false);
      const packages = await packagesFor(parts, parts.database.read, tenantId, input.body);
      const job = {
        purpose: 'check',
        document: input.body,
        strict: isOn(input, 'strict'),
        live: {},
        packages,
      } as const;
      const { maskOf } = await parts.secrets.forTenant(tenantId);
      const { validation } = await parts.planner.plan(job, { tenantId, maskOf, signal: input.request.signal });
      return { status: 200, body: validation };
    },
  };
}

function diffOperation(parts: ConfigParts): Operation {
  return {
    id: 'diffConfiguration',
    method: 'POST',
    paths: ['/admin/config/diff'],
    tag,
    summary: 'What a bundle would change',
    access: 'read',
    query: [tenantIdParameter, formatParameter, flag('strict', false, 'References must lead into the bundle')],
    body: bundleBody,
    responses: [{ status: 200, description: 'The difference', schema: diffSchema }],
    async handler(input) {
      const tenantId = await tenantOf(parts, input, false);
      const { plan, revision } = await planFor(parts, input, tenantId, 'show');
      const body = { ...shownDiff(tenantId, plan), live_revision: revision, config_hash: plan.liveHash };
      return { status: 200, body };
    },
  };
}

function syncOperation(parts: ConfigParts): Operation {
  return {
    id: 'syncConfiguration',
    method: 'POST',
    paths: ['/admin/config/sync'],
    tag,
    summary: 'Creates and updates what a bundle holds, in one transaction; never deletes',
    access: 'write',
    query: [
      tenantIdParameter,
      formatParameter,
      flag('dry_run', true, 'Only show what would change'),
      flag('overwrite', true, 'Change live records that differ'),
      flag('strict', true, 'References must lead into the bundle'),
      {
        name: 'expected_revision',
        description: 'Refuse with 409 when the live state is at another revision',
        schema: v.optional(v.pipe(v.string(), v.regex(/^\d{1,15}$/, 'must be a whole number'))),
      },
    ],
    body: bundleBody,
    responses: [{ status: 200, description: 'What was done, or would be', schema: syncSchema }],
    handler: (input) => syncConfiguration(parts, input),
  };
}
