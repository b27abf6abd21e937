import type { JsonNode } from './json-node.ts';
import { OBJECT } from './scan.ts';

/** The text of a value as it is now: what did not change is in as few pieces as can be of the text that it came in. */
export function rendered(node: JsonNode): string {
  const { source, start, end, children } = node;
  if (!node.isChanged || children === undefined) return source.slice(start, end);
  if (node.isRebuilt) return rebuilt(node, children);
  let text = '';
  let at = start;
  for (const child of children) {
    if (!child.isChanged) continue;
    text += source.slice(at, child.valueStart);
    text += rendered(child);
    at = child.valueEnd;
  }
  return text + source.slice(at, end);
}

function rebuilt(node: JsonNode, children: readonly JsonNode[]): string {
  const { source, start, end, model } = node;
  const isObject = source.charCodeAt(start) === OBJECT;
  let text = source.slice(start, start + 1);
  let before: JsonNode | undefined;
  for (const child of children) {
    if (child.isRemoved) continue;
    if (before !== undefined) text += `${gapAfter(node, before)},`;
    text += child.isAdded ? added(child, source, model, isObject) : kept(child, source);
    before = child;
  }
  return text + source.slice(node.tailStart, end);
}

/** White space between a value and its comma. Behind the last one it belongs to the bracket. */
function gapAfter({ source, end }: JsonNode, { isAdded, valueEnd, next }: JsonNode): string {
  return isAdded || next >= end - 1 ? '' : source.slice(valueEnd, next);
}

function kept(child: JsonNode, source: string): string {
  const { lead, nameStart, nameEnd, valueStart, valueEnd } = child;
  if (!child.isChanged) return source.slice(lead, valueEnd);
  if (!child.isRenamed) return source.slice(lead, valueStart) + rendered(child);
  return (
    source.slice(lead, nameStart) + JSON.stringify(child.name) + source.slice(nameEnd, valueStart) + rendered(child)
  );
}

/** A new member is spaced as the first one is. */
function added(child: JsonNode, source: string, model: JsonNode | undefined, isObject: boolean): string {
  const lead = model === undefined ? '' : source.slice(model.lead, model.nameStart);
  if (!isObject) return lead + rendered(child);
  const colon = model === undefined ? ':' : source.slice(model.nameEnd, model.valueStart);
  return `${lead}${JSON.stringify(child.name)}${colon}${rendered(child)}`;
}
