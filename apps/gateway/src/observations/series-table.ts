/** One combination of label values, and what is counted under it. */
export interface TableEntry<Value> {
  /** In the order of the table's labels; all empty for the entry of what has none of its own. */
  readonly labels: readonly string[];
  readonly isOverflow: boolean;
  readonly value: Value;
}

/** Longest value of a label, in characters: what is longer is cut, and may fall together with others. */
const labelLengthMax = 128;

/** Not every reader of metrics takes it. */
const NUL = '\u0000';

/** What is known by the first labels of a series. */
interface LabelNode<Value> {
  /** By the next label. */
  readonly next: Map<string, LabelNode<Value>>;
  entry: TableEntry<Value> | undefined;
}

/**
 * Values by label values, their number bounded: label values come from clients and providers. What would be one more is counted in one
 * entry of its own. Looked up label by label, because to make one key of them for each request would cost more than all else here.
 */
export class SeriesTable<Value> {
  readonly #root: LabelNode<Value> = { next: new Map(), entry: undefined };
  readonly #entries: TableEntry<Value>[] = [];
  readonly #seriesMax: number;
  readonly #make: () => Value;
  #overflow: TableEntry<Value> | undefined;

  /** @param make a value that has counted nothing */
  constructor(seriesMax: number, make: () => Value) {
    this.#seriesMax = seriesMax;
    this.#make = make;
  }

  /** The value of these labels, or of what has no place. */
  of(...labels: readonly string[]): Value {
    let node: LabelNode<Value> | undefined = this.#root;
    for (const label of labels) node = node?.next.get(labelText(label));
    return (node?.entry ?? this.#entryOf(labels)).value;
  }

  entries(): readonly TableEntry<Value>[] {
    return [...this.#entries, ...(this.#overflow === undefined ? [] : [this.#overflow])];
  }

  #entryOf(labels: readonly string[]): TableEntry<Value> {
    const texts = labels.map((label) => labelText(label));
    if (this.#entries.length >= this.#seriesMax) {
      return (this.#overflow ??= { labels: texts.map(() => ''), isOverflow: true, value: this.#make() });
    }
    const made = { labels: texts, isOverflow: false, value: this.#make() };
    this.#entries.push(made);
    let node = this.#root;
    for (const text of texts) {
      const known = node.next.get(text);
      const next: LabelNode<Value> = known ?? { next: new Map(), entry: undefined };
      if (known === undefined) node.next.set(text, next);
      node = next;
    }
    node.entry = made;
    return made;
  }
}

/** A text as a label's value. Nearly all are one already: asked of each request's labels, that is a tenth of making them anew. */
function labelText(text: string): string {
  if (text.length <= labelLengthMax && text.isWellFormed() && !text.includes(NUL)) return text;
  return text.slice(0, labelLengthMax).replaceAll(NUL, '\ufffd').toWellFormed();
}
