import { stemOf } from './stem.ts';
import { stopWords } from './stop-words.ts';

/** Characters of a prompt that are looked at. Source: ai, Semantic routing by feature hashing. */
export const TEXT_LENGTH_MAX = 4096;

/** Say of a stem, and of each three or four characters of it. */
const STEM_WEIGHT = 1;
const GRAM_WEIGHT = 0.35;

const WORD = /[\p{L}\p{N}]+/gu;
const ASCII_WORD = /[a-z0-9]+/g;
// oxlint-disable-next-line no-control-regex -- all of ASCII
const ASCII = /^[\u0000-\u007F]*$/;

/** FNV-1a's start and factor, 32 bits; stems and grams that are spelled alike are different features. */
const STEM_BASIS = 0x811c9dc5;
const GRAM_BASIS = 0x1c9dc581;
const FNV_FACTOR = 0x01000193;
const SIGN_SEED = 0x5bd1e995;

/** Ends of a word within its grams. */
const WORD_START = 94;
const WORD_END = 36;

/** What a text is about, as numbers. */
export interface HashVector {
  /** Of length 1, or all zero for a text without words. */
  readonly values: Float32Array;
  /** Hashes of its stems. */
  readonly stems: ReadonlySet<number>;
}

/**
 * The vector of a text by feature hashing: of its words (no stop words, unless there are no others) each stem, and the groups of three and four characters
 * of each stem, are features; a hash says at which place, and with which sign, a feature counts, by the root of how often it occurs. Texts with words in common, or
 * words spelled alike, are near each other. Deterministic. Source: ai, Semantic routing by feature hashing.
 * @param dimensions length of the vector
 * @param lengthMax only so many characters of the text count
 */
export function hashVector(text: string, dimensions: number, lengthMax: number = TEXT_LENGTH_MAX): HashVector {
  const values = new Float32Array(dimensions);
  const stems = new Set<number>();
  const counts = new Map<number, number>();
  for (const word of wordsOf(text.slice(0, lengthMax))) {
    const stem = stemOf(word);
    const hash = hashOf(stem);
    stems.add(hash);
    count(values, counts, hash, STEM_WEIGHT);
    countGrams(values, counts, stem);
  }
  normalise(values);
  return { values, stems };
}

/** How near two vectors of one length are: their cosine. */
export function similarity(one: HashVector, other: HashVector): number {
  const { values: ours } = one;
  const { values: theirs } = other;
  let sum = 0;
  for (let index = 0; index < ours.length; index += 1) sum += (ours[index] as number) * (theirs[index] as number);
  return sum;
}

/** Whether two texts have a stem in common. */
export function sharesStem(one: HashVector, other: HashVector): boolean {
  const [few, many] = one.stems.size < other.stems.size ? [one.stems, other.stems] : [other.stems, one.stems];
  for (const stem of few) if (many.has(stem)) return true;
  return false;
}

function wordsOf(text: string): readonly string[] {
  const isAscii = ASCII.test(text);
  const words = isAscii ? text.toLowerCase().match(ASCII_WORD) : text.normalize('NFKC').toLowerCase().match(WORD);
  if (words === null) return [];
  const telling = words.filter((word) => !stopWords.has(word));
  return telling.length > 0 ? telling : words;
}

function hashOf(stem: string): number {
  let hash = STEM_BASIS;
  for (let at = 0; at < stem.length; at += 1) hash = fed(hash, stem.charCodeAt(at));
  return hash;
}

function countGrams(values: Float32Array, counts: Map<number, number>, stem: string): void {
  const last = stem.length + 1;
  for (let start = 0; start <= last - 2; start += 1) {
    const three = fed(fed(fed(GRAM_BASIS, unitAt(stem, start)), unitAt(stem, start + 1)), unitAt(stem, start + 2));
    count(values, counts, three, GRAM_WEIGHT);
    if (start + 3 <= last) count(values, counts, fed(three, unitAt(stem, start + 3)), GRAM_WEIGHT);
  }
}

/** A unit of `^stem$`. */
function unitAt(stem: string, place: number): number {
  if (place === 0) return WORD_START;
  return place > stem.length ? WORD_END : stem.charCodeAt(place - 1);
}

function fed(hash: number, unit: number): number {
  const low = Math.imul(hash ^ (unit & 0xff), FNV_FACTOR);
  return unit < 0x100 ? low : Math.imul(low ^ (unit >>> 8), FNV_FACTOR);
}

/** Adds what the root of the count grows by. */
function count(values: Float32Array, counts: Map<number, number>, hash: number, weight: number): void {
  const before = counts.get(hash) ?? 0;
  counts.set(hash, before + 1);
  const growth = Math.sqrt((before + 1) * weight) - Math.sqrt(before * weight);
  const place = (mixed(hash) >>> 0) % values.length;
  const sign = (mixed(hash ^ SIGN_SEED) & 1) === 0 ? 1 : -1;
  values[place] = (values[place] as number) + sign * growth;
}

/** Murmur3's finaliser: each bit of the hash says something about each bit of the result. */
function mixed(hash: number): number {
  let bits = hash ^ (hash >>> 16);
  bits = Math.imul(bits, 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}

function normalise(values: Float32Array): void {
  let sum = 0;
  for (const value of values) sum += value * value;
  if (sum === 0) return;
  const factor = 1 / Math.sqrt(sum);
  for (let index = 0; index < values.length; index += 1) values[index] = (values[index] as number) * factor;
}
