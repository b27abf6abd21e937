/** Something that is due at a time, and knows its place in the queue that it stands in. */
export interface Due {
  /** Monotonic milliseconds. Only the queue sets it. */
  dueMs: number;
  /** Place in the queue, -1 outside. Only the queue sets it. */
  place: number;
}

/** Who is due next: a binary heap whose items can be moved and taken out, each in logarithmic time. */
export class DueQueue<Item extends Due> {
  readonly #heap: Item[] = [];

  get size(): number {
    return this.#heap.length;
  }

  /** The one that is due first. */
  first(): Item | undefined {
    return this.#heap[0];
  }

  /** Puts an item in, or moves it; one that is due at `Infinity` is taken out. */
  set(item: Item, dueMs: number): void {
    if (dueMs === Infinity) {
      this.remove(item);
      return;
    }
    item.dueMs = dueMs;
    if (item.place < 0) {
      item.place = this.#heap.length;
      this.#heap.push(item);
    }
    this.#rise(item);
    this.#sink(item);
  }

  /** Takes an item out, if it is in. */
  remove(item: Item): void {
    const { place } = item;
    if (place < 0) return;
    item.place = -1;
    const last = this.#heap.pop();
    if (last === undefined || last === item) return;
    this.#put(last, place);
    this.#rise(last);
    this.#sink(last);
  }

  #rise(item: Item): void {
    while (item.place > 0) {
      const parent = this.#heap[(item.place - 1) >> 1];
      if (parent === undefined || parent.dueMs <= item.dueMs) return;
      this.#swap(parent, item);
    }
  }

  #sink(item: Item): void {
    for (;;) {
      const left = this.#heap[item.place * 2 + 1];
      const right = this.#heap[item.place * 2 + 2];
      if (left === undefined) return;
      const child = right !== undefined && right.dueMs < left.dueMs ? right : left;
      if (child.dueMs >= item.dueMs) return;
      this.#swap(item, child);
    }
  }

  #swap(above: Item, below: Item): void {
    const { place } = above;
    this.#put(above, below.place);
    this.#put(below, place);
  }

  #put(item: Item, place: number): void {
    item.place = place;
    this.#heap[place] = item;
  }
}
