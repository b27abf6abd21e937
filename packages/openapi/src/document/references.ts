import { descriptionLimits } from '../limits.ts';
import type { ProblemList } from '../problem.ts';
import { pointerOver, pointerTo, valueAt } from './json-pointer.ts';
import { containersIn, fieldOf, isObject, textField } from './json-values.ts';
import type { JsonObject } from './json-values.ts';

/** What a reference leads to. */
export interface Referred {
  /** Where the value itself stands. */
  readonly pointer: string;
  readonly value: JsonObject;
}

/**
 * Follows the references of an object inside of its document until an object without one is reached.
 * @param place where the object stands
 * @returns nothing when a reference is broken, which the problems are told once
 */
export type FollowReferences = (object: JsonObject, place: string) => Referred | undefined;

/** Where references end, nothing when one is broken, and over how many of them. */
interface Way {
  readonly end: Referred | undefined;
  readonly hops: number;
}

const broken: Way = { end: undefined, hops: 0 };

/** Follows the references of one document. What many of them lead to is followed once. */
export function referencesOf(document: unknown, problems: ProblemList): FollowReferences {
  const known = new Map<string, Way>();
  const circular = (from: Referred): Way => {
    const rule = 'must not lead back to itself, or over too many other references';
    problems.add(pointerTo(from.pointer, '$ref'), 'reference_circular', rule);
    return broken;
  };
  const wayFrom = (here: Referred, passed: ReadonlySet<string>): Way => {
    const reference = fieldOf(here.value, '$ref');
    if (reference === undefined) return { end: here, hops: 0 };
    const pointer = localPointer(reference);
    // Remote ones are reported by the walk over the whole document.
    if (pointer === undefined) return broken;
    if (passed.has(pointer) || passed.size > descriptionLimits.referenceHopsMax) return circular(here);
    const next = known.get(pointer) ?? wayTo(pointer, here, passed);
    if (next.hops >= descriptionLimits.referenceHopsMax) return circular(here);
    return { end: next.end, hops: next.hops + 1 };
  };
  const wayTo = (pointer: string, from: Referred, passed: ReadonlySet<string>): Way => {
    const value = valueAt(document, pointer);
    if (!isObject(value)) {
      const rule = 'must lead to an object of this description';
      problems.add(pointerTo(from.pointer, '$ref'), 'reference_not_found', rule);
      return broken;
    }
    const way = wayFrom({ pointer, value }, new Set([...passed, pointer]));
    known.set(pointer, way);
    return way;
  };
  return (object, place) => wayFrom({ pointer: place, value: object }, new Set([place])).end;
}

/**
 * Fields whose values are data, not part of the description. A property of a schema may have such a name; what is below
 * `properties` is looked at whatever it is called.
 */
const dataFields: ReadonlySet<string> = new Set(['example', 'default', 'enum', 'const', 'value']);
const nameMaps: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'schemas', 'examples']);

/** Reports every reference that leads out of the document: nothing is ever fetched, and no file is opened. */
export function refuseRemoteReferences(document: JsonObject, problems: ProblemList): void {
  const seen = new Set<object>();
  const steps: (string | number)[] = [];
  const look = (value: object, isNameMap: boolean): void => {
    if (seen.has(value)) return;
    seen.add(value);
    const reference = isObject(value) && !isNameMap ? textField(value, '$ref') : undefined;
    if (reference !== undefined && localPointer(reference) === undefined) {
      const message = 'must begin with #/: other documents are never read, so put them into this one first';
      problems.add(pointerOver([...steps, '$ref']), 'reference_remote', message);
    }
    for (const [step, inner] of containersIn(value)) {
      if (!isNameMap && isData(step)) continue;
      steps.push(step);
      look(inner, !isNameMap && typeof step === 'string' && nameMaps.has(step));
      steps.pop();
    }
  };
  look(document, false);
}

/** Indexes of lists are no data. */
function isData(step: string | number): boolean {
  return typeof step === 'string' && (dataFields.has(step) || step.startsWith('x-'));
}

/** The JSON Pointer of a reference into the same document; `#name` (an anchor) counts as none that is followed here. */
function localPointer(reference: unknown): string | undefined {
  if (typeof reference !== 'string' || !reference.startsWith('#')) return undefined;
  try {
    return decodeURIComponent(reference.slice(1));
  } catch {
    return reference.slice(1);
  }
}
