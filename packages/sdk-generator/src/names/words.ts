/** A name taken apart: lower-case ASCII letters and digits, none empty, at least one. `petID` is `['pet', 'id']`. */
export type Words = readonly string[];

/** Words of a name that is cut here: names of a description may be as long as texts are. */
const wordsMax = 12;
/** Characters of one word. */
const wordLengthMax = 40;

/** Characters of all words of a name together: files are called like types, and paths of files have a bound. */
const nameLengthMax = 80;

/** The words of a name without those in the middle of it that are too many: how it begins and how it ends says most. */
export function shortened(words: Words): Words {
  let kept = words;
  while (kept.length > 1 && kept.join('').length > nameLengthMax) kept = kept.toSpliced(kept.length >> 1, 1);
  return kept;
}

/**
 * Takes any text apart at case changes and at everything that is no letter or digit. Letters with marks lose them; other scripts become
 * their code points, since most languages' conventions want ASCII names.
 * @returns `['value']` where nothing is left
 */
export function wordsOf(text: string): Words {
  const ascii = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\0-\x7f]/gu, (character) => ` u${character.codePointAt(0)?.toString(16) ?? ''} `);
  const words = ascii
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z\d]+/)
    .filter((word) => word !== '')
    .slice(0, wordsMax)
    .map((word) => word.slice(0, wordLengthMax).toLowerCase());
  return words.length === 0 ? ['value'] : shortened(words);
}
