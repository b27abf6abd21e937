import type { TextFinder, TextRange } from './text-range.ts';

/** Terms of one guard, and characters of one term. */
export const TERMS_MAX = 1000;
export const TERM_LENGTH_MAX = 200;

/**
 * Finds terms as whole words: where a term begins or ends with a letter or digit, none may stand beside it. Without regard to case, letters
 * count as their lower-case forms.
 */
export function termFinder(terms: readonly string[], isCaseSensitive: boolean): TextFinder {
  const wanted = [...new Set(terms.map((term) => (isCaseSensitive ? term : folded(term))))].filter(
    (term) => term !== '',
  );
  const searchedIn = (text: string): string => (isCaseSensitive ? text : folded(text));
  return {
    isIn(text) {
      const searched = searchedIn(text);
      return wanted.some((term) => !placesOf(term, searched).next().done);
    },
    rangesIn(text) {
      const searched = searchedIn(text);
      return wanted.flatMap((term) => [...placesOf(term, searched)]);
    },
  };
}

function* placesOf(term: string, text: string): Generator<TextRange, void> {
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + term.length)) {
    const end = at + term.length;
    if (isWhole(text, term, at, end)) yield { start: at, end };
  }
}

/** The lower-case text with every character in its place: the few that grow when they are folded stay as they are. */
function folded(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return Array.from(text, (character) => {
    const one = character.toLowerCase();
    return one.length === character.length ? one : character;
  }).join('');
}

function isWhole(text: string, term: string, start: number, end: number): boolean {
  const cutsBefore = isWordUnit(term, 0) && start > 0 && isWordUnit(text, start - 1);
  return !cutsBefore && !(isWordUnit(term, term.length - 1) && end < text.length && isWordUnit(text, end));
}

/** Scripts that put no blanks between words have no such edges. */
const WORD_UNIT =
  /(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])[\p{L}\p{N}\p{M}_]/u;

/** Letters beyond the first plane are pairs of units, which are no letters each: terms end beside them. */
function isWordUnit(text: string, at: number): boolean {
  return WORD_UNIT.test(text.charAt(at));
}
