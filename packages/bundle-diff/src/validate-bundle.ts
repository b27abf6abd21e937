import type { BundleProblem } from './bundle-problem.ts';
import { checkDocument } from './check-document.ts';
import type { CheckedDocument } from './check-document.ts';
import type { BundleDescriptor, BundleState } from './descriptor.ts';
import { linkBundle } from './link-bundle.ts';
import type { OnLookUp } from './live-look-up.ts';
import { missingProblem, missingWarning } from './missing-target.ts';
import { ProblemList, bundleLimits } from './problem-list.ts';
import type { BundleLimits } from './problem-list.ts';

/** Options of {@link validateBundle}. */
export interface ValidateBundleOptions {
  /** Whether references marked `strict` must lead to a record of the bundle itself. Default false: they only warn. */
  readonly strict?: boolean;
  /** Live records, which references may lead to as well, also strictly. Default: none. */
  readonly live?: BundleState;
  /** Default: `bundleLimits`. */
  readonly limits?: Partial<BundleLimits>;
}

/** What is wrong with a bundle by itself. Source: wire contract, Configuration operations. */
export interface BundleValidation {
  readonly valid: boolean;
  readonly errors: readonly BundleProblem[];
  readonly warnings: readonly BundleProblem[];
  /** Records given, by collection. */
  readonly counts: Readonly<Record<string, number>>;
}

/**
 * Checks a bundle by itself: its shape, each record, duplicates, contradictions and references. A target that is not in
 * the bundle (nor in `live`) may be live, so it is a warning; strict validation makes it an error where the descriptor says
 * so. All mistakes are reported at once, up to the limit. Source: spec, Operator command-line tool, `validate`.
 */
export function validateBundle(
  document: unknown,
  descriptor: BundleDescriptor,
  options: ValidateBundleOptions = {},
): BundleValidation {
  const limits = { ...bundleLimits, ...options.limits };
  const problems = new ProblemList(limits.problemsMax);
  const checked = checkDocument(document, descriptor, problems, limits.recordsMax);
  return validateChecked(checked, descriptor, problems, { strict: options.strict === true, live: options.live ?? {} });
}

/** What {@link validateChecked} works with. */
interface ValidateParts extends Required<Pick<ValidateBundleOptions, 'strict' | 'live'>> {
  readonly onLookUp?: OnLookUp | undefined;
}

/**
 * The rest of validation, once every record was checked by itself.
 * @param problems what checking found; more is added
 */
export function validateChecked(
  checked: CheckedDocument,
  descriptor: BundleDescriptor,
  problems: ProblemList,
  { strict, live, onLookUp }: ValidateParts,
): BundleValidation {
  const warnings = problems.emptied();
  let made = 0;
  linkBundle(checked.entries, {
    descriptor,
    live,
    onLookUp,
    newId: () => `new ${(made += 1)}`,
    onMissing: (target) => {
      if (strict && target.reference.strict) return missingProblem(target);
      warnings.add(() => missingWarning(target));
      return { standIn: `missing ${target.text}` };
    },
    problems,
  });
  const errors = problems.toArray();
  return { valid: errors.length === 0, errors, warnings: warnings.toArray(), counts: checked.counts };
}
