import type { JsonDocument } from './json-document.ts';
import type { JsonNode } from './json-node.ts';
import type { JsonPath, Segment, Selector } from './json-path.ts';

/**
 * The values that a path names in a text as it is now, each once. Every member of a name that stands several times in an object is named
 * by it. @throws JsonLimitError
 */
export function selected(document: JsonDocument, { segments }: JsonPath): readonly JsonNode[] {
  return segmentsFrom(document, [document.root], segments);
}

/** The values that further segments name. @throws JsonLimitError */
export function segmentsFrom(
  document: JsonDocument,
  nodes: readonly JsonNode[],
  segments: readonly Segment[],
): readonly JsonNode[] {
  let found = nodes;
  for (const { isDescendant, selectors } of segments) {
    const holders = isDescendant ? withAllBelow(document, found) : found;
    const [selector] = selectors;
    // One selector never names a value twice.
    if (selectors.length === 1 && selector !== undefined) found = picked(document, holders, selector);
    else found = [...new Set(selectors.flatMap((one) => picked(document, holders, one)))];
    if (found.length === 0) break;
  }
  return found;
}

/** The values and all that hold something within them, at every depth, each once. */
function withAllBelow(document: JsonDocument, nodes: readonly JsonNode[]): readonly JsonNode[] {
  const all: JsonNode[] = [];
  // Only values of several can be within one another.
  const seen = nodes.length > 1 ? new Set<JsonNode>() : undefined;
  const waiting = [...nodes];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (seen?.has(node) === true) continue;
    seen?.add(node);
    all.push(node);
    const children = document.childrenOf(node);
    document.visit(children.length);
    for (const child of children) if (isHolder(document, child)) waiting.push(child);
  }
  return all;
}

function isHolder(document: JsonDocument, node: JsonNode): boolean {
  return document.isObject(node) || document.isArray(node);
}

function picked(document: JsonDocument, holders: readonly JsonNode[], selector: Selector): readonly JsonNode[] {
  const found: JsonNode[] = [];
  // Only filters that name a place from the root on need all of the text.
  const root = selector.kind === 'filter' && selector.needsRoot ? document.parsed(document.root) : undefined;
  for (const holder of holders) {
    const isObject = document.isObject(holder);
    if (!isObject && !document.isArray(holder)) continue;
    const children = document.childrenOf(holder);
    document.visit(children.length);
    if (selector.kind !== 'filter') pickOf(children, isObject, selector, found);
    else for (const child of children) if (selector.holds(document.parsed(child), root)) found.push(child);
  }
  return found;
}

function pickOf(
  children: readonly JsonNode[],
  isObject: boolean,
  selector: Exclude<Selector, { kind: 'filter' }>,
  found: JsonNode[],
): void {
  if (selector.kind === 'any') {
    for (const child of children) found.push(child);
  } else if (selector.kind === 'name') {
    if (isObject) for (const child of children) if (child.name === selector.name) found.push(child);
  } else if (selector.kind === 'index') {
    const child = isObject ? undefined : children.at(selector.index);
    if (child !== undefined) found.push(child);
  } else if (!isObject) {
    for (const at of sliceIndexes(children.length, selector)) found.push(children[at] as JsonNode);
  }
}

/** Source: RFC 9535, 2.3.4.2.2. The order is of no use here. */
function* sliceIndexes(length: number, { start, stop, step }: Selector & { kind: 'slice' }): Generator<number> {
  if (step === 0) return;
  const normal = (index: number) => (index >= 0 ? index : length + index);
  if (step > 0) {
    const from = Math.min(Math.max(normal(start ?? 0), 0), length);
    const to = Math.min(Math.max(normal(stop ?? length), 0), length);
    for (let at = from; at < to; at += step) yield at;
  } else {
    const from = Math.min(Math.max(normal(start ?? length - 1), -1), length - 1);
    const to = Math.min(Math.max(stop === undefined ? -1 : normal(stop), -1), length - 1);
    for (let at = from; at > to; at += step) yield at;
  }
}
