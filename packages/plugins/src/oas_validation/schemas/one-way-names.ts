import { pointerTo, type FollowReferences, type JsonObject, type Referred } from '@portcullis/openapi';
import { isRecord } from './keywords.ts';

/** Most schemas of one composition that are looked at. */
const COMPOSED_MAX = 500;

/** The schemas that all have to take the same value: the one at a place, and what its `$ref` and `allOf` lead to. */
function* composed(root: Referred, follow: FollowReferences): Generator<JsonObject> {
  const seen = new Set<JsonObject>();
  const waiting: Referred[] = [root];
  for (let next = waiting.pop(); next !== undefined && seen.size < COMPOSED_MAX; next = waiting.pop()) {
    const { value, pointer } = next;
    if (seen.has(value)) continue;
    seen.add(value);
    yield value;
    const link = Object.hasOwn(value, '$ref') ? follow(value, pointer) : undefined;
    if (link !== undefined) waiting.push(link);
    const parts: unknown = Object.hasOwn(value, 'allOf') ? value['allOf'] : undefined;
    for (const [index, part] of Array.isArray(parts) ? parts.entries() : [])
      if (isRecord(part)) waiting.push({ value: part, pointer: pointerTo(pointerTo(pointer, 'allOf'), index) });
  }
}

/**
 * The properties of a composition that are marked, wherever in it: the usual form of what a client sends is `allOf` with what it gets.
 * @param mark `readOnly` or `writeOnly`
 */
export function markedNames(root: Referred, follow: FollowReferences, mark: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { properties } of composed(root, follow)) {
    for (const [name, property] of Object.entries(isRecord(properties) ? properties : {})) {
      if (!isRecord(property)) continue;
      const isMarked = (one: JsonObject | undefined): boolean => one?.[mark] === true;
      if (isMarked(property) || (Object.hasOwn(property, '$ref') && isMarked(follow(property, '')?.value)))
        names.add(name);
    }
  }
  return names;
}

/** The names of a list that a composition requires, in order. */
export function requiredAmong(
  names: ReadonlySet<string>,
  root: Referred,
  follow: FollowReferences,
): ReadonlySet<string> {
  if (names.size === 0) return names;
  const found = new Set<string>();
  for (const { required } of composed(root, follow)) {
    for (const name of Array.isArray(required) ? (required as readonly string[]) : [])
      if (names.has(name)) found.add(name);
  }
  return new Set([...found].toSorted());
}
