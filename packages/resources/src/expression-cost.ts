/** What looking up a class of Unicode (`\pL`) costs while an expression is compiled, in instructions. */
const unicodeClassCost = 30;

/** Beginning and end of a program or a group, and what stands for nothing between them. */
const empty = 3;

/**
 * Flags or a quotation of nothing, a quotation, a class, an escape, a counted repetition, or one character. Nothing that the
 * engine reads as a repetition or a group hides in a longer piece than the engine takes it for.
 */
const pieces =
  /\(\?[a-zA-Z-]*\)|\\Q\\E|\\Q[\s\S]*?(?:\\E|$)|\[\^?\]?(?:\[:\^?\w+:\]|\\[\s\S]|[^\]\\])*\]|\\[\s\S]|\{\d+(?:,\d*)?\}|[\s\S]/gu;

/** A sequence that is being read: what is complete, and the last piece, which a repetition may follow. */
interface Sequence {
  complete: number;
  last: number;
}

/**
 * At least as many instructions as a regular expression is compiled to. Counted repetitions are written out, inside each other
 * too, so a short expression may be long work: this is known without doing it.
 */
export function expressionCost(expression: string): number {
  const outer: Sequence[] = [];
  let here: Sequence = { complete: empty, last: 0 };
  const add = (cost: number): void => {
    here = { complete: here.complete + here.last, last: cost };
  };
  for (const [piece] of expression.matchAll(pieces)) {
    // A repetition after them means what stands before them.
    if (piece.startsWith('(?') || piece === '\\Q\\E') continue;
    if (piece === '(') {
      outer.push(here);
      here = { complete: empty, last: 0 };
    } else if (piece === ')') {
      const group = here.complete + here.last;
      here = outer.pop() ?? { complete: 0, last: 0 };
      add(group);
    } else if (piece === '*' || piece === '+' || piece === '?') here.last += 2;
    else if (piece.startsWith('{') && piece.length > 1) here.last = repeated(here.last, piece);
    else if (piece === '|') add(2);
    else add(piece.startsWith('\\Q') ? piece.length : 1);
  }
  const open = outer.reduce((sum, { complete, last }) => sum + complete + last, 0);
  const unicodeClasses = expression.match(/\\[pP]/g)?.length ?? 0;
  return open + here.complete + here.last + unicodeClasses * unicodeClassCost;
}

/** Every copy that may be left out takes one instruction more, and one without an end two. */
function repeated(cost: number, repetition: string): number {
  const bounds = repetition.slice(1, -1).split(',');
  const times = Math.max(1, ...bounds.map(Number));
  return times * (cost + 1) + 2;
}
