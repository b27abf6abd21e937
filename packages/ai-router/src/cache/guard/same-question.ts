import { askingGroups, turningGroups } from './decisive-words.ts';
import { questionParts, type QuestionParts, type QuestionWord } from './question-parts.ts';

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
    if (ours.text !== '' && ours.text === theirs.text) return true;
    return this.#knowsMeaning ? turnsNothing(ours, theirs) : saysTheSame(ours, theirs);
  }
}

/** No word that turns a question into another is in one alone, and where direction or numbers decide, words that both have stand in the same order. */
function turnsNothing(ours: QuestionParts, theirs: QuestionParts): boolean {
  if (turning(ours) !== turning(theirs)) return false;
  const [asked, known] = [asking(ours), asking(theirs)];
  if (asked !== '' && known !== '' && asked !== known) return false;
  const decides = ours.hasDirection || theirs.hasDirection || ours.numbers !== '';
  if (!decides) return true;
  const [one, other] = [stemsOf(ours), stemsOf(theirs)];
  return common(one, other) === common(other, one);
}

/** Negations count each, all others once. */
function turning(parts: QuestionParts): string {
  const groups = groupsOf(parts).filter((group) => turningGroups.has(group));
  const others = new Set(groups.filter((group) => group !== 'not'));
  return [...others, ...groups.filter((group) => group === 'not')].toSorted().join(' ');
}

function asking(parts: QuestionParts): string {
  return [...new Set(groupsOf(parts).filter((group) => askingGroups.has(group)))].toSorted().join(' ');
}

function groupsOf({ words }: QuestionParts): readonly string[] {
  return words.filter(({ isDecisive }) => isDecisive).map(({ text }) => text);
}

function stemsOf({ words }: QuestionParts): readonly string[] {
  return words.filter(({ isDecisive }) => !isDecisive).map(({ text }) => text);
}

function common(stems: readonly string[], others: readonly string[]): string {
  return stems.filter((stem) => others.includes(stem)).join(' ');
}

/** The same words, in the same order; `the X of Y` and `Y's X` are the same, too. */
function saysTheSame(ours: QuestionParts, theirs: QuestionParts): boolean {
  const { words } = ours;
  const { words: others } = theirs;
  // What is said in small words alone has to be said in the same ones.
  if (words.length !== others.length || words.every(({ isDecisive }) => isDecisive)) return false;
  if (words.every((word, at) => isSameWord(word, others[at]))) return true;
  const isTurned = words.length === 2 && isSameWord(words[0], others[1]) && isSameWord(words[1], others[0]);
  return isTurned && ours.hasOf !== theirs.hasOf;
}

function isSameWord(one: QuestionWord | undefined, other: QuestionWord | undefined): boolean {
  return one?.text === other?.text && one?.isDecisive === other?.isDecisive;
}
