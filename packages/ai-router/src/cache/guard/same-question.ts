import { askingGroups, looseGroups } from './decisive-words.ts';
import { questionParts, type QuestionParts } from './question-parts.ts';

/*
 * The guard against answers to other questions. Two texts may be near each other and ask for different things: other numbers, the opposite, the other
 * way round. Source: ai, Caches; complaint 12.
 */

/** Tells whether what was kept for one text may answer another. Made once for each text that is asked. */
export class QuestionGuard {
  readonly #text: string;
  readonly #knowsMeaning: boolean;
  #parts: QuestionParts | undefined;

  /**
   * @param knowsMeaning whether the vectors that found the other text are of what texts mean. Those of hashes are not: then all words that say something
   * have to be the same, too
   */
  constructor(text: string, knowsMeaning: boolean) {
    this.#text = text;
    this.#knowsMeaning = knowsMeaning;
  }

  /** @param kept the text that was asked before */
  isSame(kept: string): boolean {
    if (kept === this.#text) return true;
    const ours = (this.#parts ??= questionParts(this.#text));
    const theirs = questionParts(kept);
    if (ours.numbers !== theirs.numbers || ours.symbols !== theirs.symbols) return false;
    if (ours.negations !== theirs.negations) return false;
    return this.#knowsMeaning ? turnsNothing(ours, theirs) : saysTheSame(ours, theirs);
  }
}

/** No word that turns a question into another is in one alone, and where direction or numbers decide, words that both have stand in the same order. */
function turnsNothing(ours: QuestionParts, theirs: QuestionParts): boolean {
  if (turning(ours) !== turning(theirs)) return false;
  const [asked, known] = [asking(ours), asking(theirs)];
  if (asked !== '' && known !== '' && asked !== known) return false;
  const decides = ours.hasDirection || theirs.hasDirection || ours.numbers !== '';
  return !decides || common(ours.stems, theirs.stems) === common(theirs.stems, ours.stems);
}

function turning({ decisive }: QuestionParts): string {
  return decisive.filter((group) => !askingGroups.has(group) && !looseGroups.has(group)).join(' ');
}

function asking({ decisive }: QuestionParts): string {
  return decisive.filter((group) => askingGroups.has(group)).join(' ');
}

function common(stems: readonly string[], others: readonly string[]): string {
  return stems.filter((stem) => others.includes(stem)).join(' ');
}

/** The same words, in the same order; `the X of Y` and `Y's X` are the same, too. */
function saysTheSame(ours: QuestionParts, theirs: QuestionParts): boolean {
  // A text without words that say something is only like itself.
  if (ours.decisive.join() !== theirs.decisive.join() || ours.stems.length === 0) return false;
  if (ours.stems.length !== theirs.stems.length) return false;
  if (ours.stems.every((stem, at) => stem === theirs.stems[at])) return true;
  const isTurned = ours.stems.length === 2 && ours.stems[0] === theirs.stems[1] && ours.stems[1] === theirs.stems[0];
  return isTurned && ours.hasOf !== theirs.hasOf;
}
