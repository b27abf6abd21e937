import { pointerTo, stepsOf } from '../json-pointer.ts';
import { JsonScanner } from './json-scanner.ts';

/** Characters of a text up to which all places in it are kept once one is asked for: some 40 bytes for each value. */
const keptLengthMax = 1_048_576;

/** Finds offsets of values in a JSON text that is read again: once, or for each of them where it is long. */
export function jsonOffsets(text: string, keepsUnstorable: boolean): (pointer: string) => number | undefined {
  if (text.length > keptLengthMax) return (pointer) => offsetOf(text, keepsUnstorable, stepsOf(pointer));
  let kept: ReadonlyMap<string, number> | undefined;
  return (pointer) => {
    kept ??= allOffsets(text, keepsUnstorable);
    return kept.get(pointer);
  };
}

function allOffsets(text: string, keepsUnstorable: boolean): ReadonlyMap<string, number> {
  const offsets = new Map<string, number>();
  const pointers: string[] = [''];
  const onValue = (steps: readonly (string | number)[], at: number): void => {
    const last = steps.at(-1);
    const pointer = last === undefined ? '' : pointerTo(pointers[steps.length - 1] ?? '', last);
    pointers[steps.length] = pointer;
    offsets.set(pointer, at);
  };
  new JsonScanner(text, { keepsUnstorable, onValue }).document();
  return offsets;
}

function offsetOf(text: string, keepsUnstorable: boolean, wanted: readonly string[]): number | undefined {
  let offset: number | undefined;
  const onValue = (steps: readonly (string | number)[], at: number): void => {
    if (steps.length === wanted.length && wanted.every((step, index) => step === String(steps[index]))) offset = at;
  };
  new JsonScanner(text, { keepsUnstorable, onValue }).document();
  return offset;
}
