import { descriptionLimits } from './limits.ts';

/** What a problem is about, as a stable name. */
export type ProblemCode =
  | 'too_deep'
  | 'too_many'
  | 'type'
  | 'required'
  | 'version'
  | 'duplicate'
  | 'invalid_path'
  | 'invalid_server'
  | 'reference_remote'
  | 'reference_not_found'
  | 'reference_circular'
  | 'more_problems';

/** Something wrong with a description. `message` says the rule and quotes no value of the description but names. */
export interface DescriptionProblem {
  /** JSON Pointer into the description. */
  readonly pointer: string;
  readonly code: ProblemCode;
  readonly message: string;
}

/** Collects problems up to a bound. */
export class ProblemList {
  readonly #problems: DescriptionProblem[] = [];
  #isCut = false;

  add(pointer: string, code: ProblemCode, message: string): void {
    if (this.#problems.length < descriptionLimits.problemsMax) this.#problems.push({ pointer, code, message });
    else this.#isCut = true;
  }

  /** Whether there are more than are listed: nothing that is found from now on would be. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** What was found; a last one without a place says that there is more. */
  list(): readonly DescriptionProblem[] {
    if (!this.#isCut) return this.#problems;
    const message = `more than ${descriptionLimits.problemsMax} problems: the rest is not listed`;
    return [...this.#problems, { pointer: '', code: 'more_problems', message }];
  }
}
