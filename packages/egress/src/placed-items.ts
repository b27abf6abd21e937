/** What knows its place among others. */
export interface Placed {
  /** Where it is kept; -1 while it is not. Written by {@link PlacedItems} alone. */
  place: number;
}

/**
 * Things that come and go with each request, to be looked through now and then. No `Set`: one that grows and shrinks is made anew all the
 * time, and each table of it that was given up refers to the next. So what is old and dead keeps what is young and dead: the objects of each
 * request lived on until the heap was collected as a whole.
 */
export class PlacedItems<Item extends Placed> {
  readonly #items: (Item | undefined)[] = [];
  readonly #free: number[] = [];

  get size(): number {
    return this.#items.length - this.#free.length;
  }

  /** Keeps one, once. */
  add(item: Item): void {
    if (item.place !== -1) return;
    item.place = this.#free.pop() ?? this.#items.length;
    this.#items[item.place] = item;
  }

  /** Lets one go, if it is kept. */
  delete(item: Item): void {
    if (item.place === -1) return;
    this.#items[item.place] = undefined;
    this.#free.push(item.place);
    item.place = -1;
  }

  /** Shows each; they may go meanwhile. */
  forEach(visit: (item: Item) => void): void {
    // One that comes meanwhile may be shown or not.
    for (const item of this.#items) if (item !== undefined) visit(item);
  }
}
