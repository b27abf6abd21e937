import { isAbsent, isObject, isSameValue, ownValue } from './json-values.ts';
import type { BundleRecord } from './json-values.ts';
import { pointerTo } from './json-pointer.ts';

/** One place where two values differ. Carried out in order, as RFC 6902 has it, the differences turn one into the other. */
export interface ValueDifference {
  readonly path: string;
  readonly op: 'add' | 'remove' | 'replace';
}

/** The places where two records differ, as deep as they can be told apart. @param sets top-level lists without order */
export function diffValues(live: BundleRecord, desired: BundleRecord, sets: ReadonlySet<string>): ValueDifference[] {
  const found: ValueDifference[] = [];
  for (const field of differingFields(live, desired)) {
    const [left, right] = [ownValue(live, field), ownValue(desired, field)];
    if (sets.has(field) && isSameValue(sorted(left), sorted(right))) continue;
    if (sets.has(field) && !isAbsent(left) && !isAbsent(right)) {
      found.push({ path: pointerTo('', field), op: 'replace' });
    } else compare(left, right, pointerTo('', field), found);
  }
  return found;
}

function compare(live: unknown, desired: unknown, path: string, found: ValueDifference[]): void {
  if (isSameValue(live, desired)) return;
  if (isAbsent(live)) found.push({ path, op: 'add' });
  else if (isAbsent(desired)) found.push({ path, op: 'remove' });
  else if (Array.isArray(live) && Array.isArray(desired)) compareLists(live, desired, path, found);
  else if (isObject(live) && isObject(desired)) {
    for (const key of differingFields(live, desired)) {
      compare(ownValue(live, key), ownValue(desired, key), pointerTo(path, key), found);
    }
  } else found.push({ path, op: 'replace' });
}

function compareLists(
  live: readonly unknown[],
  desired: readonly unknown[],
  path: string,
  found: ValueDifference[],
): void {
  const both = Math.min(live.length, desired.length);
  for (let index = 0; index < both; index += 1) {
    const place = pointerTo(path, index);
    // A null in a list is a value of its own: leaving it out would move what follows.
    if (isAbsent(live[index]) !== isAbsent(desired[index])) found.push({ path: place, op: 'replace' });
    else compare(live[index], desired[index], place, found);
  }
  for (let index = both; index < desired.length; index += 1) found.push({ path: pointerTo(path, index), op: 'add' });
  for (let index = live.length - 1; index >= both; index -= 1)
    found.push({ path: pointerTo(path, index), op: 'remove' });
}

/** Fields whose values are not the same, in the order of their names. Most records have none: that case is the fast one. */
function differingFields(left: BundleRecord, right: BundleRecord): readonly string[] {
  const names = Object.keys(left).filter((name) => !isSameValue(left[name], ownValue(right, name)));
  for (const name of Object.keys(right)) {
    if (!Object.hasOwn(left, name) && !isAbsent(right[name])) names.push(name);
  }
  return names.sort();
}

/** A list in an order that depends on its items only. */
function sorted(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value
    .map((item: unknown) => [JSON.stringify(item), item] as const)
    .sort(byText)
    .map(([, item]) => item);
}

function byText(left: readonly [string, unknown], right: readonly [string, unknown]): number {
  return left[0] < right[0] ? -1 : Number(left[0] > right[0]);
}
