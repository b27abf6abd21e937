import type { JsonDocument } from './json-document.ts';
import type { JsonNode } from './json-node.ts';
import { isSingular, type JsonPath, type Segment } from './json-path.ts';
import { segmentsFrom } from './select.ts';

/** Where values are put: in every value that `parents` names, as the member or element that comes last. */
export interface JsonPlace {
  /** The whole path. */
  readonly path: JsonPath;
  readonly parents: JsonPath;
  readonly last: { readonly kind: 'name'; readonly name: string } | { readonly kind: 'index'; readonly index: number };
  /** Whether objects are made on the way where there is nothing: only when all steps are names, so that one place is meant. */
  readonly makesParents: boolean;
}

/** The place that a path ends in; `undefined` when it does not end in one name or index, or is the whole text. */
export function placeOf(path: JsonPath): JsonPlace | undefined {
  const { segments } = path;
  const parents = { segments: segments.slice(0, -1) };
  const { isDescendant = true, selectors = [] } = segments.at(-1) ?? {};
  const [last] = selectors;
  if (isDescendant || selectors.length !== 1 || (last?.kind !== 'name' && last?.kind !== 'index')) return undefined;
  return { path, parents, last, makesParents: isSingular(parents) && parents.segments.every(isName) };
}

function isName({ selectors }: Segment): boolean {
  return selectors[0]?.kind === 'name';
}

/**
 * Puts a value into a place: what is there is replaced, or kept; where nothing is, it is added. An element is added only right behind the
 * last one. What holds no such thing (a text, a number, an array for a name) stays as it is.
 * @param keeps whether what is there stays
 * @returns whether the value now is, or something already was, in at least one place
 */
export function put(document: JsonDocument, place: JsonPlace, text: string, keeps: boolean): boolean {
  const { segments } = place.parents;
  const parents = segmentsFrom(document, [document.root], segments);
  if (parents.length === 0 && place.makesParents) return putDeep(document, place, text);
  let isPut = false;
  for (const parent of parents) isPut = putInto(document, parent, place.last, text, keeps) || isPut;
  return isPut;
}

function putInto(
  document: JsonDocument,
  parent: JsonNode,
  last: JsonPlace['last'],
  text: string,
  keeps: boolean,
): boolean {
  const isName = last.kind === 'name';
  if (isName ? !document.isObject(parent) : !document.isArray(parent)) return false;
  const children = document.childrenOf(parent);
  document.visit(children.length);
  const there = isName ? children.filter(({ name }) => name === last.name) : elementAt(children, last.index);
  if (there.length > 0) {
    if (!keeps) for (const node of there) document.replace(node, text);
    return true;
  }
  if (!isName && last.index !== children.length) return false;
  document.append(parent, isName ? last.name : undefined, text);
  return true;
}

function elementAt(children: readonly JsonNode[], index: number): readonly JsonNode[] {
  const child = children.at(index);
  return child === undefined ? [] : [child];
}

/** Makes the objects that are missing on the way: as one value, put where the way breaks off. */
function putDeep(document: JsonDocument, { parents, last }: JsonPlace, text: string): boolean {
  if (last.kind !== 'name') return false;
  const names = [...parents.segments.map(nameIn), last.name];
  let holder = document.root;
  for (const [at, name] of names.entries()) {
    if (!document.isObject(holder)) return false;
    const next = document.childrenOf(holder).findLast((child) => child.name === name);
    if (next === undefined) {
      document.append(holder, name, nested(names.slice(at + 1), text));
      return true;
    }
    holder = next;
  }
  return false;
}

function nested(names: readonly string[], text: string): string {
  return names.reduceRight((inner, name) => `{${JSON.stringify(name)}:${inner}}`, text);
}

function nameIn({ selectors: [selector] }: Segment): string {
  return selector?.kind === 'name' ? selector.name : '';
}
