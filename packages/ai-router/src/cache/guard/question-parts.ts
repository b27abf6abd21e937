import { stemOf } from '../../routing/semantic/stem.ts';
import { stopWords } from '../../routing/semantic/stop-words.ts';
import { decisiveWords, ENDING, ENDING_LENGTH_MAX, fillerWords, freeWords, OPENING } from './decisive-words.ts';

const WORD = /[\p{L}\p{M}]+/gu;

/** A number as it is written, its sign and its separators too. */
const NUMBER = /(?<![\p{L}\p{N}])[-+±]?\p{N}+(?:[.,:/]\p{N}+)*|\p{N}+/gu;

/** Punctuation within a word or a number, and signs of code: `f(x)`, `a.b`, `10-3`, `i--`, `...args`, `!=`. Hyphens and apostrophes of words are none. */
const INNER = /(?<=[\p{L}\p{N}])[.:;,()]+(?=[\p{L}\p{N})])|(?<=\p{N})-(?=\p{N})|--+|\.\.+|::+|!=|=+/gu;

/** Everything but words, numbers, blanks and ordinary punctuation: `+`, `#`, `<`, currencies, emoji. */
const SYMBOL = /[^\p{L}\p{M}\p{N}\s.,!?;:'"’‘“”()…\u2013\u2014-]/gu;

/** Punctuation that is part of what it stands before: `.net`, `!x`, `:q`. */
const PREFIX = /(?<=^|[\s(])[.!:-](?=[\p{L}\p{N}])/gu;

/** A word that two questions have to have in common. */
export interface QuestionWord {
  readonly text: string;
  readonly isDecisive: boolean;
}

/** Characters of a text in its normal form. */
const NORMAL_LENGTH_MAX = 8192;

/** What of a question is compared where vectors know what texts mean: what they confuse. */
export interface QuestionParts {
  /** In order, as they are written. */
  readonly numbers: string;
  readonly symbols: string;
  /** Words by their small letters, and how they are written where that says something: all but the first, of texts that have capitals. */
  readonly capitals: ReadonlyMap<string, string>;
  /** Groups of decisive words, and stems of all others but stop words and fillers, in order. */
  readonly words: readonly QuestionWord[];
}

/** Takes a question apart. Costs about a microsecond for each ten characters. */
export function questionParts(given: string): QuestionParts {
  const asked = askedText(given);
  const text = plainForm(expanded(asked));
  const words: QuestionWord[] = [];
  for (const word of text.match(WORD) ?? []) {
    const group = decisiveWords.get(word);
    if (freeWords.has(word)) continue;
    if (group !== undefined || stopWords.has(word)) words.push({ text: group ?? word, isDecisive: true });
    else {
      const stem = stemOf(word);
      if (!fillerWords.has(stem)) words.push({ text: stem, isDecisive: false });
    }
  }
  return {
    numbers: (asked.match(NUMBER) ?? []).join(' '),
    symbols: `${(asked.match(SYMBOL) ?? []).join('')} ${(asked.match(PREFIX) ?? []).join('')} ${(asked.match(INNER) ?? []).join(' ')}`,
    capitals: capitalsOf(given),
    words,
  };
}

function capitalsOf(given: string): ReadonlyMap<string, string> {
  const written = new Map<string, Set<string>>();
  if (given === given.toLowerCase() || given === given.toUpperCase()) return new Map();
  for (const word of (given.match(WORD) ?? []).slice(1)) {
    const small = word.toLowerCase();
    written.set(small, (written.get(small) ?? new Set()).add(word));
  }
  return new Map([...written].map(([small, forms]) => [small, [...forms].toSorted().join(' ')]));
}

function askedText(given: string): string {
  const normal = given.normalize('NFKC');
  // One sign may become eighteen: such a text is taken as it is, and is like few others.
  const whole = (normal.length > NORMAL_LENGTH_MAX ? given : normal).toLowerCase().replaceAll(/[’‘]/g, "'").trim();
  const asked = whole.replace(OPENING, '');
  const end = Math.max(0, asked.length - ENDING_LENGTH_MAX);
  return asked.slice(0, end) + asked.slice(end).replace(ENDING, '');
}

/** One form for ways to ask that mean the same: `how do I` and `how to`, `what is the` and nothing, `are there` and `are`. */
function plainForm(text: string): string {
  return text
    .replace(/^what(?: is| are)? (.{1,200}) (?:is|are)\W*$/, '$1')
    .replace(/^what\s+(?:is|are)?\s*(?=(?:a|an|the|your|my)\s)/, '')
    .replace(/^what\s+(?:is|are)\s+(\S+)$/, '$1')
    .replaceAll(/\b(how|where)\s+(?:do|can|could|would|to)(?:\s+i)?\b/g, '$1')
    .replaceAll(/\b(is|are)\s+there\b/g, '$1');
}

/** Contractions in full, and `'s` gone: of who has something, or of `is`. */
function expanded(text: string): string {
  if (!text.includes("'")) return text;
  return text
    .replaceAll(/\b(can|won|shan)'t\b/g, '$1 not')
    .replaceAll(/n't\b/g, ' not')
    .replaceAll(/'(?:s|re|m|ve)\b/g, ' ')
    .replaceAll(/'d\b/g, ' would')
    .replaceAll(/'ll\b/g, ' will');
}
