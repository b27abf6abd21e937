import { createHash } from 'node:crypto';
import { diffBundles, joinProblems, resolveBundle, validateBundle } from '@portcullis/bundle-diff';
import type { BundleDiff, BundleProblem, BundleRecord, BundleState, BundleValidation } from '@portcullis/bundle-diff';
import type { CustomPackage } from '../plugins/custom-package.ts';
import { behavioursWith } from './bundle-behaviours.ts';
import { bundleDescriptor } from './bundle-descriptor.ts';
import { withListedServerNames } from './listed-server-names.ts';
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
  /** The tenant's own plugin packages that the document names. */
  readonly packages?: readonly CustomPackage[];
}

/** What a bundle would do to a live state; nothing of it is done yet. */
export interface BundlePlan {
  readonly validation: BundleValidation;
  readonly diff: BundleDiff;
  /** Everything that is wrong, up to the limit of the bundle library. */
  readonly errors: readonly BundleProblem[];
  /** The records that change, by `desiredKey`, when the job is to apply them. */
  readonly desired: ReadonlyMap<string, BundleRecord>;
  /** SHA-256 of the live state that was compared with, hex. */
  readonly liveHash: string;
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
}

/** Validates, resolves and compares. Beside its ports pure: the dry run of a sync is this and nothing more. */
export async function planBundle(job: PlanJob, ports: PlanPorts): Promise<BundlePlan> {
  const { live, strict } = job;
  const document = withListedServerNames(job.document);
  const secrets = new Set<string>();
  const masks = new Map<string, string>();
  const secretPorts = {
    onSecret: (secret: string) => secrets.add(secret),
    mask: (secret: string) => masks.get(secret),
    comparesSecrets: job.comparesSecrets !== false,
  };
  const descriptor = bundleDescriptor(secretPorts, behavioursWith(job.packages ?? []));
  const isCheck = job.purpose === 'check';
  const validation = validateBundle(document, descriptor, { strict, ...(!isCheck && { live }) });
  if (isCheck) return { ...nothingPlanned, validation, errors: validation.errors };
  const asked = [...secrets];
  (await ports.masksOf(asked)).forEach((mask, index) => masks.set(asked[index] ?? '', mask));
  const resolved = resolveBundle(document, descriptor, live, { newId: ports.newId });
  const diff = diffBundles(live, resolved.desired, descriptor);
  return {
    validation,
    diff,
    errors: joinProblems(
      joinProblems(validation.errors, resolved.errors),
      plannedSelectorProblems(live, resolved, diff),
    ),
    desired: job.purpose === 'apply' ? changedRecords(diff, resolved.desired) : new Map(),
    liveHash: createHash('sha256').update(JSON.stringify(live)).digest('hex'),
  };
}

/** The key of a record in {@link BundlePlan.desired}. */
export function desiredKey(resourceType: string, id: string): string {
  return `${resourceType}/${id}`;
}

const nothingPlanned: Omit<BundlePlan, 'validation' | 'errors'> = {
  diff: diffBundles({}, {}, { collections: [] }),
  desired: new Map(),
  liveHash: '',
};

function changedRecords(diff: BundleDiff, desired: BundleState): ReadonlyMap<string, BundleRecord> {
  const changed = new Set(diff.changes.map((change) => desiredKey(change.resource_type, change.id)));
  const records = Object.entries(desired).flatMap(([resourceType, list]) =>
    list.map((record) => [desiredKey(resourceType, String(record['id'])), record] as const),
  );
  return new Map(records.filter(([key]) => changed.has(key)));
}
