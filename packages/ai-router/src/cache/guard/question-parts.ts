import { stemOf } from '../../routing/semantic/stem.ts';
import { stopWords } from '../../routing/semantic/stop-words.ts';
import { decisiveWords, ENDING, fillerWords, OPENING } from './decisive-words.ts';

const WORD = /[\p{L}\p{M}]+/gu;

/** A number as it is written, its sign and its separators too. */
const NUMBER = /(?<![\p{L}\p{N}])[-+±]?\p{N}+(?:[.,:/]\p{N}+)*|\p{N}+/gu;

/** Everything but words, numbers, blanks and ordinary punctuation: `+`, `#`, `<`, currencies, emoji. */
const SYMBOL = /[^\p{L}\p{M}\p{N}\s.,!?;:'"’‘“”()…\u2013\u2014-]/gu;

/** Punctuation that is part of what it stands before: `.net`, `!x`, `:q`. */
const PREFIX = /(?<=^|[\s(])[.!:-](?=[\p{L}\p{N}])/gu;

/** What of a question two have to have in common to be the same. */
export interface QuestionParts {
  /** In order, as they are written. */
  readonly numbers: string;
  readonly symbols: string;
  /** How many words say no. */
  readonly negations: number;
  /** Groups of decisive words, sorted. */
  readonly decisive: readonly string[];
  /** Whether there is a word after which order decides. */
  readonly hasDirection: boolean;
  /** Stems of all other words but stop words and fillers, in order. */
  readonly stems: readonly string[];
  /** Whether `of` stands between words, as in `the capital of France`. */
  readonly hasOf: boolean;
}

const direction = /\b(?:from|to|than|into|before|after|over|under|by|versus|vs|or)\b/;

/** Takes a question apart. Costs about a microsecond for each ten characters. */
export function questionParts(given: string): QuestionParts {
  const whole = given.normalize('NFKC').toLowerCase().replaceAll(/[’‘]/g, "'").trim();
  const asked = whole.replace(OPENING, '').replace(ENDING, '');
  const text = expanded(asked);
  const groups = new Set<string>();
  const stems: string[] = [];
  let negations = 0;
  for (const word of text.match(WORD) ?? []) {
    const group = decisiveWords.get(word);
    if (group === 'not') negations += 1;
    else if (group !== undefined) groups.add(group);
    else if (!stopWords.has(word)) {
      const stem = stemOf(word);
      if (!fillerWords.has(stem)) stems.push(stem);
    }
  }
  return {
    numbers: (asked.match(NUMBER) ?? []).join(' '),
    symbols: `${(asked.match(SYMBOL) ?? []).join('')} ${(asked.match(PREFIX) ?? []).join('')}`,
    negations,
    decisive: [...groups].toSorted(),
    hasDirection: direction.test(text),
    stems,
    hasOf: /\bof\b/.test(text),
  };
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
