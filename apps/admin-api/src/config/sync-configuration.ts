import type { OperationInput, OperationOutput } from '../http/operation.ts';
import { Problem } from '../http/problem.ts';
import { actorOf } from '../resources/actor.ts';
import { inWriteSession } from '../resources/write-session.ts';
import { Anticipations } from './anticipations.ts';
import { applyPlan } from './apply-plan.ts';
import type { AppliedChange } from './apply-plan.ts';
import type { BundlePlan } from './bundle-plan.ts';
import { isOn, planFor, shownDiff, tenantOf } from './config-request.ts';
import type { ConfigParts } from './config-request.ts';

/** How often a sync plans anew because somebody else wrote meanwhile. */
const plansMax = 4;

/** Answers a sync: what was done, or would be. @throws Problem when nothing of it can be done */
export async function syncConfiguration(parts: ConfigParts, input: OperationInput): Promise<OperationOutput> {
  const startedMs = parts.monotonicMs();
  const tenantId = await tenantOf(parts, input, true);
  const dryRun = isOn(input, 'dry_run');
  const { plan, results, revision } = dryRun
    ? { ...(await planFor(parts, input, tenantId, 'show')), results: [] }
    : await planAndApply(parts, input, tenantId);
  const status = plan.errors.length > 0 ? 'failed' : dryRun ? 'dry_run' : 'success';
  return {
    status: 200,
    body: {
      status,
      dry_run: dryRun,
      validation: { ...plan.validation, valid: plan.errors.length === 0, errors: plan.errors },
      diff: shownDiff(tenantId, plan),
      counts: countsOf(plan, results),
      results,
      revision,
      duration_ms: Math.round(parts.monotonicMs() - startedMs),
    },
  };
}

/**
 * Plans without a lock, because planning a large bundle takes long and others want to write meanwhile, and applies only to
 * the revision that was planned for. @throws Problem `unavailable` when others write faster than this plans
 */
async function planAndApply(parts: ConfigParts, input: OperationInput, tenantId: string) {
  const actor = actorOf(input.principal, input.request);
  const options = { overwrite: isOn(input, 'overwrite'), anticipations: new Anticipations(parts.writer, tenantId) };
  for (let attempt = 1; attempt <= plansMax; attempt += 1) {
    const planned = await planFor(parts, input, tenantId, 'apply');
    if (planned.plan.errors.length > 0) return { ...planned, results: [] };
    await options.anticipations.prepare(planned.plan);
    const { result, revision } = await inWriteSession(parts, tenantId, actor, async (session) => {
      if (session.baseRevision !== planned.revision) return undefined;
      return applyPlan(session, parts.writer, planned.plan, planned.live, options);
    });
    if (result) return { plan: planned.plan, results: result, revision };
  }
  throw new Problem('unavailable', 'The configuration changes faster than this bundle can be planned', {
    headers: { 'retry-after': '5' },
  });
}

function countsOf(plan: BundlePlan, results: readonly AppliedChange[]) {
  const count = (action: AppliedChange['action']): number => results.filter((line) => line.action === action).length;
  return {
    created: count('created'),
    updated: count('updated'),
    unchanged: plan.diff.summary.unchanged,
    skipped: count('skipped'),
    failed: plan.errors.length,
  };
}
