const VOWEL = /[aeiouy]/;
/** Letters that words have twice without a suffix, too. */
const OFTEN_TWICE = 'lsz';

/**
 * A word without its most frequent English endings, so that `translate`, `translating` and `translations` are one. Light: it knows no words,
 * and what it leaves need be none. Words in other scripts stay as they are. Source: ai, Semantic routing by feature hashing.
 * @param word in lower case
 */
export function stemOf(word: string): string {
  if (word.length < 4) return word;
  let stem = withoutPlural(word);
  if (stem.endsWith('ing')) stem = withoutSuffix(stem, 3);
  else if (stem.endsWith('ed')) stem = withoutSuffix(stem, 2);
  if (stem.endsWith('ly') && stem.length > 5) stem = stem.slice(0, -2);
  if ((stem.endsWith('tion') || stem.endsWith('sion')) && stem.length > 5) stem = stem.slice(0, -3);
  else if (stem.endsWith('er') || stem.endsWith('tor')) stem = stem.length > 5 ? withoutSuffix(stem, 2) : stem;
  return stem.endsWith('e') && stem.length > 3 ? stem.slice(0, -1) : stem;
}

function withoutPlural(word: string): string {
  if (!word.endsWith('s')) return word;
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (word.endsWith('sses') || word.endsWith('shes') || word.endsWith('ches') || word.endsWith('xes')) {
    return word.slice(0, -2);
  }
  return word.endsWith('ss') || word.endsWith('us') || word.endsWith('is') ? word : word.slice(0, -1);
}

/** Words keep three letters and a vowel: `sing` and `red` end in nothing. */
function withoutSuffix(word: string, length: number): string {
  const stem = word.slice(0, -length);
  if (stem.length < 3 || !VOWEL.test(stem)) return word;
  const last = stem.at(-1) ?? '';
  const isTwice = last === stem.at(-2) && !VOWEL.test(last) && !OFTEN_TWICE.includes(last);
  return isTwice ? stem.slice(0, -1) : stem;
}
