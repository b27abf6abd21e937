import { pointerTo } from '../document/json-pointer.ts';
import { fieldOf, isObject } from '../document/json-values.ts';
import type { JsonObject } from '../document/json-values.ts';
import type { FollowReferences } from '../document/references.ts';
import { descriptionLimits } from '../limits.ts';
import type { ProblemList } from '../problem.ts';

/** A path item with its reference followed, and where its fields stand. */
export interface PathItem {
  readonly value: JsonObject;
  readonly pointerOf: (field: string) => string;
}

/** What stands beside the reference of a path item wins over what it leads to. The specification leaves it open. */
export function readPathItem(
  follow: FollowReferences,
  given: unknown,
  place: string,
  problems: ProblemList,
): PathItem | undefined {
  if (!isObject(given)) {
    problems.add(place, 'type', 'must be an object');
    return undefined;
  }
  const referred = follow(given, place);
  if (referred === undefined) return undefined;
  const isOwn = referred.pointer === place;
  const keys = Object.keys(given).length + (isOwn ? 0 : Object.keys(referred.value).length);
  if (keys > descriptionLimits.pathItemKeysMax) {
    problems.add(place, 'too_many', `must have at most ${descriptionLimits.pathItemKeysMax} fields`);
    return undefined;
  }
  const { $ref: _, ...beside } = given;
  const value = isOwn ? given : { ...referred.value, ...beside };
  const pointerOf = (field: string): string =>
    pointerTo(Object.hasOwn(beside, field) ? place : referred.pointer, field);
  return { value, pointerOf };
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;
/** An HTTP method as routes have it. */
const methodForm = /^[A-Z][A-Z0-9_-]{0,31}$/;

/** An operation where it stands. */
export interface FoundOperation {
  /** In upper case. */
  readonly method: string;
  readonly value: JsonObject;
  readonly pointer: string;
}

/** The operations of a path item, in the order of the specification's methods; from 3.2 on with `query`. */
export function fixedOperations(
  item: PathItem,
  isAtLeast32: boolean,
  problems: ProblemList,
): readonly FoundOperation[] {
  return [...methods, ...(isAtLeast32 ? ['query'] : [])].flatMap((field) => {
    const value = fieldOf(item.value, field);
    return value === undefined ? [] : foundOperation(field.toUpperCase(), value, item.pointerOf(field), problems);
  });
}

/** Operations of other methods, in the `additionalOperations` of a path item. Source: OpenAPI 3.2, Path Item. */
export function additionalOperations(
  object: JsonObject,
  place: string,
  problems: ProblemList,
): readonly FoundOperation[] {
  const additional = fieldOf(object, 'additionalOperations');
  if (!isObject(additional)) return [];
  const pointer = pointerTo(place, 'additionalOperations');
  return Object.entries(additional).flatMap(([method, value]) =>
    foundOperation(method, value, pointerTo(pointer, method), problems),
  );
}

function foundOperation(
  method: string,
  value: unknown,
  pointer: string,
  problems: ProblemList,
): readonly FoundOperation[] {
  if (isObject(value) && methodForm.test(method)) return [{ method, value, pointer }];
  problems.add(pointer, 'type', 'must be an operation object under a method that HTTP has');
  return [];
}
