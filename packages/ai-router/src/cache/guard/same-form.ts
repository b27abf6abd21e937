import { ASKS, BIDS, COURTESY, DOES_ONCE, starters, TELLING, THANKS, wordingWords } from './harmless-words.ts';

/** Letters, digits within words, blanks, and punctuation that ends or joins parts of a sentence. In all else punctuation may be code, or quoted. */
const PLAIN = /^[\p{L}\p{M}\p{N}', -]+[?.]?$/u;

/** A determiner after it, or a name: there `'s` is `is`. Elsewhere it may be `has`. */
const IS = /\b([Ww]hat|[Ww]ho|[Ww]here|[Tt]hat|[Ii]t)'s (?=(?:the|a|an|this|that|my|your|his|her|our|their) |\p{Lu})/gu;

const ONLY_WORDS = /^[\p{L}\p{M}' ]+$/u;

/**
 * The one form of all texts that differ by what is known to change nothing: courtesy before and after it, the capital of its first word, the mark at its
 * end, contractions of one reading, and a few ways to ask. All else stays as it is written, capitals and punctuation too: what is not understood is
 * another question. English; of other languages, of code and of texts about wording hardly more than the same text has the same form.
 * @param given at most some thousand characters; costs time in proportion to them
 */
export function sameForm(given: string): string {
  const trimmed = given.trim();
  const courteous = trimmed.slice(COURTESY.exec(trimmed)?.[0].length ?? 0);
  const begun = startsKnown(courteous) ? courteous : trimmed;
  const text = begun.normalize('NFC').replaceAll(/[’‘]/g, "'").replaceAll(/\s+/g, ' ');
  const thanked = text.replace(THANKS, '');
  if (!startsKnown(text) || !isPlain(thanked)) return withSmallStart(begun);
  return asked(withSmallStart(ended(withSmallStart(expanded(thanked)))));
}

function startsKnown(text: string): boolean {
  const first = /^[A-Za-z]+/.exec(text)?.[0] ?? '';
  // Of capitals alone it may be a name: `WHO`.
  return starters.has(first) || starters.has(withSmallFirst(first)) || /^I(?: |')/.test(text);
}

function isPlain(text: string): boolean {
  return PLAIN.test(text) && !text.split(/[ ,?.'-]+/).some((word) => wordingWords.has(word.toLowerCase()));
}

function withSmallStart(text: string): string {
  return startsKnown(text) && !/^I\b/.test(text) ? withSmallFirst(text) : text;
}

function withSmallFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}

function expanded(text: string): string {
  return text
    .replaceAll(/\b(do|does|did|can|could|should|would|has|have) i\b(?!')/gi, '$1 I')
    .replaceAll(IS, '$1 is ')
    .replaceAll(/\bcan't\b/g, 'cannot')
    .replaceAll(/\bwon't\b/g, 'will not')
    .replaceAll(/\b(do|does|did|is|are|was|were|could|should|would|has|have)n't\b/g, '$1 not')
    .replaceAll(/\b([Ii])'m\b/g, 'I am')
    .replaceAll(/\b(you|we|they)'re\b/g, '$1 are')
    .replaceAll(/\b(you|we|they|I)'ve\b/g, '$1 have');
}

/** Without the mark at its end, where the order of words says what it says. */
function ended(text: string): string {
  const bare = text.replace(/ ?[?.]$/, '');
  const told = bare.replace(TELLING, '');
  if (told !== bare) return turned(withSmallFirst(told));
  return (ASKS.test(bare) && !text.endsWith('.')) || BIDS.test(bare) ? bare : text;
}

/** `What the capital of Peru is`, as one asks after `tell me`. */
function turned(told: string): string {
  return told.replace(/^(what|who) ((?:the|a|an) [\p{L}]+(?: (?:of|in) [\p{L}]+)?) is$/u, '$1 is $2');
}

function asked(text: string): string {
  if (!ONLY_WORDS.test(text) && !DOES_ONCE.test(text)) return text;
  return text
    .replace(/^tell me (?=the \p{Ll}*[^\P{Ll}s] of )/u, 'what is ')
    .replace(/^(how many \p{L}+(?: \p{L}+)? are) there (?=in )/u, '$1 ')
    .replace(DOES_ONCE, 'how to ');
}
