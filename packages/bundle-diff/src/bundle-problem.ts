import type { CollectionDescriptor, RecordProblem } from './descriptor.ts';
import { nameOf } from './descriptor.ts';
import { isObject } from './json-values.ts';
import { pointerTo } from './json-pointer.ts';

/** A mistake in a bundle. Source: wire contract, Configuration operations. Never holds the offending value. */
export interface BundleProblem extends RecordProblem {
  /** Key of the collection; null when the mistake is in the bundle itself. */
  readonly resource_type: string | null;
  /** Position in the collection's array, from 0. */
  readonly index: number | null;
  readonly id: string | null;
  readonly name: string | null;
  /** JSON Pointer into the document. */
  readonly pointer: string;
}

/** A mistake of the bundle as a whole. */
export function documentProblem(pointer: string, code: string, message: string): BundleProblem {
  return { resource_type: null, index: null, id: null, name: null, pointer, code, message };
}

/** A record's mistake, placed in the document. */
export function recordProblem(
  collection: CollectionDescriptor,
  index: number,
  record: unknown,
  problem: RecordProblem,
): BundleProblem {
  const id = isObject(record) && typeof record['id'] === 'string' ? record['id'] : null;
  return {
    resource_type: collection.key,
    index,
    id,
    name: isObject(record) ? nameOf(record, collection) : null,
    pointer: `${pointerTo(pointerTo('', collection.key), index)}${problem.pointer}`,
    code: problem.code,
    message: problem.message,
  };
}
