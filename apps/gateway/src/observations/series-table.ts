/** One combination of label values, and what is counted under it. */
export interface TableEntry<Value> {
  /** In the order of the table's labels; all empty for the entry of what has none of its own. */
  readonly labels: readonly string[];
  readonly isOverflow: boolean;
  readonly value: Value;
}

/** Longest value of a label, in characters: what is longer is cut, and may fall together with others. */
const labelLengthMax = 128;

/** Separates label values in keys; no value has it. */
const separator = '\u0000';

/**
 * Values by label values, their number bounded: label values come from clients and providers. What would be one more is counted in one
 * entry of its own.
 */
export class SeriesTable<Value> {
  readonly #entries = new Map<string, TableEntry<Value>>();
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
    let key = '';
    for (const label of labels) key += labelText(label) + separator;
    const known = this.#entries.get(key);
    if (known !== undefined) return known.value;
    const texts = labels.map((label) => labelText(label));
    if (this.#entries.size >= this.#seriesMax) {
      this.#overflow ??= { labels: texts.map(() => ''), isOverflow: true, value: this.#make() };
      return this.#overflow.value;
    }
    const made = { labels: texts, isOverflow: false, value: this.#make() };
    this.#entries.set(key, made);
    return made.value;
  }

  entries(): readonly TableEntry<Value>[] {
    return [...this.#entries.values(), ...(this.#overflow === undefined ? [] : [this.#overflow])];
  }
}

/** A text as a label's value. Nearly all are one already: asked of each request's labels, that is a tenth of making them anew. */
function labelText(text: string): string {
  if (text.length <= labelLengthMax && text.isWellFormed() && !text.includes(separator)) return text;
  return text.slice(0, labelLengthMax).replaceAll(separator, '\ufffd').toWellFormed();
}
