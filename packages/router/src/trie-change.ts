import type { TrieArena } from './trie-arena.ts';
import {
  baseIn,
  childOf,
  childrenIn,
  childrenOf,
  isListBit,
  labelIn,
  lengthBits,
  lengthMax,
  setChild,
  shapeIn,
  sizeOf,
  valueIn,
} from './trie-node.ts';

/** A table of children by character has at most so many cells for each child; else they are a list. */
const cellsPerChild = 3;

/** One change of one key. Nodes on its way are copied, unless the arena's owner has made them. */
export class TrieChange<Value extends object> {
  readonly #arena: TrieArena<Value>;
  readonly #key: string;
  readonly #value: Value | undefined;
  /** How many keys there are more than before. */
  added = 0;

  constructor(arena: TrieArena<Value>, key: string, value: Value | undefined) {
    this.#arena = arena;
    this.#key = key;
    this.#value = value;
  }

  /** A node, or none, with the key from `at` on. */
  with(node: number, at: number): number {
    if (node === 0) return this.#leaf(at);
    const same = this.#sameAt(node, at);
    const end = at + this.#lengthOf(node);
    if (same < end) return this.with(this.#split(node, same - at), at);
    if (end === this.#key.length) {
      const own = this.#owned(node);
      const before = this.#arena.cells[own + valueIn] as number;
      if (before === 0) this.added += 1;
      this.#arena.cells[own + valueIn] = this.#number(before);
      return own;
    }
    const code = this.#key.charCodeAt(end);
    const child = childOf(this.#arena.cells, node, this.#shapeOf(node), code);
    return this.#withChild(node, code, this.with(child, end + 1));
  }

  /** A node without the key from `at` on; 0 when nothing is left of it. */
  without(node: number, at: number): number {
    const end = node === 0 ? at : at + this.#lengthOf(node);
    if (node === 0 || this.#sameAt(node, at) < end) return node;
    const { cells } = this.#arena;
    if (end === this.#key.length) {
      if (cells[node + valueIn] === 0) return node;
      this.added -= 1;
      if (this.#shapeOf(node) <= lengthMax) return this.#gone(node);
      const own = this.#owned(node);
      this.#arena.cells[own + valueIn] = 0;
      return own;
    }
    const code = this.#key.charCodeAt(end);
    const child = childOf(cells, node, this.#shapeOf(node), code);
    const left = this.without(child, end + 1);
    if (left === child) return node;
    return left === 0 ? this.#withoutChild(node, code) : this.#withChild(node, code, left);
  }

  #number(before: number): number {
    return this.#value === undefined ? 0 : this.#arena.add(this.#value, before);
  }

  #shapeOf(node: number): number {
    return this.#arena.cells[node + shapeIn] as number;
  }

  #lengthOf(node: number): number {
    return this.#shapeOf(node) & lengthMax;
  }

  /** Up to where the key is what a node's label says. */
  #sameAt(node: number, from: number): number {
    const { cells, characters } = this.#arena;
    const end = Math.min(from + this.#lengthOf(node), this.#key.length);
    let label = cells[node + labelIn] as number;
    let at = from;
    for (; at < end && characters[label] === this.#key.charCodeAt(at); at += 1) label += 1;
    return at;
  }

  #leaf(at: number): number {
    const rest = this.#key.length - at;
    if (rest > lengthMax) {
      const child = this.#leaf(at + lengthMax + 1);
      return this.#node(this.#arena.label(this.#key.slice(at, at + lengthMax)), lengthMax, 0, [
        [this.#key.charCodeAt(at + lengthMax), child],
      ]);
    }
    this.added += 1;
    return this.#node(this.#arena.label(this.#key.slice(at)), rest, this.#number(0), []);
  }

  #node(label: number, length: number, number: number, children: readonly [number, number][]): number {
    const [first, last] = [children[0]?.[0] ?? 0, children.at(-1)?.[0] ?? 0];
    const width = children.length === 0 ? 0 : last - first + 1;
    const isList = width > cellsPerChild * children.length;
    const cellsOfChildren = isList ? 2 * children.length : width;
    const shape = length | (cellsOfChildren << lengthBits) | (isList ? isListBit : 0);
    const node = this.#arena.allocate(sizeOf(shape));
    const { cells } = this.#arena;
    cells[node + labelIn] = label;
    cells[node + shapeIn] = shape;
    cells[node + valueIn] = number;
    if (children.length === 0) return node;
    cells[node + baseIn] = isList ? children.length : first;
    const from = node + childrenIn;
    if (!isList) cells.fill(0, from, from + width);
    for (const [index, [code, child]] of children.entries()) {
      if (isList) cells[from + 2 * index] = code;
      cells[isList ? from + 2 * index + 1 : from + code - first] = child;
    }
    return node;
  }

  #gone(node: number): number {
    this.#arena.giveUp(node, sizeOf(this.#shapeOf(node)));
    return 0;
  }

  /** A node that may be written to. */
  #owned(node: number): number {
    if (this.#arena.isOwned(node)) return node;
    const size = sizeOf(this.#shapeOf(node));
    this.#arena.giveUp(node, size);
    const copy = this.#arena.allocate(size);
    this.#arena.cells.copyWithin(copy, node, node + size);
    return copy;
  }

  /** A node of the first characters of another one's label, with the rest as its child. */
  #split(node: number, length: number): number {
    const { cells, characters } = this.#arena;
    const label = cells[node + labelIn] as number;
    const lower = this.#owned(node);
    const after = this.#arena.cells;
    after[lower + labelIn] = label + length + 1;
    after[lower + shapeIn] = (after[lower + shapeIn] as number) - length - 1;
    return this.#node(label, length, 0, [[characters[label + length] as number, lower]]);
  }

  #withChild(node: number, code: number, child: number): number {
    const { cells } = this.#arena;
    const shape = this.#shapeOf(node);
    if (childOf(cells, node, shape, code) === 0) return this.#remade(node, [...childrenOf(cells, node), [code, child]]);
    const own = this.#owned(node);
    setChild(this.#arena.cells, own, shape, code, child);
    return own;
  }

  #withoutChild(node: number, code: number): number {
    const { cells } = this.#arena;
    const children = childrenOf(cells, node).filter(([other]) => other !== code);
    return children.length === 0 && cells[node + valueIn] === 0 ? this.#gone(node) : this.#remade(node, children);
  }

  #remade(node: number, children: [number, number][]): number {
    const { cells } = this.#arena;
    const parts = [cells[node + labelIn] as number, this.#lengthOf(node), cells[node + valueIn] as number] as const;
    this.#gone(node);
    return this.#node(
      ...parts,
      children.toSorted(([left], [right]) => left - right),
    );
  }
}
