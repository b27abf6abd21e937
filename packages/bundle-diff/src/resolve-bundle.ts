import { recordProblem } from './bundle-problem.ts';
import type { BundleProblem } from './bundle-problem.ts';
import { checkDocument } from './check-document.ts';
import type { CheckedDocument } from './check-document.ts';
import type { BundleDescriptor, BundleState, CollectionDescriptor, RecordProblem } from './descriptor.ts';
import { isAbsent, isSameValue } from './json-values.ts';
import type { BundleRecord } from './json-values.ts';
import { pointerTo } from './json-pointer.ts';
import { linkBundle } from './link-bundle.ts';
import type { MissingTarget, OnMissing } from './link-references.ts';
import type { OnLookUp } from './live-look-up.ts';
import { missingProblem } from './missing-target.ts';
import { ProblemList, bundleLimits } from './problem-list.ts';
import type { BundleLimits } from './problem-list.ts';
import { asDesired, maskedSecrets } from './redaction.ts';

/** Options of {@link resolveBundle}. */
export interface ResolveBundleOptions {
  /**
   * Makes the ID of a record that is new. Each must sort after the one before, as text: that is how records without a
   * natural key find themselves again in the next bundle.
   */
  readonly newId: () => string;
  /**
   * What a reference means whose target is neither in the bundle nor live. `keep` is for comparing two documents that both
   * refer to something outside them: what the field says stands for the target. Default: `refuse`.
   */
  readonly outside?: 'refuse' | 'keep';
  /** Default: `bundleLimits`. */
  readonly limits?: Partial<BundleLimits>;
}

/** A bundle whose records have IDs, defaults, and references by ID. */
export interface ResolvedBundle {
  /** The records that are fine, in the document's order. */
  readonly desired: BundleState;
  /** What is wrong with the others, up to the limit. */
  readonly errors: readonly BundleProblem[];
  /** By collection and in the order of `desired`: the live record that each is; nothing for a new one. */
  readonly liveOf: Readonly<Record<string, readonly (BundleRecord | undefined)[]>>;
  /** Position in its array of the document of each record in `desired`. */
  readonly indexOf: ReadonlyMap<BundleRecord, number>;
}

/**
 * Resolves a bundle against the live state of its tenant: names and natural keys become IDs, new records get new ones. An ID
 * and a name that contradict each other are refused, and so are references that lead nowhere, changes of what cannot
 * change, masks with no secret behind them, and new records that lack a secret. Source: wire contract, Configuration operations.
 * @param live every record that the bundle may mean; records of other tenants must not be in it
 */
export function resolveBundle(
  document: unknown,
  descriptor: BundleDescriptor,
  live: BundleState,
  options: ResolveBundleOptions,
): ResolvedBundle {
  const limits = { ...bundleLimits, ...options.limits };
  const problems = new ProblemList(limits.problemsMax);
  const checked = checkDocument(document, descriptor, problems, limits.recordsMax);
  const keepsOutside = options.outside === 'keep';
  return resolveChecked(checked, descriptor, live, { newId: options.newId, keepsOutside, problems }).resolved;
}

/** What {@link resolveChecked} works with. */
interface ResolveParts {
  readonly newId: () => string;
  /** See `ResolveBundleOptions.outside`. */
  readonly keepsOutside?: boolean;
  /** What checking found; more is added. */
  readonly problems: ProblemList;
  /** Told every reference that leads nowhere. */
  readonly onMissing?: (target: MissingTarget) => void;
  readonly onLookUp?: OnLookUp | undefined;
}

/** The rest of resolving, once every record was checked by itself, and what checking and linking alone found. */
export function resolveChecked(
  checked: CheckedDocument,
  descriptor: BundleDescriptor,
  live: BundleState,
  { newId, keepsOutside, problems, onMissing, onLookUp }: ResolveParts,
): { readonly resolved: ResolvedBundle; readonly linkProblems: readonly BundleProblem[] } {
  const judgeMissing: OnMissing = (target) => {
    onMissing?.(target);
    return keepsOutside === true ? { standIn: target.text } : missingProblem(target);
  };
  const linked = linkBundle(checked.entries, {
    descriptor,
    live,
    newId,
    onMissing: judgeMissing,
    onLookUp,
    problems,
  });
  const linkProblems = problems.toArray();
  const desired: Record<string, readonly BundleRecord[]> = {};
  const liveOf: Record<string, readonly (BundleRecord | undefined)[]> = {};
  for (const collection of descriptor.collections) {
    const kept: BundleRecord[] = [];
    const keptLive: (BundleRecord | undefined)[] = [];
    const own = linked.get(collection.key) ?? [];
    for (const { index, record, live: known } of own) {
      const found = problemsAgainst(known, record, collection);
      for (const problem of found) problems.add(() => recordProblem(collection, index, record, problem));
      if (found.length > 0) continue;
      kept.push(record);
      keptLive.push(known);
    }
    desired[collection.key] = kept;
    liveOf[collection.key] = keptLive;
  }
  let indexOf: ReadonlyMap<BundleRecord, number> | undefined;
  const resolved = {
    desired,
    liveOf,
    errors: problems.toArray(),
    // Few ask for it, and large bundles pay for it.
    get indexOf(): ReadonlyMap<BundleRecord, number> {
      indexOf ??= new Map(
        [...linked.values()].flatMap((own) => own.map(({ record, index }) => [record, index] as const)),
      );
      return indexOf;
    },
  };
  return { resolved, linkProblems };
}

const maskMessage = 'is a mask with no stored secret behind it';
const lackMessage = 'must be given: a secret that is made here is shown to nobody';

function problemsAgainst(
  live: BundleRecord | undefined,
  record: BundleRecord,
  collection: CollectionDescriptor,
): readonly RecordProblem[] {
  if (live === record) return [];
  if (!live) {
    const code = 'secret_required';
    const masked = maskedSecrets(record, collection).map((pointer) => ({ pointer, code, message: maskMessage }));
    const lacking = (collection.requiredWhenNew?.(record) ?? []).filter((field) => isAbsent(record[field]));
    return [...masked, ...lacking.map((field) => ({ pointer: pointerTo('', field), code, message: lackMessage }))];
  }
  if (collection.immutable.length === 0) return [];
  const differing = collection.immutable.filter((field) => !isSameValue(live[field], record[field]));
  if (differing.length === 0) return [];
  const wanted = asDesired(live, record, collection);
  const message = 'cannot be changed after creation';
  return differing
    .filter((field) => !isSameValue(live[field], wanted[field]))
    .map((field) => ({ pointer: pointerTo('', field), code: 'immutable', message }));
}
