import type { BundleProblem } from '@portcullis/bundle-diff';
import { joinProblems } from '@portcullis/bundle-diff';
import type { OperationInput } from '../http/operation.ts';
import { Problem } from '../http/problem.ts';
import { inWriteSession } from '../resources/write-session.ts';
import type { WriteSession } from '../resources/write-session.ts';
import type { SnapshotView } from '../snapshots/snapshot-view.ts';
import { takeSnapshot } from '../snapshots/take-snapshot.ts';
import { Anticipations } from './anticipations.ts';
import { applyInParts } from './apply-in-parts.ts';
import type { FailedChange } from './apply-in-parts.ts';
import { applyPlan, doneAction } from './apply-plan.ts';
import type { AppliedChange } from './apply-plan.ts';
import type { ApplyRequest } from './apply-request.ts';
import type { BundlePlan } from './bundle-plan.ts';
import { planFor } from './config-request.ts';
import type { ConfigParts } from './config-request.ts';
import { PartialDocument } from './partial-document.ts';
import { plannedUpdates, plannedWrites } from './planned-writes.ts';
import type { PlanWriter, PlannedWrite } from './planned-writes.ts';
import { prepareBatches } from './prepared-batches.ts';
import type { PreparedBatch } from './prepared-batches.ts';

/**
 * How often a bundle is planned because somebody else wrote meanwhile: a large one a few times, a small one, which takes some
 * milliseconds, until about as long has passed as people wait for an answer.
 */
const plansMin = 4;
const plansMax = 50;
const planningMsMax = 10_000;
/**
 * How often what is left of a bundle is planned once its mistakes are taken out. Records that refer to them are the next
 * mistakes, so there is one round per level, and one more for each thousand of mistakes.
 */
const roundsMax = 20;

/** A bundle that was applied, or would be. */
export interface AppliedBundle {
  readonly plan: BundlePlan;
  /** What is wrong with the bundle. An atomic one is applied only when nothing is. */
  readonly errors: readonly BundleProblem[];
  /** What became of records; of a dry run only what fails or is skipped. */
  readonly results: readonly (AppliedChange | FailedChange)[];
  readonly snapshot: SnapshotView | null;
  readonly revision: number;
}

/**
 * Plans a request's bundle, and applies it unless that is a dry run. Planning holds no lock, because it may take long and
 * others want to write meanwhile; what is applied is only what was planned for the revision that then is.
 * @throws Problem when nothing can be done; `unavailable` when others write faster than this plans
 */
export async function applyConfiguration(
  parts: ConfigParts,
  input: OperationInput,
  tenantId: string,
  request: ApplyRequest,
): Promise<AppliedBundle> {
  const anticipations = new Anticipations(parts.writer, tenantId);
  const writer: PlanWriter = { store: parts.store, writer: parts.writer, anticipations };
  const lastMs = parts.monotonicMs() + planningMsMax;
  for (let attempt = 1; attempt <= plansMax; attempt += 1) {
    if (attempt > plansMin && parts.monotonicMs() > lastMs) break;
    const { plan, errors, failed, revision } = await planned(parts, input, tenantId, request);
    const planOnly = { plan, errors, results: failed, snapshot: null, revision };
    if (plan.errors.length > 0) return planOnly;
    if (request.dryRun) return request.overwrite ? planOnly : { ...planOnly, results: [...failed, ...skippedOf(plan)] };
    await anticipations.prepare(plan);
    const writing = writingOf(plan, request);
    const preparing = { tenantId, actor: request.actor, baseRevision: revision };
    const batches = request.atomic ? await prepareBatches(parts, writer, writing.wanted, preparing) : [];
    const done = await inWriteSession(parts, tenantId, request.actor, async (session) =>
      session.baseRevision === revision ? write(parts, session, writer, { ...writing, batches }, request) : undefined,
    );
    if (done.result)
      return { ...planOnly, ...done.result, results: [...failed, ...done.result.results], revision: done.revision };
  }
  throw new Problem('unavailable', 'The configuration changes faster than this bundle can be planned', {
    headers: { 'retry-after': '5' },
  });
}

interface Planned {
  readonly plan: BundlePlan;
  readonly errors: readonly BundleProblem[];
  readonly failed: readonly FailedChange[];
  readonly revision: number;
}

/** The plan of what can be applied: of the whole bundle, or of what is left of it without its mistakes. */
async function planned(
  parts: ConfigParts,
  input: OperationInput,
  tenantId: string,
  { dryRun, atomic }: ApplyRequest,
): Promise<Planned> {
  const purpose = dryRun ? 'show' : 'apply';
  if (atomic) {
    const { plan, revision } = await planFor(parts, input, tenantId, purpose);
    return { plan, errors: plan.errors, failed: [], revision };
  }
  const document = new PartialDocument(input.body);
  let errors: readonly BundleProblem[] = [];
  let validation: BundlePlan['validation'] | undefined;
  for (let round = 1; round <= roundsMax; round += 1) {
    const { plan, revision } = await planFor(parts, { ...input, body: document.document() }, tenantId, purpose);
    validation ??= plan.validation;
    const found = plan.errors.length === 0 ? [] : document.takeOut(plan.errors);
    errors = joinProblems(errors, found ?? plan.errors);
    const isFinal = found === undefined || plan.errors.length === 0;
    if (isFinal) return { plan: { ...plan, validation }, errors, failed: document.failed, revision };
  }
  throw new Problem('validation_failed', 'The bundle has too many mistakes to be applied in parts');
}

/** What a run that does not overwrite would leave as it is. */
function skippedOf(plan: BundlePlan): AppliedChange[] {
  return plannedUpdates(plan).map((line) => ({ action: 'skipped', ...line }));
}

/** The writes of a plan, and those among them that are to be carried out. */
interface Writing {
  readonly all: readonly PlannedWrite[];
  readonly wanted: readonly PlannedWrite[];
}

function writingOf(plan: BundlePlan, { overwrite }: ApplyRequest): Writing {
  const all = plannedWrites(plan);
  return { all, wanted: all.filter(({ action }) => overwrite || action === 'create') };
}

/** Writes a plan, after the snapshot that leads back: only when there is something to write. */
async function write(
  parts: ConfigParts,
  session: WriteSession,
  writer: PlanWriter,
  { all, wanted, batches }: Writing & { readonly batches: readonly PreparedBatch[] },
  { atomic, snapshot }: ApplyRequest,
): Promise<Pick<AppliedBundle, 'results' | 'snapshot'>> {
  const taken = snapshot && wanted.length > 0 ? await takeSnapshot(parts, session, snapshot) : null;
  const failures = atomic ? new Map<PlannedWrite, FailedChange>() : await applyInParts(session, writer, wanted);
  await applyPlan(session, writer, batches);
  const written = new Set(wanted);
  const results = all.map((one): AppliedChange | FailedChange => {
    const action = written.has(one) ? doneAction[one.action] : 'skipped';
    return failures.get(one) ?? { action, ...one.line };
  });
  return { results, snapshot: taken };
}
