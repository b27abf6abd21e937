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
  return {
    rangesIn(text) {
      const searched = isCaseSensitive ? text : folded(text);
      const ranges: TextRange[] = [];
      for (const term of wanted) {
        for (let at = searched.indexOf(term); at >= 0; at = searched.indexOf(term, at + term.length)) {
          const end = at + term.length;
          if (isWhole(searched, term, at, end)) ranges.push({ start: at, end });
        }
      }
      return ranges;
    },
  };
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
