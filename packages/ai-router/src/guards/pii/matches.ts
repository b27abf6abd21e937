import type { TextRange } from '../text-range.ts';

/**
 * The places where an expression matches and a test holds. Expressions here repeat a bounded number of times only, and begin where
 * nothing of the kind stands before, so that a text is gone through once.
 * @param expression with the flag `g`
 */
export function rangesOf(
  text: string,
  expression: RegExp,
  isMeant: (match: string) => boolean = () => true,
): readonly TextRange[] {
  const ranges: TextRange[] = [];
  expression.lastIndex = 0;
  for (let match = expression.exec(text); match !== null; match = expression.exec(text)) {
    const [found] = match;
    const end = match.index + found.length;
    if (isMeant(found)) ranges.push({ start: match.index, end });
    // What is none may hold the beginning of one.
    else expression.lastIndex = match.index + 1;
  }
  return ranges;
}
