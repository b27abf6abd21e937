import type { BundleProblem } from '@portcullis/bundle-diff';
import { isValues } from '../resources/values.ts';
import type { FailedChange } from './apply-in-parts.ts';
import { withListedServerNames } from './listed-server-names.ts';

/**
 * A bundle of which records are taken out that cannot be applied, until the rest can. What is said of the rest names the
 * places of the whole document.
 */
export class PartialDocument {
  readonly #arrays: ReadonlyMap<string, readonly unknown[]>;
  readonly #whole: Readonly<Record<string, unknown>>;
  /** By array: positions of the whole document that are left. */
  readonly #left: Map<string, readonly number[]>;
  readonly #failed: FailedChange[] = [];

  constructor(document: unknown) {
    // So that every record that planning sees has a position here.
    const whole = withListedServerNames(document);
    this.#whole = isValues(whole) ? whole : {};
    const arrays = Object.entries(this.#whole).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
    this.#arrays = new Map(arrays);
    this.#left = new Map(arrays.map(([key, records]) => [key, records.map((_, index) => index)]));
  }

  /** A line for each record that was taken out, with the first thing that was wrong with it. */
  get failed(): readonly FailedChange[] {
    return this.#failed;
  }

  /** What is left of the bundle. */
  document(): unknown {
    if (this.#failed.length === 0) return this.#whole;
    const arrays = [...this.#left].map(([key, positions]): [string, unknown[]] => {
      const records = this.#arrays.get(key) ?? [];
      return [key, positions.map((position) => records[position])];
    });
    return { ...this.#whole, ...Object.fromEntries(arrays) };
  }

  /**
   * Takes out the records that problems of the present document are about.
   * @returns the problems with their places in the whole document; `undefined` when one is about the document itself, or none
   * is about a record: then nothing of it can be applied
   */
  takeOut(problems: readonly BundleProblem[]): readonly BundleProblem[] | undefined {
    const located = problems.filter(({ code }) => code !== moreProblems).map((problem) => this.#located(problem));
    const ofRecords = located.filter(({ resource_type: type, index }) => type !== null && index !== null);
    if (ofRecords.length === 0 || ofRecords.length < located.length) return undefined;
    const gone = Map.groupBy(ofRecords, ({ resource_type: type }) => type ?? '');
    for (const [key, ofArray] of gone) {
      const positions = new Set(ofArray.map(({ index }) => index ?? 0));
      this.#left.set(
        key,
        (this.#left.get(key) ?? []).filter((position) => !positions.has(position)),
      );
      const first = Map.groupBy(ofArray, ({ index }) => index).values();
      for (const [problem] of first) if (problem) this.#failed.push(lineOf(problem));
    }
    return located;
  }

  #located(problem: BundleProblem): BundleProblem {
    const { resource_type: type, index } = problem;
    if (type === null || index === null) return problem;
    const position = this.#left.get(type)?.[index] ?? index;
    const rest = problem.pointer.split('/').slice(3);
    return { ...problem, index: position, pointer: ['', type, position, ...rest].join('/') };
  }
}

/** The line that stands for problems beyond the limit of the bundle library. They come up when those before are gone. */
const moreProblems = 'more_problems';

function lineOf({ resource_type: type, id, name, pointer, code, message }: BundleProblem): FailedChange {
  const inRecord = pointer
    .split('/')
    .slice(3)
    .map((segment) => `/${segment}`);
  return {
    action: 'failed',
    resource_type: type ?? '',
    id,
    name,
    error: { code, message, pointer: inRecord.join('') },
  };
}
