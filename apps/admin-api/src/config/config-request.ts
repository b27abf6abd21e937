import { mayCall } from '../http/access.ts';
import { joinProblems } from '@portcullis/bundle-diff';
import type { OperationInput } from '../http/operation.ts';
import { Problem } from '../http/problem.ts';
import type { TenantScope } from '../identity/tenant-scope.ts';
import type { Executor } from '../database/database.ts';
import type { CustomPackage } from '../plugins/custom-package.ts';
import { customPackagesNamed, packageNamesIn } from '../plugins/custom-packages.ts';
import type { FamilyBehaviour } from '../resources/family-behaviour.ts';
import type { RecordWriter } from '../resources/record-writer.ts';
import { isValues } from '../resources/values.ts';
import type { WriteSessionParts } from '../resources/write-session.ts';
import { currentRevision } from '../revisions/changes-since.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { ResourceStore } from '../store/resource-store.ts';
import type { BundlePlan, PlanJob } from './bundle-plan.ts';
import type { BundlePlanner } from './bundle-planner.ts';
import { readLiveState } from './live-state.ts';
import type { LiveState } from './live-state.ts';
import { missingOutside } from './outside-references.ts';

/** What the configuration endpoints work with. */
export interface ConfigOperationParts extends WriteSessionParts {
  readonly store: ResourceStore;
  readonly secrets: SecretBox;
  readonly writer: RecordWriter;
  readonly behaviours: ReadonlyMap<string, FamilyBehaviour>;
  readonly scope: TenantScope;
  readonly newId: () => string;
  readonly monotonicMs: () => number;
}

/** Those, with the planner that all of them share. */
export interface ConfigParts extends ConfigOperationParts {
  readonly planner: BundlePlanner;
}

/** A plan, the state that it is for, and that state's revision. */
export interface PlannedState {
  readonly plan: BundlePlan;
  readonly live: LiveState;
  readonly revision: number;
}

/**
 * Plans a request's bundle against one committed state, without holding up anyone who writes.
 * @throws Problem `revision_conflict` when the request expects another revision, and those of the planner
 */
export async function planFor(
  parts: ConfigParts,
  input: OperationInput,
  tenantId: string,
  purpose: Exclude<PlanJob['purpose'], 'check'>,
): Promise<PlannedState> {
  const { maskOf } = await parts.secrets.forTenant(tenantId);
  const { live, revision, packages, astray } = await parts.database.snapshot(async (executor) => ({
    live: await readLiveState(parts.store, executor, tenantId),
    revision: await currentRevision(executor, tenantId),
    packages: await packagesFor(parts, executor, tenantId, input.body),
    astray: await missingOutside(parts.store, executor, tenantId, input.body),
  }));
  // Only a sync takes it; the other operations do not declare it.
  checkRevision(input, revision);
  const job = {
    purpose,
    document: input.body,
    strict: isOn(input, 'strict'),
    live: live.state,
    comparesSecrets: mayCall(input.principal, { access: 'write', method: 'POST' }),
    packages,
  };
  const caller = { tenantId, maskOf, signal: input.request.signal };
  const plan = await parts.planner.plan(job, caller);
  return { plan: { ...plan, errors: joinProblems(plan.errors, astray) }, live, revision };
}

/** The tenant's own plugin packages that a bundle names. */
export async function packagesFor(
  { store }: Pick<ConfigOperationParts, 'store'>,
  executor: Executor,
  tenantId: string,
  document: unknown,
): Promise<readonly CustomPackage[]> {
  return [...(await customPackagesNamed(store, executor, tenantId, packageNamesIn(document))).values()];
}

/** @throws Problem `revision_conflict` when the live state moved since the caller looked */
function checkRevision(input: OperationInput, revision: number): void {
  const expected = input.query['expected_revision'];
  if (expected === undefined || Number(expected) === revision) return;
  throw new Problem('revision_conflict', `the configuration is at revision ${revision}`);
}

/** The tenant that a request is for. @throws Problem when the caller may not, or the places that name it contradict */
export function tenantOf(parts: ConfigParts, input: OperationInput, isWrite: boolean): Promise<string> {
  const inBody = isValues(input.body) ? input.body['tenant_id'] : undefined;
  return parts.scope.resolve({ principal: input.principal, inQuery: input.query['tenant_id'], inBody, isWrite });
}

/** Whether a flag of the query is set; its default is already in it. */
export function isOn(input: OperationInput, name: string): boolean {
  return input.query[name] === 'true';
}

/** A plan's differences as diff and sync show them. Of a bundle with mistakes nobody can say that it is in sync. */
export function shownDiff(tenantId: string, plan: BundlePlan) {
  const { summary, changes, unmanaged } = plan.diff;
  const inSync = plan.diff.in_sync && plan.errors.length === 0;
  const { warnings } = plan.validation;
  return { tenant_id: tenantId, in_sync: inSync, summary, changes, unmanaged, warnings, errors: plan.errors };
}
