import { mayCall } from '../http/access.ts';
import { joinProblems } from '@portcullis/bundle-diff';
import type { BundleProblem, ResourceChange } from '@portcullis/bundle-diff';
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
import type { SecretBox } from '../secrets/secret-box.ts';
import type { ResourceStore } from '../store/resource-store.ts';
import { planBundle } from './bundle-plan.ts';
import type { BundlePlan, PlanJob } from './bundle-plan.ts';
import type { BundlePlanner, LiveJob } from './bundle-planner.ts';
import { changesListedMax } from './listed-max.ts';
import { readLiveState, scanLive } from './live-state.ts';
import { readLiveTotals } from './live-totals.ts';
import type { LiveTotals } from './live-totals.ts';
import { planNarrowed } from './narrowed-plan.ts';
import type { planInThread } from './plan-in-thread.ts';
import { missingOutside } from './outside-references.ts';

/** What the configuration endpoints work with. */
export interface ConfigOperationParts extends WriteSessionParts {
  readonly store: ResourceStore;
  readonly secrets: SecretBox;
  readonly writer: RecordWriter;
  readonly behaviours: ReadonlyMap<string, FamilyBehaviour>;
  readonly scope: TenantScope;
  readonly newId: () => string;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  readonly monotonicMs: () => number;
  /** Plans large bundles in place of the standard; for tests whose plans never end. */
  readonly planInThread?: typeof planInThread;
}

/** Those, with the planner that all of them share. */
export interface ConfigParts extends ConfigOperationParts {
  readonly planner: BundlePlanner;
}

/** A plan, and the state that it is for. */
export interface PlannedState {
  readonly plan: BundlePlan;
  readonly revision: number;
  /** Content hash of the live state, the same as in snapshots. */
  readonly configHash: string;
}

/**
 * Plans a request's bundle against one committed state, without holding up anyone who writes. Of a large live state a small
 * bundle reads only what it can mean.
 * @throws Problem `revision_conflict` when the request expects another revision, and those of the planner
 */
export async function planFor(
  parts: ConfigParts,
  input: OperationInput,
  tenantId: string,
  purpose: Exclude<PlanJob['purpose'], 'check'>,
): Promise<PlannedState> {
  const { store, planner, database } = parts;
  const { maskOf } = await parts.secrets.forTenant(tenantId);
  const job: LiveJob = {
    purpose,
    document: input.body,
    strict: isOn(input, 'strict'),
    leavesDifferent: input.query['overwrite'] === 'false',
    comparesSecrets: mayCall(input.principal, { access: 'write', method: 'POST' }),
    packages: await packagesFor(parts, database.read, tenantId, input.body),
  };
  const caller = { tenantId, maskOf, signal: input.request.signal };
  const look = async (executor: Executor): Promise<Looked> => {
    const totals = await readLiveTotals(executor, tenantId);
    // Only what writes takes it; the other operations do not declare it.
    checkRevision(input, totals.revision);
    return { totals, astray: await missingOutside(store, executor, tenantId, input.body) };
  };
  if (planner.isNarrow(job)) {
    const done = await database.snapshot(async (executor) => {
      const looked = await look(executor);
      const ports = planner.portsFor(caller);
      const plan = planner.isSmall(job, looked.totals.records)
        ? await planBundle({ ...job, live: await readLiveState(executor, tenantId) }, ports)
        : await planNarrowed(job, ports, { store, executor, tenantId, totals: looked.totals });
      return plan && stateOf(plan, looked);
    });
    if (done) return done;
  }
  let looked: Looked | undefined;
  const plan = await planner.planFed(job, caller, (take) =>
    database.snapshot(async (executor) => {
      looked = await look(executor);
      for await (const page of scanLive(executor, tenantId)) await take(page);
    }),
  );
  if (!looked) throw new RangeError('a bundle was planned without the live state');
  return stateOf(plan, looked);
}

/** What is read beside the live records. */
interface Looked {
  readonly totals: LiveTotals;
  /** References to what no bundle holds that lead nowhere. */
  readonly astray: readonly BundleProblem[];
}

function stateOf(plan: BundlePlan, { totals, astray }: Looked): PlannedState {
  const errors = joinProblems(plan.errors, astray);
  return { plan: { ...plan, errors }, revision: totals.revision, configHash: totals.hash };
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

/**
 * A plan's differences as diff and sync show them: the first of each list, and how many are left out. Of a bundle with
 * mistakes nobody can say that it is in sync.
 * @param mayRead whether the caller may see what is there; else it is told what changes, not from what, and not what else there is
 */
export function shownDiff(tenantId: string, plan: BundlePlan, mayRead: boolean) {
  const { summary, changes, unmanaged } = plan.diff;
  const inSync = plan.diff.in_sync && plan.errors.length === 0;
  const { warnings } = plan.validation;
  const shownUnmanaged = mayRead ? unmanaged : [];
  const listed = changes.slice(0, changesListedMax);
  const notListed = {
    changes: Math.max(0, changes.length - changesListedMax),
    unmanaged: summary.unmanaged - shownUnmanaged.length,
  };
  return {
    tenant_id: tenantId,
    in_sync: inSync,
    summary,
    changes: mayRead ? listed : listed.map(withoutOldValues),
    unmanaged: shownUnmanaged,
    ...((notListed.changes > 0 || notListed.unmanaged > 0) && { not_listed: notListed }),
    warnings,
    errors: plan.errors,
  };
}

function withoutOldValues(change: ResourceChange): ResourceChange {
  return { ...change, fields: change.fields.map(({ old: _, ...field }) => field) };
}
