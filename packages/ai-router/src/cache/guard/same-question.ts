import { askingGroups, turningGroups } from './decisive-words.ts';
import { questionParts, type QuestionParts } from './question-parts.ts';
import { sameForm } from './same-form.ts';

/*
 * The guard against answers to other questions. Two texts may be near each other and ask for different things: other numbers, the opposite, the other
 * way round. Source: ai, Caches; complaint 12.
 */

/** Tells whether what was kept for one text may answer another. Made once for each text that is asked. */
export class QuestionGuard {
  readonly #text: string;
  readonly #knowsMeaning: boolean;
  #form: string | undefined;
  #parts: QuestionParts | undefined;

  /**
   * @param knowsMeaning whether the vectors that found the other text are of what texts mean. Those of hashes are not: then both texts have
   * to have one form, see `sameForm`
   */
  constructor(text: string, knowsMeaning: boolean) {
    this.#text = text;
    this.#knowsMeaning = knowsMeaning;
  }

  /** @param kept the text that was asked before */
  isSame(kept: string): boolean {
    if (kept === this.#text) return true;
    if ((this.#form ??= sameForm(this.#text)) === sameForm(kept)) return true;
    if (!this.#knowsMeaning) return false;
    const ours = (this.#parts ??= questionParts(this.#text));
    const theirs = questionParts(kept);
    if (ours.numbers !== theirs.numbers || ours.symbols !== theirs.symbols) return false;
    return isWrittenAlike(ours, theirs) && turnsNothing(ours, theirs);
  }
}

/** No word that turns a question into another is in one alone, and words that both have stand in the same order. */
function turnsNothing(ours: QuestionParts, theirs: QuestionParts): boolean {
  if (turning(ours) !== turning(theirs)) return false;
  const [asked, known] = [asking(ours), asking(theirs)];
  if (asked !== '' && known !== '' && asked !== known) return false;
  const [one, other] = [stemsOf(ours), stemsOf(theirs)];
  if (isExchanged(one, other)) return false;
  return common(one, other) === common(other, one);
}

/** No word that both have is written in other capitals: `-o` and `-O`, `aids` and `AIDS`. */
function isWrittenAlike(ours: QuestionParts, theirs: QuestionParts): boolean {
  for (const [word, forms] of ours.capitals) {
    const others = theirs.capitals.get(word);
    if (others !== undefined && others !== forms) return false;
  }
  return true;
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

/**
 * Whether the texts are mostly the same words, and each has one that the other has not: `Slovakia` for `Slovenia`, or another question in the same long
 * frame. Vectors hardly see it. Of a word for its synonym that is a miss, too.
 */
function isExchanged(stems: readonly string[], others: readonly string[]): boolean {
  const [ours, theirs] = [new Set(stems), new Set(others)];
  const shared = [...ours].filter((stem) => theirs.has(stem)).length;
  const [only, onlyOther] = [ours.size - shared, theirs.size - shared];
  return only > 0 && onlyOther > 0 && shared >= Math.min(only, onlyOther);
}

function common(stems: readonly string[], others: readonly string[]): string {
  return stems.filter((stem) => others.includes(stem)).join(' ');
}
