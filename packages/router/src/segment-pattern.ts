import { parsePiece, type SegmentPiece } from './segment-piece.ts';

/** One segment of a path: a literal, or any text that is not empty (`undefined`). */
export type SegmentStep = string | undefined;

/**
 * What is known of a regular expression's matches without running it: their first segments, and whether those already
 * decide. With `end` a path matches when its segments are these and no more; with `open` when it begins with them; with
 * `verify` the segments are only necessary, and the expression has to be asked.
 */
export interface SegmentPattern {
  readonly steps: readonly SegmentStep[];
  readonly kind: 'end' | 'open' | 'verify';
  /**
   * What the segment after these begins with, if it goes no further in words; empty when nothing is known. Only with
   * `verify`: expressions that share their segments are told apart by it, without asking each.
   */
  readonly lead: string;
}

const segmentsMax = 64;

/**
 * Takes apart an expression that is anchored at its start. Expressions of literals and `[^/]+` groups, which most
 * generated route tables consist of, come out fully decided; of others, the leading segments that are certain.
 */
export function segmentPattern(expression: string): SegmentPattern {
  const source = expression.startsWith('^') ? expression.slice(1) : expression;
  if (hasAlternativesAtTop(source)) return { steps: [], kind: 'verify', lead: '' };
  const steps: SegmentStep[] = [];
  let cut: { readonly steps: number; readonly lead: string } | undefined;
  let certain = true;
  let at = 0;
  while (source.charAt(at) === '/' && !isQuantifier(source.charAt(at + 1)) && steps.length < segmentsMax) {
    const piece = parsePiece(source, at + 1);
    const next = source.charAt(piece.end);
    const complete =
      next === '/' ? !isQuantifier(source.charAt(piece.end + 1)) : next === '$' && piece.end === source.length - 1;
    const openEnded = piece.kind === 'parameter' && piece.end === source.length;
    const isTaken = usable(piece) && (complete || openEnded);
    if (isTaken && piece.kind === 'literal') cut = undefined;
    else if (piece.kind !== 'parameter') cut = { steps: steps.length, lead: leadOf(source, at) };
    if (!isTaken) break;
    steps.push(piece.kind === 'literal' ? piece.text : undefined);
    certain &&= piece.kind !== 'other';
    at = piece.end;
    if (certain && next === '$') return { steps, kind: 'end', lead: '' };
    if (certain && openEnded) return { steps, kind: 'open', lead: '' };
    if (next === '$' || openEnded) break;
  }
  if (cut === undefined || cut.lead === '') return { steps, kind: 'verify', lead: '' };
  return { steps: steps.slice(0, cut.steps), kind: 'verify', lead: cut.lead };
}

/** The characters that a segment begins with in every match; `slash` is where the one before it stands. */
function leadOf(source: string, slash: number): string {
  const text = literalPrefix(source.slice(slash + 1));
  const end = text.indexOf('/');
  return end === -1 ? text : text.slice(0, end);
}

/** How many characters every match of the expression begins with literally. Longer ones are tried first. */
export function literalPrefixLength(expression: string): number {
  const source = expression.startsWith('^') ? expression.slice(1) : expression;
  return hasAlternativesAtTop(source) ? 0 : literalPrefix(source).length;
}

/** The characters that every match of an expression without alternatives begins with. */
function literalPrefix(source: string): string {
  let text = '';
  for (let at = 0; at < source.length; at += 1) {
    let character = source.charAt(at);
    if (character === '\\') {
      character = source.charAt((at += 1));
      if (/[A-Za-z0-9]/.test(character)) break;
    } else if (/[.^$|?*+()[\]{}]/.test(character)) break;
    if (isQuantifier(source.charAt(at + 1)) && source.charAt(at + 1) !== '+') break;
    text += character;
    if (source.charAt(at + 1) === '+') break;
  }
  return text;
}

function usable(piece: SegmentPiece): boolean {
  return piece.kind === 'literal' || piece.kind === 'parameter' || (piece.kind === 'other' && piece.neverEmpty);
}

function isQuantifier(character: string): boolean {
  return character === '*' || character === '+' || character === '?' || character === '{';
}

/** Whether an expression is a choice, or quotes text, which is not taken apart. */
export function hasAlternativesAtTop(source: string): boolean {
  let depth = 0;
  let inClass = false;
  for (let at = 0; at < source.length; at += 1) {
    const character = source.charAt(at);
    if (character === '\\') {
      if (source.charAt(at + 1) === 'Q') return true; // Quoted text is not taken apart.
      at += 1;
    } else if (inClass) inClass = character !== ']';
    else if (character === '[') inClass = true;
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    else if (character === '|' && depth === 0) return true;
  }
  return false;
}
