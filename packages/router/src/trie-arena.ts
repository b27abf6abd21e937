import type { Edit } from './edit.ts';

const cellsMin = 64;
const charactersMin = 64;
/** Labels that are remembered, each in the place that its text names: most endings of paths occur many times. */
const rememberedLabels = 512;
/** An arena is not gone on with when it has more than twice the cells that its trie needs and so many more; of characters too. */
const spareCells = 4_096;
/** The same of values: those that no trie has any more are kept as long. */
const spareValues = 64;
/** Characters that the labels of a key may have before they are looked at for what nobody needs. */
const charactersPerKey = 64;

/**
 * What of a value is all that a look-up wants of it, where it comes to nothing else; `undefined` if there is more to it. It lies beside the
 * nodes, so that nothing of the value itself has to be fetched from memory.
 */
export type DirectOf<Value extends object> = (value: Value) => object | undefined;

/**
 * Where the nodes of a trie lie, and those of the tries before it that share nodes with it: numbers side by side, so that ten thousand
 * keys are some hundred kilobytes, with nothing between them. What an earlier edit has made is never written to again.
 */
export class TrieArena<Value extends object> {
  cells: Int32Array<ArrayBuffer> = new Int32Array(cellsMin);
  characters: Uint16Array<ArrayBuffer> = new Uint16Array(charactersMin);
  /** Of nodes, by their numbers less one. Each change adds at the end. */
  readonly values: Value[] = [];
  /** Of each value, what {@link DirectOf} says. */
  readonly directs: (object | undefined)[] = [];
  readonly directOf: DirectOf<Value> | undefined;
  /** 0 means no node. */
  #cellsEnd = 1;
  #charactersEnd = 0;
  /** Where they ended when the arena was made from another one. */
  #charactersAtFirst = 0;
  /** Cells of nodes that the latest trie has, about: tries that were made from one and the same count together. */
  #used = 0;
  #owner: Edit | undefined;
  /** Nodes from here on are the owner's. */
  #ownedFrom = 1;
  /** The owner's nodes that it has given up, by size. */
  #free: number[][] = [];
  readonly #labels: (string | undefined)[] = [];
  readonly #labelsAt: number[] = [];

  constructor(directOf?: DirectOf<Value>) {
    this.directOf = directOf;
  }

  /** Makes an edit the one that adds. What others have added stays as it is from now on. */
  own(edit: Edit): void {
    if (this.#owner === edit) return;
    this.#owner = edit;
    this.#ownedFrom = this.#cellsEnd;
    this.#free = [];
  }

  /** Whether the owner may write to a node. */
  isOwned(node: number): boolean {
    return node >= this.#ownedFrom;
  }

  /** Whether more of the arena is left over from before than is used. @param size of the latest trie */
  isWorn(size: number): boolean {
    const charactersMax = 2 * this.#charactersAtFirst + charactersPerKey * size + spareCells;
    const valuesMax = 2 * size + spareValues;
    return (
      this.#cellsEnd > 2 * this.#used + spareCells ||
      this.values.length > valuesMax ||
      this.#charactersEnd > charactersMax
    );
  }

  /** What is in the arena now is what its trie needs. */
  settle(): void {
    this.#charactersAtFirst = this.#charactersEnd;
  }

  /** Room for a node. */
  allocate(size: number): number {
    this.#used += size;
    const free = this.#free[size]?.pop();
    if (free !== undefined) return free;
    const at = this.#cellsEnd;
    this.#cellsEnd += size;
    if (this.#cellsEnd > this.cells.length)
      this.cells = grown(this.cells, new Int32Array(this.cells.length * 2 + size));
    return at;
  }

  /** A node is no part of the latest trie any more. */
  giveUp(node: number, size: number): void {
    this.#used -= size;
    if (this.isOwned(node)) (this.#free[size] ??= []).push(node);
  }

  /** Where a label's characters are. */
  label(text: string): number {
    const place =
      (text.length + 31 * text.charCodeAt(0) + 7 * text.charCodeAt(text.length - 1)) & (rememberedLabels - 1);
    if (text === '' || this.#labels[place] === text) return this.#labelsAt[place] ?? 0;
    const at = this.#charactersEnd;
    this.#charactersEnd += text.length;
    if (this.#charactersEnd > this.characters.length) {
      this.characters = grown(this.characters, new Uint16Array(this.characters.length * 2 + text.length));
    }
    for (let index = 0; index < text.length; index += 1) this.characters[at + index] = text.charCodeAt(index);
    this.#labels[place] = text;
    this.#labelsAt[place] = at;
    return at;
  }

  /** The number of a value. @param before that of the value whose place it takes; 0 for none */
  add(value: Value, before = 0): number {
    // What an edit has made it changes in place, and then puts it where it is.
    const number = before !== 0 && this.values[before - 1] === value ? before : this.values.push(value);
    this.directs[number - 1] = this.directOf?.(value);
    return number;
  }
}

function grown<Numbers extends Int32Array | Uint16Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from);
  return to;
}
