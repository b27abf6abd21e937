/** Entries of a page on average. A change copies the pages that it touches: this many entries are copied in some 20 microseconds. */
export const pageEntries = 256;

/** How much of a key's end decides its page. IDs, digests and most names differ there. */
const hashedCharacters = 16;

type Page<Value> = ReadonlyMap<string, Value>;

/**
 * A map that never changes and shares what a change does not touch with the maps made from it. Its entries are spread over pages, so
 * that a change of one entry among a million copies one page and a list of pages, and nothing ever copies the whole. Reading takes
 * one look-up. Pages grow in number one by one (linear hashing), so no single change pays for the growth.
 */
export class SharedMap<Value> {
  readonly #pages: readonly Page<Value>[];
  readonly size: number;

  constructor(pages: readonly Page<Value>[] = [new Map()], size = 0) {
    this.#pages = pages;
    this.size = size;
  }

  get(key: string): Value | undefined {
    return this.#pages[pageOf(key, this.#pages.length)]?.get(key);
  }

  /** Begins a map that differs from this one. */
  edit(): SharedMapEdit<Value> {
    return new SharedMapEdit(this.#pages, this.size);
  }
}

/** A map in the making. Nobody but its maker sees it until {@link finish}. */
export class SharedMapEdit<Value> {
  readonly #pages: Page<Value>[];
  /** The pages that are this edit's own and may be written. */
  readonly #own = new Set<Page<Value>>();
  #size: number;

  constructor(pages: readonly Page<Value>[], size: number) {
    this.#pages = [...pages];
    this.#size = size;
  }

  get(key: string): Value | undefined {
    return this.#pages[pageOf(key, this.#pages.length)]?.get(key);
  }

  set(key: string, value: Value): void {
    const page = this.#writable(pageOf(key, this.#pages.length));
    const before = page.size;
    page.set(key, value);
    this.#size += page.size - before;
    if (this.#size > this.#pages.length * pageEntries) this.#split();
  }

  delete(key: string): void {
    if (this.get(key) === undefined) return;
    this.#writable(pageOf(key, this.#pages.length)).delete(key);
    this.#size -= 1;
  }

  /** The map as it is now. The edit must not be used any more. */
  finish(): SharedMap<Value> {
    return new SharedMap(this.#pages, this.#size);
  }

  #writable(index: number): Map<string, Value> {
    const page = this.#pages[index] ?? new Map<string, Value>();
    // What is in `#own` was made here as a map.
    if (this.#own.has(page)) return page as Map<string, Value>;
    const copy = new Map(page);
    this.#put(index, copy);
    return copy;
  }

  #put(index: number, page: Page<Value>): void {
    this.#pages[index] = page;
    this.#own.add(page);
  }

  /** Adds a page, which takes its entries from one other. */
  #split(): void {
    const count = this.#pages.length + 1;
    const from = this.#pages.length - highestPower(this.#pages.length);
    const halves: [Map<string, Value>, Map<string, Value>] = [new Map(), new Map()];
    const source = this.#pages[from] ?? new Map<string, Value>();
    for (const [key, value] of source) halves[pageOf(key, count) === from ? 0 : 1].set(key, value);
    this.#own.delete(source);
    this.#put(from, halves[0]);
    this.#put(count - 1, halves[1]);
  }
}

/** Which of `count` pages a key belongs to: with one page more it is the same one, or the new one. */
function pageOf(key: string, count: number): number {
  const power = highestPower(count);
  const index = hashOf(key) & (2 * power - 1);
  return index < count ? index : index - power;
}

/** The highest power of two that is not above a number from 1 on. */
function highestPower(count: number): number {
  return 1 << (31 - Math.clz32(count));
}

/** FNV-1a of the key's end, its high bits mixed in. Who chooses keys that fall together gets a large page, and nothing worse. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let at = Math.max(0, key.length - hashedCharacters); at < key.length; at += 1) {
    hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  }
  return (hash ^ (hash >>> 15)) & 0x3fff_ffff;
}
