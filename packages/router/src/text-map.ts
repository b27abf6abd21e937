import type { Edit } from './edit.ts';
import { TextTrie } from './text-trie.ts';
import { TrieArena, type DirectOf } from './trie-arena.ts';

/**
 * A part of a map: slots of four fields, side by side, which are a hash, a key, a value and nothing. A look-up that knows the
 * hash touches the slot and the key's characters, and nothing else that grows with the map. Two of the fields that are free
 * in every chunk say who made it and how many entries it has; its length says how many slots.
 */
type Chunk<Value> = (Edit | number | string | Value | undefined)[];

const slotWidth = 4;
const keyIn = 1;
const valueIn = 2;
const ownerAt = 3;
const countAt = slotWidth + 3;
/** Hash of a slot without an entry: a number, so that numbers are all that is ever compared. No entry has it. */
const none = 0;

/** Entries up to which a map is one chunk. Beyond, it becomes a trie, and stays one: more memory for few keys, less for many. */
export const chunkEntriesMax = 48;
/** Slots of the smallest chunk: two, for the fields that they leave free. */
const capacityMin = 2;
/** Spreads a hash over all bits. Source: Knuth, multiplicative hashing. */
const spread = 0x9e3779b1 | 0;

/**
 * A map from texts that shares what it can with the maps it was made from. Keys are found by a part of a text, whose hash
 * the caller has computed in passing, so that looking one up makes no string where the hash is unknown.
 */
export class TextMap<Value extends object> {
  readonly #chunk: Chunk<Value> | undefined;
  /** Of maps with more entries than a chunk has. */
  readonly trie: TextTrie<Value> | undefined;

  readonly #directOf: DirectOf<Value> | undefined;

  constructor(directOf?: DirectOf<Value>, chunk?: Chunk<Value>, trie?: TextTrie<Value>) {
    this.#directOf = directOf;
    this.#chunk = chunk;
    this.trie = trie;
  }

  get size(): number {
    return this.trie?.size ?? countOf(this.#chunk);
  }

  /** The value of the key that equals a part of a text. */
  find(hash: number, text: string, start: number, end: number): Value | undefined {
    const chunk = this.#chunk;
    if (chunk === undefined) return this.trie?.find(text, start, end);
    const mark = hash | 1;
    const lastAt = chunk.length - slotWidth;
    let at = homeOf(chunk, mark);
    for (;;) {
      const found = chunk[at] as number;
      if (found === mark && equals(text, start, end, chunk[at + keyIn] as string)) return chunk[at + valueIn] as Value;
      if (found === none) return undefined;
      at = (at + slotWidth) & lastAt;
    }
  }

  /** The map with a key set, or without it when the value is `undefined`. */
  with(edit: Edit, hash: number, key: string, value: Value | undefined): TextMap<Value> {
    if (this.trie !== undefined) return this.#ofTrie(this.trie.with(edit, key, value));
    if (value === undefined) return new TextMap(this.#directOf, without(edit, this.#chunk, hash | 1, key));
    const chunk = put(edit, writable(edit, this.#chunk), hash | 1, key, value);
    if (countOf(chunk) <= chunkEntriesMax) return new TextMap(this.#directOf, chunk);
    let trie = new TextTrie(new TrieArena(this.#directOf));
    for (const [each, its] of entriesOf(chunk)) trie = trie.with(edit, each, its);
    return this.#ofTrie(trie);
  }

  #ofTrie(trie: TextTrie<Value>): TextMap<Value> {
    return new TextMap(this.#directOf, undefined, trie);
  }

  /** All values, in no order that means anything. */
  *values(): Generator<Value> {
    if (this.trie !== undefined) yield* this.trie.values();
    for (const [, value] of entriesOf(this.#chunk)) yield value;
  }
}

function countOf(chunk: Chunk<unknown> | undefined): number {
  return chunk === undefined ? 0 : (chunk[countAt] as number);
}

function* entriesOf<Value>(chunk: Chunk<Value> | undefined): Generator<[key: string, value: Value]> {
  if (chunk === undefined) return;
  for (let at = 0; at < chunk.length; at += slotWidth) {
    if (chunk[at] !== none) yield [chunk[at + keyIn] as string, chunk[at + valueIn] as Value];
  }
}

/** An own chunk with a key set: the same, or one of twice the capacity. */
function put<Value>(edit: Edit, chunk: Chunk<Value>, mark: number, key: string, value: Value): Chunk<Value> {
  const at = slotOf(chunk, mark, key);
  if (chunk[at] === none) return added(edit, chunk, at, mark, key, value);
  chunk[at + valueIn] = value;
  return chunk;
}

function without<Value>(
  edit: Edit,
  chunk: Chunk<Value> | undefined,
  mark: number,
  key: string,
): Chunk<Value> | undefined {
  if (chunk === undefined) return undefined;
  const at = slotOf(chunk, mark, key);
  if (chunk[at] === none) return chunk;
  return chunk[countAt] === 1 ? undefined : freed(writable(edit, chunk), at);
}

function equals(text: string, start: number, end: number, key: string): boolean {
  // A slice shares the text's characters or is a few bytes: cheaper than comparing them one by one.
  return (start === 0 && end === text.length ? text : text.slice(start, end)) === key;
}

function emptyChunk<Value>(edit: Edit, capacity: number): Chunk<Value> {
  const chunk = Array<Chunk<Value>[number]>(capacity * slotWidth).fill(undefined);
  for (let at = 0; at < chunk.length; at += slotWidth) chunk[at] = none;
  chunk[ownerAt] = edit;
  chunk[countAt] = 0;
  return chunk;
}

function writable<Value>(edit: Edit, chunk: Chunk<Value> | undefined): Chunk<Value> {
  if (chunk === undefined) return emptyChunk(edit, capacityMin);
  if (chunk[ownerAt] === edit) return chunk;
  const copy = chunk.slice();
  copy[ownerAt] = edit;
  return copy;
}

/** Where a key is, or the free slot where it would be. */
function slotOf(chunk: Chunk<unknown>, mark: number, key: string): number {
  let at = homeOf(chunk, mark);
  while (chunk[at] !== none && !(chunk[at] === mark && chunk[at + keyIn] === key)) at = following(chunk, at);
  return at;
}

function added<Value>(
  edit: Edit,
  chunk: Chunk<Value>,
  at: number,
  mark: number,
  key: string,
  value: Value,
): Chunk<Value> {
  const count = (chunk[countAt] as number) + 1;
  // Two thirds full at most, so that searches end soon.
  const room = count * 3 * slotWidth <= chunk.length * 2 ? chunk : doubled(edit, chunk);
  const slot = room === chunk ? at : slotOf(room, mark, key);
  room[slot] = mark;
  room[slot + keyIn] = key;
  room[slot + valueIn] = value;
  room[countAt] = count;
  return room;
}

/** The same entries in a chunk of twice the capacity. */
function doubled<Value>(edit: Edit, from: Chunk<Value>): Chunk<Value> {
  const to = emptyChunk<Value>(edit, (from.length / slotWidth) * 2);
  for (let at = 0; at < from.length; at += slotWidth) {
    if (from[at] !== none) move(from, at, to, slotOf(to, from[at] as number, from[at + keyIn] as string));
  }
  return to;
}

/** Empties a slot, and moves into it what a search would no longer find beyond it. */
function freed<Value>(chunk: Chunk<Value>, from: number): Chunk<Value> {
  let free = from;
  let at = following(chunk, free);
  for (; chunk[at] !== none; at = following(chunk, at)) {
    const home = homeOf(chunk, chunk[at] as number);
    const isReachable = free <= at ? free < home && home <= at : free < home || home <= at;
    if (isReachable) continue;
    move(chunk, at, chunk, free);
    free = at;
  }
  chunk[free] = none;
  chunk[free + keyIn] = undefined;
  chunk[free + valueIn] = undefined;
  chunk[countAt] = (chunk[countAt] as number) - 1;
  return chunk;
}

function move<Value>(from: Chunk<Value>, fromAt: number, to: Chunk<Value>, toAt: number): void {
  for (let field = 0; field <= valueIn; field += 1) to[toAt + field] = from[fromAt + field];
}

function homeOf(chunk: Chunk<unknown>, mark: number): number {
  return (Math.imul(mark, spread) >>> 6) & (chunk.length - slotWidth);
}

function following(chunk: Chunk<unknown>, at: number): number {
  return (at + slotWidth) & (chunk.length - slotWidth);
}
