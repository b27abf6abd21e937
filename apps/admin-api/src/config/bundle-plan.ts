import { checkBundle, diffBundles, joinProblems, validateAndResolve, validateBundle } from '@portcullis/bundle-diff';
import type {
  BundleDiff,
  BundleProblem,
  BundleRecord,
  BundleState,
  BundleValidation,
  OnLookUp,
  UnmanagedRecord,
} from '@portcullis/bundle-diff';
import type { CustomPackage } from '../plugins/custom-package.ts';
import { behavioursWith } from './bundle-behaviours.ts';
import { bundleDescriptor } from './bundle-descriptor.ts';
import { withListedServerNames } from './listed-server-names.ts';
import { changesListedMax, unmanagedListedMax } from './listed-max.ts';
import { plannedSecretProblems } from './planned-secrets.ts';
import { plannedSelectorProblems } from './planned-selectors.ts';

/** What is asked about a bundle. `check` looks at it alone, `show` compares it, `apply` also wants the records to write. */
export interface PlanJob {
  readonly purpose: 'check' | 'show' | 'apply';
  readonly strict: boolean;
  readonly document: unknown;
  /** Empty for `check`. */
  readonly live: BundleState;
  /**
   * Whether plain secrets are compared with live ones; otherwise each counts as changed. To compare is to say whether a guess
   * is right, which is not for who may only read. Default true.
   */
  readonly comparesSecrets?: boolean;
  /** Live records that differ stay as they are, so that nobody is asked for their secrets. Default false. */
  readonly leavesDifferent?: boolean;
  /** The tenant's own plugin packages that the document names. */
  readonly packages?: readonly CustomPackage[];
}

/** What a bundle would do to a live state; nothing of it is done yet. */
export interface BundlePlan {
  readonly validation: BundleValidation;
  readonly diff: BundleDiff;
  /** Everything that is wrong, up to the limit of the bundle library. */
  readonly errors: readonly BundleProblem[];
  /** The records that change, by `desiredKey`, when the job is to apply them. Whoever writes them takes them out. */
  readonly desired: Map<string, BundleRecord>;
}

/** What planning takes from outside. */
export interface PlanPorts {
  /** Makes IDs that sort one after the other. */
  readonly newId: () => string;
  /**
   * The masks of secrets of the tenant whose bundle it is, so that they are compared with live ones without opening those.
   * Keys stay with whoever answers: a thread that plans has none and only learns the masks of secrets that it was sent.
   */
  readonly masksOf: (secrets: readonly string[]) => Promise<readonly string[]>;
  /** Told every look-up in the live state; then all unmanaged records are listed. Default: nobody asks. */
  readonly onLookUp?: OnLookUp;
}

/** Validates, resolves and compares. Beside its ports pure: the dry run of a sync is this and nothing more. */
export async function planBundle(job: PlanJob, ports: PlanPorts): Promise<BundlePlan> {
  const { live, strict, packages = [] } = job;
  const { newId, onLookUp } = ports;
  const document = withListedServerNames(job.document);
  const secrets = new Set<string>();
  const masks = new Map<string, string>();
  const secretPorts = {
    onSecret: (secret: string) => secrets.add(secret),
    mask: (secret: string) => masks.get(secret),
    comparesSecrets: job.comparesSecrets !== false,
  };
  const behaviours = behavioursWith(packages);
  const descriptor = bundleDescriptor(secretPorts, behaviours);
  if (job.purpose === 'check') {
    const validation = validateBundle(document, descriptor, { strict });
    return { diff: nothingCompared, desired: new Map(), validation, errors: validation.errors };
  }
  // Configs that a tenant's own schemas judge are checked each time: those schemas change. Whoever asks what a bundle looks
  // up wants to hear of every record.
  const isChecked = onLookUp !== undefined || packages.length > 0;
  const checked = checkBundle(document, descriptor, isChecked ? {} : { live });
  const asked = [...secrets];
  if (asked.length > 0) {
    (await ports.masksOf(asked)).forEach((mask, index) => masks.set(asked[index] ?? '', mask));
  }
  const { validation, resolved } = validateAndResolve(checked, live, {
    newId,
    strict,
    ...(onLookUp && { onLookUp }),
  });
  const unmanagedMax = onLookUp ? Number.POSITIVE_INFINITY : unmanagedListedMax;
  const diff = diffBundles(live, resolved.desired, descriptor, {
    liveOf: resolved.liveOf,
    unmanagedMax,
    describedMax: changesListedMax,
  });
  const problems = joinProblems(validation.errors, resolved.errors);
  return {
    validation,
    diff,
    errors: joinProblems(problems, [
      ...plannedSelectorProblems(live, resolved, diff, onLookUp),
      ...(job.leavesDifferent === true ? [] : plannedSecretProblems(live, resolved, diff, behaviours)),
    ]),
    desired: job.purpose === 'apply' ? changedRecords(diff, resolved.desired) : new Map(),
  };
}

/** Collections by key; only what they call a record is asked of them. */
const collections = new Map(
  bundleDescriptor({ onSecret: () => undefined, mask: () => undefined, comparesSecrets: false }).collections.map(
    (collection) => [collection.key, collection] as const,
  ),
);

/** A live record as an unmanaged one is listed. @throws RangeError for an unknown collection: a bug */
export function unmanagedRecord(key: string, record: BundleRecord): UnmanagedRecord {
  const collection = collections.get(key);
  if (!collection) throw new RangeError(`no collection is called ${key}`);
  const { unmanaged } = diffBundles({ [key]: [record] }, {}, { collections: [collection] });
  const [listed] = unmanaged;
  if (!listed) throw new RangeError(`a record of ${key} is not listed`);
  return listed;
}

/** The key of a record in {@link BundlePlan.desired}. */
export function desiredKey(resourceType: string, id: string): string {
  return `${resourceType}/${id}`;
}

const nothingCompared: BundleDiff = diffBundles({}, {}, { collections: [] });

/** Most records of a large bundle do not change, and nothing is made for those. */
function changedRecords(diff: BundleDiff, desired: BundleState): Map<string, BundleRecord> {
  const records = new Map<string, BundleRecord>();
  for (const [resourceType, changes] of Map.groupBy(diff.changes, (change) => change.resource_type)) {
    const ids = new Set<unknown>(changes.map(({ id }) => id));
    for (const record of desired[resourceType] ?? []) {
      if (ids.has(record['id'])) records.set(desiredKey(resourceType, String(record['id'])), record);
    }
  }
  return records;
}
