import { compactedArena } from './compacted-arena.ts';
import type { Edit } from './edit.ts';
import { TrieArena } from './trie-arena.ts';
import { TrieChange } from './trie-change.ts';
import { childOf, childrenOf, labelIn, lengthMax, shapeIn, valueIn } from './trie-node.ts';

/** Gets the number of the value of each key that a text begins with, and the key's length. */
export interface BeginningVisitor<Value extends object> {
  visitBeginning(trie: TextTrie<Value>, number: number, length: number): void;
}

/**
 * A map from texts for many of them, which shares what a change does not touch with the tries it was made from. Texts that
 * begin alike share nodes and their endings share characters, so that a look-up reads a few places of a small piece of memory,
 * and compares each character once. It reads nothing of the values.
 */
export class TextTrie<Value extends object> {
  readonly arena: TrieArena<Value>;
  /** 0 for none. */
  readonly root: number;
  readonly size: number;

  constructor(arena: TrieArena<Value> = new TrieArena(), root = 0, size = 0) {
    this.arena = arena;
    this.root = root;
    this.size = size;
  }

  /** The value of the key that equals a part of a text. */
  find(text: string, start: number, end: number): Value | undefined {
    const number = this.numberOf(text, start, end);
    return number === 0 ? undefined : this.arena.values[number - 1];
  }

  /** The number of the value of the key that equals a part of a text; 0 for none. */
  numberOf(text: string, start: number, end: number): number {
    const { cells, characters } = this.arena;
    let node = this.root;
    let at = start;
    while (node !== 0) {
      const shape = cells[node + shapeIn] as number;
      const labelEnd = at + (shape & lengthMax);
      if (labelEnd > end) return 0;
      for (let label = cells[node + labelIn] as number; at < labelEnd; at += 1, label += 1) {
        if (characters[label] !== text.charCodeAt(at)) return 0;
      }
      if (at === end) return cells[node + valueIn] as number;
      node = childOf(cells, node, shape, text.charCodeAt(at));
      at += 1;
    }
    return 0;
  }

  /** Tells of each key that a text begins with, before a character or the end, the shorter ones first. */
  visitBeginnings(text: string, before: number, visitor: BeginningVisitor<Value>): void {
    const { cells, characters } = this.arena;
    const end = text.length;
    let node = this.root;
    let at = 0;
    while (node !== 0) {
      const shape = cells[node + shapeIn] as number;
      const labelEnd = at + (shape & lengthMax);
      if (labelEnd > end) return;
      for (let label = cells[node + labelIn] as number; at < labelEnd; at += 1, label += 1) {
        if (characters[label] !== text.charCodeAt(at)) return;
      }
      const next = at === end ? before : text.charCodeAt(at);
      const number = cells[node + valueIn] as number;
      if (number !== 0 && next === before) visitor.visitBeginning(this, number, at);
      if (at === end) return;
      node = childOf(cells, node, shape, next);
      at += 1;
    }
  }

  /** The trie with a key set, or without it when the value is `undefined`. Costs as much as the key is long. */
  with(edit: Edit, key: string, value: Value | undefined): TextTrie<Value> {
    const { arena } = this;
    arena.own(edit);
    const changes = new TrieChange(arena, key, value);
    const root = value === undefined ? changes.without(this.root, 0) : changes.with(this.root, 0);
    const changed = new TextTrie(arena, root, this.size + changes.added);
    if (!arena.isWorn(changed.size)) return changed;
    const compacted = compactedArena(arena, root, edit);
    return new TextTrie(compacted.arena, compacted.root, changed.size);
  }

  /** All values, in the order of their keys. */
  *values(): Generator<Value> {
    for (const [, value] of this.entries()) yield value;
  }

  /** All keys with their values, in the order of the keys. */
  *entries(): Generator<[string, Value]> {
    const { cells, characters, values } = this.arena;
    const open: [number, string][] = this.root === 0 ? [] : [[this.root, '']];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const [node, before] = next;
      const labelAt = cells[node + labelIn] as number;
      const length = (cells[node + shapeIn] as number) & lengthMax;
      const key = before + String.fromCharCode(...characters.subarray(labelAt, labelAt + length));
      const number = cells[node + valueIn] as number;
      if (number !== 0) yield [key, values[number - 1] as Value];
      for (const [code, child] of childrenOf(cells, node).toReversed())
        open.push([child, key + String.fromCharCode(code)]);
    }
  }
}
