/**
 * The part of an expression that stands for one path segment, from `end` backwards to where it was asked for.
 * `literal` has its text; `parameter` is `[^/]+` with or without a group; `other` matches something without a slash;
 * `unknown` may match a slash or is not understood.
 */
export interface SegmentPiece {
  readonly kind: 'literal' | 'parameter' | 'other' | 'unknown';
  /** Where the piece ends in the expression. */
  readonly end: number;
  /** Unescaped text of a literal. */
  readonly text: string;
  readonly neverEmpty: boolean;
}

const parameter = /^(?:\[\^\/\]\+|\((?:\?:|\?P?<[A-Za-z_][A-Za-z0-9_]*>)?\[\^\/\]\+\))$/;

/** Reads the piece that begins at `start` and ends before a slash, a final `$` or the end. */
export function parsePiece(source: string, start: number): SegmentPiece {
  let at = start;
  let text = '';
  let literal = true;
  let neverEmpty = false;
  while (at < source.length && source.charAt(at) !== '/' && !(source.charAt(at) === '$' && at === source.length - 1)) {
    const end = atomEnd(source, at);
    if (end === undefined) return { kind: 'unknown', end: at, text: '', neverEmpty: false };
    const quantified = quantifierEnd(source, end);
    if (quantified === undefined) return { kind: 'unknown', end: at, text: '', neverEmpty: false };
    if (quantified === end && isLiteralAtom(source.slice(at, end))) text += source.slice(at, end).replace('\\', '');
    else literal = false;
    if (quantified === end || source.charAt(end) === '+') neverEmpty ||= !source.startsWith('(', at);
    at = quantified;
  }
  const piece = source.slice(start, at);
  if (literal) return { kind: 'literal', end: at, text, neverEmpty };
  if (parameter.test(piece)) return { kind: 'parameter', end: at, text: '', neverEmpty: true };
  return { kind: 'other', end: at, text: '', neverEmpty };
}

/** Where the atom that begins at `at` ends; `undefined` when it could match a slash or is not understood. */
function atomEnd(source: string, at: number): number | undefined {
  const character = source.charAt(at);
  if (character === '\\') {
    const escaped = source.charAt(at + 1);
    return /[dws]/.test(escaped) || /[^A-Za-z0-9/]/.test(escaped) ? at + 2 : undefined;
  }
  if (character === '[') return classEnd(source, at);
  if (character === '(') return groupEnd(source, at);
  return /[.^$|?*+)\]{}]/.test(character) ? undefined : at + 1;
}

function isLiteralAtom(atom: string): boolean {
  return atom.length === 1 || (atom.length === 2 && atom.startsWith('\\') && !/[dws]/.test(atom));
}

/** Where a quantifier after an atom ends, which is `end` when there is none. Counted repeats are not taken apart. */
function quantifierEnd(source: string, end: number): number | undefined {
  const character = source.charAt(end);
  if (character === '{') return undefined;
  if (character !== '*' && character !== '+' && character !== '?') return end;
  return source.charAt(end + 1) === '?' ? end + 2 : end + 1;
}

/** A character class that cannot match a slash: a negated one that lists it, or one of plain characters without it. */
function classEnd(source: string, at: number): number | undefined {
  const match = /^\[(\^?)((?:\\[^A-Za-z0-9]|\\[dws]|[^\]\\[])+)\]/.exec(source.slice(at));
  if (match === null) return undefined;
  const [whole, negated, members = ''] = match;
  if (negated === '^') return members.includes('/') ? at + whole.length : undefined;
  const ranges = [...members.matchAll(/([^\\])-([^\\])/g)];
  const rangeHasSlash = ranges.some(([, from = '', to = '']) => from <= '/' && to >= '/');
  return members.includes('/') || rangeHasSlash || /\\.-|-\\/.test(members) ? undefined : at + whole.length;
}

/** A group of atoms that cannot match a slash. */
function groupEnd(source: string, at: number): number | undefined {
  const opening = /^\((?:\?:|\?P?<[A-Za-z_][A-Za-z0-9_]*>|(?!\?))/.exec(source.slice(at));
  if (opening === null) return undefined;
  let inside = at + opening[0].length;
  while (inside < source.length && source.charAt(inside) !== ')') {
    if (source.charAt(inside) === '|') {
      inside += 1;
      continue;
    }
    const end = source.charAt(inside) === '/' ? undefined : atomEnd(source, inside);
    const quantified = end === undefined ? undefined : quantifierEnd(source, end);
    if (quantified === undefined) return undefined;
    inside = quantified;
  }
  return source.charAt(inside) === ')' ? inside + 1 : undefined;
}
