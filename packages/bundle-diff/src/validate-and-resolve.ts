import { checkDocument } from './check-document.ts';
import type { CheckedDocument } from './check-document.ts';
import type { BundleDescriptor, BundleState } from './descriptor.ts';
import type { OnLookUp } from './live-look-up.ts';
import { ProblemList, bundleLimits } from './problem-list.ts';
import type { BundleLimits } from './problem-list.ts';
import type { ResolveBundleOptions, ResolvedBundle } from './resolve-bundle.ts';
import { resolveChecked } from './resolve-bundle.ts';
import type { BundleValidation } from './validate-bundle.ts';
import { validateChecked } from './validate-bundle.ts';

/** Options of {@link validateAndResolve}. */
export interface ValidateAndResolveOptions extends Pick<ResolveBundleOptions, 'newId'> {
  /** See `ValidateBundleOptions.strict`. */
  readonly strict?: boolean;
  /**
   * Told every look-up in the live state. Whoever keeps a large one elsewhere begins with an empty one, fetches what was
   * asked for, and asks again until nothing new is asked: then the answer is that for the whole live state.
   */
  readonly onLookUp?: OnLookUp;
}

/** Options of {@link checkBundle}. Limits default to `bundleLimits`. */
export interface CheckBundleOptions extends Partial<BundleLimits> {
  /**
   * The live state that is asked about next, if it is known already: records that leave a live one as it is are then not
   * checked again, where the descriptor says what the defaults are. Default: all records are checked.
   */
  readonly live?: BundleState;
}

/** What `validateBundle` and `resolveBundle` say of one bundle. */
export interface ValidatedAndResolved {
  readonly validation: BundleValidation;
  readonly resolved: ResolvedBundle;
}

/** A bundle whose records were checked, each by itself. Nothing can be asked of it but {@link validateAndResolve}. */
export class CheckedBundle {
  readonly #descriptor: BundleDescriptor;
  readonly #checked: CheckedDocument;
  readonly #problems: ProblemList;

  constructor(document: unknown, descriptor: BundleDescriptor, { live, ...limits }: CheckBundleOptions & BundleLimits) {
    this.#descriptor = descriptor;
    this.#problems = new ProblemList(limits.problemsMax);
    this.#checked = checkDocument(document, descriptor, this.#problems, limits.recordsMax, live);
  }

  /** See {@link validateAndResolve}. */
  against(live: BundleState, { newId, strict, onLookUp }: ValidateAndResolveOptions): ValidatedAndResolved {
    let isMissing = false;
    const { resolved, linkProblems } = resolveChecked(this.#checked, this.#descriptor, live, {
      newId,
      problems: this.#problems.copy(),
      onMissing: () => (isMissing = true),
      onLookUp,
    });
    // Only references that lead nowhere are judged differently: without one the mistakes of both are the same.
    const validation = isMissing
      ? validateChecked(this.#checked, this.#descriptor, this.#problems.copy(), {
          strict: strict === true,
          live,
          onLookUp,
        })
      : { valid: linkProblems.length === 0, errors: linkProblems, warnings: [], counts: this.#checked.counts };
    return { validation, resolved };
  }
}

/** Checks the shape of a bundle and each of its records by itself: the first half of validating and of resolving it. */
export function checkBundle(
  document: unknown,
  descriptor: BundleDescriptor,
  options: CheckBundleOptions = {},
): CheckedBundle {
  return new CheckedBundle(document, descriptor, { ...bundleLimits, ...options });
}

/**
 * Says what `validateBundle`, with this live state, and `resolveBundle` say, for about half the work: each record is checked
 * once, and a bundle whose references all lead somewhere is linked once.
 * @param live see `resolveBundle`
 */
export function validateAndResolve(
  bundle: CheckedBundle,
  live: BundleState,
  options: ValidateAndResolveOptions,
): ValidatedAndResolved {
  return bundle.against(live, options);
}
