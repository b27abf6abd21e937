import type { Operation } from '../http/operation.ts';
import { tenantIdParameter } from '../http/query-parameters.ts';
import { applyOperations } from './apply-operations.ts';
import { assertPlannable } from './bundle-behaviours.ts';
import { BundlePlanner } from './bundle-planner.ts';
import { isOn, packagesFor, planFor, shownDiff, tenantOf } from './config-request.ts';
import type { ConfigOperationParts, ConfigParts } from './config-request.ts';
import { bundleBody, configurationTag as tag, flag, formatParameter } from './config-parameters.ts';
import { diffSchema, validationSchema } from './config-schemas.ts';
import { exportOperations } from './export-operation.ts';

/** Declarative configuration: export, validate, diff, import, sync. Source: spec, Configuration bundle; decisions, 13. */
export function configOperations(given: ConfigOperationParts): Operation[] {
  assertPlannable(given.behaviours);
  const { newId, planInThread } = given;
  const planner = new BundlePlanner({ newId, ...(planInThread && { plan: planInThread }) });
  const parts: ConfigParts = { ...given, planner };
  return [...exportOperations(parts), validateOperation(parts), diffOperation(parts), ...applyOperations(parts)];
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
      const { plan, revision, configHash } = await planFor(parts, input, tenantId, 'show');
      const body = { ...shownDiff(tenantId, plan, true), live_revision: revision, config_hash: configHash };
      return { status: 200, body };
    },
  };
}
