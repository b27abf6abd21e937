import type { JsonNode, NodePlace } from './json-node.ts';
import { OBJECT } from './scan.ts';

/** The text of a value as it is now: what did not change is one piece of the text that it came in. */
export function rendered(node: JsonNode): string {
  const { source, start, end, children, model } = node;
  if (!node.isChanged || children === undefined) return source.slice(start, end);
  const isObject = source.charCodeAt(start) === OBJECT;
  let text = source.slice(start, start + 1);
  let before: NodePlace | undefined;
  let isFirst = true;
  for (const child of children) {
    if (child.isRemoved) continue;
    if (!isFirst) text += `${gapAfter(node, before)},`;
    text += child.place === undefined ? added(child, source, model, isObject) : kept(child, child.place, source);
    before = child.place;
    isFirst = false;
  }
  return text + source.slice(node.tailStart, end);
}

/** White space between a value and its comma. Behind the last one it belongs to the bracket. */
function gapAfter({ source, end }: JsonNode, place: NodePlace | undefined): string {
  return place === undefined || place.next >= end - 1 ? '' : source.slice(place.valueEnd, place.next);
}

function kept(child: JsonNode, place: NodePlace, source: string): string {
  const { lead, nameStart, nameEnd, valueStart } = place;
  if (!child.isChanged) return source.slice(lead, place.valueEnd);
  if (!child.isRenamed) return source.slice(lead, valueStart) + rendered(child);
  return (
    source.slice(lead, nameStart) + JSON.stringify(child.name) + source.slice(nameEnd, valueStart) + rendered(child)
  );
}

/** A new member is spaced as the first one is. */
function added(child: JsonNode, source: string, model: NodePlace | undefined, isObject: boolean): string {
  const lead = model === undefined ? '' : source.slice(model.lead, model.nameStart);
  if (!isObject) return lead + rendered(child);
  const colon = model === undefined ? ':' : source.slice(model.nameEnd, model.valueStart);
  return `${lead}${JSON.stringify(child.name)}${colon}${rendered(child)}`;
}
