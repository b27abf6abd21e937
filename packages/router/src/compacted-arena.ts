import type { Edit } from './edit.ts';
import { TrieArena } from './trie-arena.ts';
import {
  baseIn,
  childrenIn,
  isListBit,
  labelIn,
  lengthBits,
  lengthMax,
  shapeIn,
  sizeOf,
  valueIn,
  widthOf,
} from './trie-node.ts';

/** An arena of an edit with one trie alone, without what others have left in the arena where it was. Some 0.1 microseconds for each node. */
export function compactedArena<Value extends object>(
  from: TrieArena<Value>,
  root: number,
  edit: Edit,
): { readonly arena: TrieArena<Value>; readonly root: number } {
  const arena = new TrieArena<Value>(from.directOf);
  arena.own(edit);
  /** Where labels went, by where they were: what nodes share they go on sharing. */
  const labels = new Map<number, number>();

  const labelOf = (at: number, length: number): number => {
    if (length === 0) return 0;
    const key = at * 2 ** lengthBits + length;
    const known = labels.get(key);
    if (known !== undefined) return known;
    const label = arena.label(String.fromCharCode(...from.characters.subarray(at, at + length)));
    labels.set(key, label);
    return label;
  };

  const copied = (node: number): number => {
    const shape = from.cells[node + shapeIn] as number;
    const copy = arena.allocate(sizeOf(shape));
    arena.cells.set(from.cells.subarray(node, node + sizeOf(shape)), copy);
    arena.cells[copy + labelIn] = labelOf(from.cells[node + labelIn] as number, shape & lengthMax);
    const number = from.cells[node + valueIn] as number;
    if (number !== 0) arena.cells[copy + valueIn] = arena.add(from.values[number - 1] as Value);
    if (shape <= lengthMax) return copy;
    const isList = (shape & isListBit) !== 0;
    const count = isList ? (from.cells[node + baseIn] as number) : widthOf(shape);
    for (let index = 0; index < count; index += 1) {
      const at = childrenIn + (isList ? 2 * index + 1 : index);
      const child = from.cells[node + at] as number;
      // The arena's cells may be others after each child: they grow.
      const childCopy = child === 0 ? 0 : copied(child);
      arena.cells[copy + at] = childCopy;
    }
    return copy;
  };

  const rootCopy = root === 0 ? 0 : copied(root);
  arena.settle();
  return { arena, root: rootCopy };
}
