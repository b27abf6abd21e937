/** Cells of every node: where its label begins, how long that is and how its children lie, its value, its lowest child or their number. */
export const labelIn = 0;
/** See {@link labelIn}. The lower {@link lengthBits} bits are the label's length, those above the width of the children's cells. */
export const shapeIn = 1;
/** See {@link labelIn}. 0 is none, else one more than the value's place. */
export const valueIn = 2;
/** See {@link labelIn}. A node without children ends before it. */
export const baseIn = 3;
/** Where children begin. */
export const childrenIn = 4;

/** A label that is longer goes on in a child. */
export const lengthBits = 12;
/** See {@link lengthBits}. */
export const lengthMax: number = (1 << lengthBits) - 1;
/** Bit of the shape of a node whose children are pairs of a character and a node, upwards, and not a table by character. */
export const isListBit: number = 1 << 30;
/** Cells of children. */
export const widthOf = (shape: number): number => (shape & ~isListBit) >>> lengthBits;

/** The child of a node for a character; 0 for none. */
export function childOf(cells: Int32Array, node: number, shape: number, code: number): number {
  if (shape <= lengthMax) return 0;
  const base = cells[node + baseIn] as number;
  if ((shape & isListBit) === 0) {
    const index = code - base;
    return index < 0 || index >= shape >>> lengthBits ? 0 : (cells[node + childrenIn + index] as number);
  }
  let low = 0;
  let high = base;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((cells[node + childrenIn + 2 * middle] as number) < code) low = middle + 1;
    else high = middle;
  }
  const at = node + childrenIn + 2 * low;
  return low < base && cells[at] === code ? (cells[at + 1] as number) : 0;
}

/** All children of a node, by character. */
export function childrenOf(cells: Int32Array, node: number): [code: number, child: number][] {
  const shape = cells[node + shapeIn] as number;
  const children: [number, number][] = [];
  if (shape <= lengthMax) return children;
  const base = cells[node + baseIn] as number;
  const isList = (shape & isListBit) !== 0;
  const count = isList ? base : widthOf(shape);
  for (let index = 0; index < count; index += 1) {
    const at = node + childrenIn + (isList ? 2 * index : index);
    const child = cells[isList ? at + 1 : at] as number;
    if (child !== 0) children.push([isList ? (cells[at] as number) : base + index, child]);
  }
  return children;
}

/** Cells of a node. */
export function sizeOf(shape: number): number {
  return shape <= lengthMax ? baseIn : childrenIn + widthOf(shape);
}

/** Puts another node in the place of a child that is there. */
export function setChild(cells: Int32Array, node: number, shape: number, code: number, child: number): void {
  const base = cells[node + baseIn] as number;
  let at = node + childrenIn;
  if ((shape & isListBit) === 0) at += code - base;
  else {
    while (cells[at] !== code) at += 2;
    at += 1;
  }
  cells[at] = child;
}
