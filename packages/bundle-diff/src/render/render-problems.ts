import type { BundleProblem } from '../bundle-problem.ts';
import { isCut } from '../problem-list.ts';
import { harmlessText } from './harmless-text.ts';
import { plainPainter } from './painter.ts';
import type { Painter } from './painter.ts';

/** Options of {@link renderProblems}. */
export interface RenderProblemsOptions {
  readonly level: 'error' | 'warning';
  /** Where a value stands, for instance `bundle.yaml:3:25`. Default: nowhere is said. */
  readonly placeOf?: (pointer: string) => string;
  /** Default: no colours. */
  readonly paint?: Painter;
}

/** Problems that are rendered at most; one more line says how many are not. */
export const problemsRenderedMax = 100;

/** One line for each mistake or warning, with its place, the record's name, and the code that programs know it by. */
export function renderProblems(problems: readonly BundleProblem[], options: RenderProblemsOptions): readonly string[] {
  const { level, placeOf, paint = plainPainter } = options;
  const word = paint(level === 'error' ? 'red' : 'yellow', level);
  const lines = problems.slice(0, problemsRenderedMax).map((problem) => {
    const place = placeOf ? `${harmlessText(placeOf(problem.pointer))}: ` : '';
    const name = problem.name === null ? '' : ` (${problem.name})`;
    return `${place}${word} ${harmlessText(`${problem.pointer || '/'}${name}: ${problem.message} [${problem.code}]`)}`;
  });
  return problems.length > lines.length ? [...lines, `… and ${countProblems(problems, lines.length)} more`] : lines;
}

/** How many problems there are beyond the first `shown`, in words: a list that was cut does not know exactly. */
export function countProblems(problems: readonly BundleProblem[], shown = 0): string {
  return isCut(problems) ? `more than ${problems.length - 1 - shown}` : String(problems.length - shown);
}
