/** An entry that waits. */
interface Waiting<Entry> {
  readonly entry: Entry;
  readonly bytes: number;
}

/** Entries in order of arrival, with their bytes. Taking from the front costs the same however many wait. */
export class EntryQueue<Entry> {
  #waiting: (Waiting<Entry> | undefined)[] = [];
  #first = 0;
  #bytes = 0;

  get length(): number {
    return this.#waiting.length - this.#first;
  }

  get bytes(): number {
    return this.#bytes;
  }

  push(entry: Entry, bytes: number): void {
    this.#waiting.push({ entry, bytes });
    this.#bytes += bytes;
  }

  /** Takes the oldest. @returns its bytes; `undefined` when there is none */
  drop(): number | undefined {
    return this.#shift()?.bytes;
  }

  /** Takes the oldest ones, at least one where there is one. */
  take(recordsMax: number, bytesMax: number): { readonly entries: Entry[]; readonly bytes: number } {
    const entries: Entry[] = [];
    let bytes = 0;
    while (entries.length < recordsMax) {
      const next = this.#waiting[this.#first];
      if (next === undefined || (entries.length > 0 && bytes + next.bytes > bytesMax)) break;
      this.#shift();
      entries.push(next.entry);
      bytes += next.bytes;
    }
    return { entries, bytes };
  }

  #shift(): Waiting<Entry> | undefined {
    const next = this.#waiting[this.#first];
    if (next === undefined) return undefined;
    this.#waiting[this.#first] = undefined;
    this.#first += 1;
    this.#bytes -= next.bytes;
    // Moved at most once for each two that were taken.
    if (this.#first * 2 >= this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#first);
      this.#first = 0;
    }
    return next;
  }
}
