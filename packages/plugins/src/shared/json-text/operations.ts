import type { JsonDocument } from './json-document.ts';
import type { JsonNode } from './json-node.ts';
import type { JsonPath } from './json-path.ts';
import { put, type JsonPlace } from './place.ts';
import { selected } from './select.ts';

/** One change of a text, compiled. Values are compact JSON texts. None of them fails where there is nothing to change. */
export type JsonOperation =
  | { readonly op: 'remove'; readonly path: JsonPath }
  /** The members get another name, where they are, and replace what had that name. Elements have none and stay. */
  | { readonly op: 'rename'; readonly path: JsonPath; readonly name: string }
  /** Only where there is a value. */
  | { readonly op: 'replace'; readonly path: JsonPath; readonly text: string }
  | { readonly op: 'set'; readonly place: JsonPlace; readonly text: string }
  /** Only where there is none. */
  | { readonly op: 'add'; readonly place: JsonPlace; readonly text: string }
  | { readonly op: 'move' | 'copy'; readonly path: JsonPath; readonly place: JsonPlace };

/** Applies one operation. @throws JsonLimitError */
export function applyOperation(document: JsonDocument, operation: JsonOperation): void {
  if (operation.op === 'set' || operation.op === 'add') {
    put(document, operation.place, operation.text, operation.op === 'add');
    return;
  }
  const nodes = selected(document, operation.path);
  if (operation.op === 'remove') for (const node of nodes) document.remove(node);
  else if (operation.op === 'replace') for (const node of nodes) document.replace(node, operation.text);
  else if (operation.op === 'rename') rename(document, nodes, operation.name);
  else transfer(document, nodes, operation);
}

function rename(document: JsonDocument, nodes: readonly JsonNode[], name: string): void {
  const members = nodes.filter((node) => node.name !== undefined && node.name !== name);
  const renamed = new Set(members);
  for (const parent of new Set(members.map((node) => node.parent))) {
    if (parent === undefined) continue;
    for (const child of document.childrenOf(parent)) {
      if (child.name === name && !renamed.has(child)) document.remove(child);
    }
  }
  for (const node of members) document.rename(node, name);
}

/** Of several members of one name the last counts, as for readers; all are moved away. */
function transfer(
  document: JsonDocument,
  nodes: readonly JsonNode[],
  { op, place }: JsonOperation & { op: 'move' | 'copy' },
): void {
  const last = nodes.at(-1);
  if (last === undefined) return;
  const text = document.textOf(last);
  if (op === 'copy') put(document, place, text, false);
  else if (!isWithin(document, place, nodes)) {
    // Put first: a place that cannot be must not cost the value.
    if (put(document, place, text, false)) for (const node of nodes) document.remove(node);
  }
}

/** Whether a place is one of the values or within one: moved there, the value would go with what held it. */
function isWithin(document: JsonDocument, { path, parents }: JsonPlace, nodes: readonly JsonNode[]): boolean {
  const moved = new Set(nodes);
  for (const start of [...selected(document, path), ...selected(document, parents)]) {
    for (let node: JsonNode | undefined = start; node !== undefined; node = node.parent)
      if (moved.has(node)) return true;
  }
  return false;
}
