import { documentProblem } from './bundle-problem.ts';
import type { BundleProblem } from './bundle-problem.ts';

/** How much of a bundle is looked at and how much is said about it. Source: reliability, bounded memory. */
export interface BundleLimits {
  /** Mistakes, and warnings, that are listed; one more line then says how many are not. */
  readonly problemsMax: number;
  /** Records in all collections together. A bundle with more is refused as a whole. */
  readonly recordsMax: number;
}

/** The limits when the caller has none of its own. */
export const bundleLimits: BundleLimits = { problemsMax: 1000, recordsMax: 200_000 };

const moreProblemsCode = 'more_problems';

/** Collects problems up to a bound and counts the rest, which are not even made. */
export class ProblemList {
  readonly #problems: BundleProblem[] = [];
  readonly #max: number;
  #left = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** A list with the same limit, without any problem. */
  emptied(): ProblemList {
    return new ProblemList(this.#max);
  }

  /** The same list, to which further problems can be added apart. */
  copy(): ProblemList {
    const copy = new ProblemList(this.#max);
    copy.#problems.push(...this.#problems);
    copy.#left = this.#left;
    return copy;
  }

  /** Keeps what `make` gives while there is room; beyond that `make` is not called. */
  add(make: () => BundleProblem): void {
    if (this.#problems.length < this.#max) this.#problems.push(make());
    else this.#left += 1;
  }

  /** Everything that is kept, and a last line that says how many were not. */
  toArray(): readonly BundleProblem[] {
    if (this.#left === 0) return [...this.#problems];
    const message = `${this.#left} more ${this.#left === 1 ? 'problem is' : 'problems are'} not listed`;
    return [...this.#problems, documentProblem('', moreProblemsCode, message)];
  }
}

/**
 * What validating and resolving found in one bundle, each mistake once and no more than the limit. When either list is cut
 * short already it stands for both, because only its own count of the rest is exact.
 */
export function joinProblems(
  validated: readonly BundleProblem[],
  resolved: readonly BundleProblem[],
  limits: Partial<BundleLimits> = {},
): readonly BundleProblem[] {
  if (isCut(validated)) return validated;
  if (isCut(resolved)) return resolved;
  const joined = new ProblemList(limits.problemsMax ?? bundleLimits.problemsMax);
  const known = new Set<string>();
  for (const problem of [...validated, ...resolved]) {
    const identity = `${problem.pointer}#${problem.code}`;
    if (known.has(identity)) continue;
    known.add(identity);
    joined.add(() => problem);
  }
  return joined.toArray();
}

/** Whether the last line only says how many problems are not listed. */
export function isCut(problems: readonly BundleProblem[]): boolean {
  return problems.at(-1)?.code === moreProblemsCode;
}
