import { isMap, isScalar, isSeq } from 'yaml';
import { stepsOf } from '../document/json-pointer.ts';
import { descriptionLimits } from '../limits.ts';
import { composeYaml, TextError } from './yaml-text.ts';

/** A place in a text; both count from 1, the column in UTF-16 units. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** Finds where the value behind a JSON Pointer begins, or what is nearest around it. */
export type PositionFinder = (pointer: string) => TextPosition | undefined;

/** The place of an offset. */
export function positionAt(text: string, offset: number): TextPosition {
  let line = 1;
  let lineStart = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) {
    line += 1;
    lineStart = at + 1;
  }
  return { line, column: offset - lineStart + 1 };
}

/** Reads the text for places only when somebody asks, once. Texts that are too long for that have none. */
export function positionsIn(text: string): PositionFinder {
  if (text.length > descriptionLimits.placedLengthMax) return () => undefined;
  let root: { readonly contents: unknown } | undefined;
  return (pointer) => {
    root ??= { contents: contentsOf(text) };
    const offset = offsetOf(root.contents, stepsOf(pointer));
    return offset === undefined ? undefined : positionAt(text, offset);
  };
}

function contentsOf(text: string): unknown {
  try {
    return composeYaml(text).contents;
  } catch (error) {
    if (error instanceof TextError) return null;
    throw error;
  }
}

function offsetOf(root: unknown, steps: readonly string[]): number | undefined {
  let node = root;
  let offset = (root as { range?: readonly number[] } | null)?.range?.[0];
  for (const step of steps) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === step);
      const key: unknown = pair?.key;
      if (isScalar(key)) offset = key.range?.[0] ?? offset;
      node = pair?.value;
    } else if (isSeq(node)) {
      node = node.items[Number(step)];
      offset = (node as { range?: readonly number[] } | undefined)?.range?.[0] ?? offset;
    } else break;
  }
  return offset;
}
