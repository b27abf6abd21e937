import type { BundleProblem } from '@portcullis/bundle-diff';
import { mayCall } from '../http/access.ts';
import type { OperationInput, OperationOutput } from '../http/operation.ts';
import { applyConfiguration } from './apply-configuration.ts';
import type { AppliedBundle } from './apply-configuration.ts';
import { applyRequest } from './apply-request.ts';
import type { ApplyRequest, SnapshotWish } from './apply-request.ts';
import { shownDiff, tenantOf } from './config-request.ts';
import type { ConfigParts } from './config-request.ts';
import { listedResults } from './listed-max.ts';

/** Answers a sync or an import: what was done, or would be. @throws Problem when nothing of it can be done */
export async function syncConfiguration(
  parts: ConfigParts,
  input: OperationInput,
  reason: SnapshotWish['reason'],
): Promise<OperationOutput> {
  const startedMs = parts.monotonicMs();
  const tenantId = await tenantOf(parts, input, true);
  const request = applyRequest(input, reason);
  const mayRead = mayCall(input.principal, { access: 'read', method: 'POST' });
  const applied = await applyConfiguration(parts, input, tenantId, request);
  const { plan, errors, results, snapshot, revision } = applied;
  const counts = countsOf(applied, request);
  return {
    status: 200,
    body: {
      status: statusOf(applied, request, counts),
      dry_run: request.dryRun,
      validation: { ...plan.validation, valid: errors.length === 0, errors },
      diff: shownDiff(tenantId, { ...plan, errors }, mayRead),
      counts,
      ...listedResults(results),
      snapshot,
      revision,
      duration_ms: Math.round(parts.monotonicMs() - startedMs),
    },
  };
}

interface Counts {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly skipped: number;
  readonly failed: number;
}

function countsOf({ plan, errors, results }: AppliedBundle, { atomic }: ApplyRequest): Counts {
  const count = (action: AppliedBundle['results'][number]['action']): number =>
    results.filter((line) => line.action === action).length;
  return {
    created: count('created'),
    updated: count('updated'),
    unchanged: plan.diff.summary.unchanged,
    skipped: count('skipped'),
    failed: atomic ? faultyRecords(errors) : count('failed'),
  };
}

/** How many records mistakes are about; what is wrong with the document itself counts as one each. */
function faultyRecords(errors: readonly BundleProblem[]): number {
  return new Set(
    errors.map(({ resource_type: type, index, pointer }) => (index === null ? pointer : `${type}/${index}`)),
  ).size;
}

/** Source: wire contract, Configuration operations. Of a bundle that is applied in parts something has to succeed. */
function statusOf(
  { plan, errors }: AppliedBundle,
  { dryRun, overwrite, atomic }: ApplyRequest,
  { created, updated, unchanged, failed }: Counts,
): 'success' | 'dry_run' | 'partial_failure' | 'failed' {
  if (plan.errors.length > 0 || (atomic && errors.length > 0)) return 'failed';
  const { create, update } = plan.diff.summary;
  const planned = create + (overwrite ? update : 0);
  const succeeded = unchanged + (dryRun ? planned : created + updated);
  if (failed > 0 && succeeded === 0) return 'failed';
  if (dryRun) return 'dry_run';
  return failed > 0 ? 'partial_failure' : 'success';
}
