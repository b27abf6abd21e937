/**
 * Numbers of which the first in an order is to be found: a binary heap that knows where each number is, so that one whose rank has changed is put
 * right in O(log n). Those that cannot be had are parked beside it.
 */
export class LoadHeap {
  readonly #heap: Int32Array;
  #size: number;
  readonly #parked: number[] = [];
  /** Where each number is in the heap; -1 for parked ones. */
  readonly #places: Int32Array;
  readonly #isBefore: (one: number, other: number) => boolean;

  /** @param size numbers from 0 to before it are in the heap */
  constructor(size: number, isBefore: (one: number, other: number) => boolean) {
    this.#isBefore = isBefore;
    this.#size = size;
    this.#heap = Int32Array.from({ length: size }, (_, one) => one).sort((a, b) => (isBefore(a, b) ? -1 : 1));
    this.#places = new Int32Array(size);
    for (const [place, one] of this.#heap.entries()) this.#places[one] = place;
  }

  /** -1 when there is none. */
  get first(): number {
    return this.#size === 0 ? -1 : this.#at(0);
  }

  /** Those that were taken out, to be looked through. */
  get parked(): readonly number[] {
    return this.#parked;
  }

  /** Takes the first out. */
  parkFirst(): void {
    if (this.#size === 0) return;
    const first = this.#at(0);
    this.#size -= 1;
    this.#places[first] = -1;
    this.#parked.push(first);
    if (this.#size > 0) this.#sink(this.#at(this.#size), 0);
  }

  /** Puts a parked one in again. @param index of {@link parked}; the last one takes its place there */
  readmit(index: number): void {
    const one = this.#parked[index];
    const last = this.#parked.pop();
    if (one === undefined || last === undefined) return;
    if (last !== one) this.#parked[index] = last;
    this.#size += 1;
    this.#rise(one, this.#size - 1);
  }

  /** Its rank is another. Parked ones are put right when they come in again. */
  moved(one: number): void {
    const place = this.#places[one] ?? -1;
    if (place !== -1) this.#sink(one, this.#rise(one, place));
  }

  #at(place: number): number {
    return this.#heap[place] ?? -1;
  }

  #put(one: number, place: number): void {
    this.#heap[place] = one;
    this.#places[one] = place;
  }

  #sink(one: number, from: number): void {
    let place = from;
    for (;;) {
      let below = 2 * place + 1;
      if (below >= this.#size) break;
      if (below + 1 < this.#size && this.#isBefore(this.#at(below + 1), this.#at(below))) below += 1;
      if (!this.#isBefore(this.#at(below), one)) break;
      this.#put(this.#at(below), place);
      place = below;
    }
    this.#put(one, place);
  }

  /** @returns the place where it is now */
  #rise(one: number, from: number): number {
    let place = from;
    while (place > 0) {
      const above = (place - 1) >> 1;
      if (!this.#isBefore(one, this.#at(above))) break;
      this.#put(this.#at(above), place);
      place = above;
    }
    this.#put(one, place);
    return place;
  }
}
