import { isAdded, type Held, type JsonNode } from './json-node.ts';
import { OBJECT, afterBlanks, afterString } from './scan.ts';

/** The text of a value as it is now: what did not change is in as few pieces as can be of the text that it came in. */
export function rendered(node: JsonNode): string {
  const { source, start, end, held } = node;
  if (!node.isChanged || held === undefined) return source.slice(start, end);
  if (held.isRebuilt) return rebuilt(node, held);
  let text = '';
  let at = start;
  for (const child of held.nodes) {
    if (!child.isChanged) continue;
    text += source.slice(at, child.valueStart);
    text += rendered(child);
    at = child.valueEnd;
  }
  return text + source.slice(at, end);
}

function rebuilt(node: JsonNode, { nodes, model, tailStart }: Held): string {
  const { source, start, end } = node;
  const isObject = source.charCodeAt(start) === OBJECT;
  let text = source.slice(start, start + 1);
  let before: JsonNode | undefined;
  for (const child of nodes) {
    if (child.isRemoved) continue;
    if (before !== undefined) text += `${gapAfter(node, before)},`;
    text += isAdded(child) ? added(child, source, model, isObject) : kept(child, source);
    before = child;
  }
  return text + source.slice(tailStart, end);
}

/** White space between a value and its comma. Behind the last one it belongs to the bracket. */
function gapAfter({ source, end }: JsonNode, child: JsonNode): string {
  if (isAdded(child)) return '';
  const next = afterBlanks(source, child.valueEnd);
  return next >= end - 1 ? '' : source.slice(child.valueEnd, next);
}

function kept(child: JsonNode, source: string): string {
  const { lead, valueStart, valueEnd } = child;
  if (!child.isChanged) return source.slice(lead, valueEnd);
  if (!child.isRenamed) return source.slice(lead, valueStart) + rendered(child);
  const nameStart = afterBlanks(source, lead);
  const colon = source.slice(afterString(source, nameStart), valueStart);
  return source.slice(lead, nameStart) + JSON.stringify(child.name) + colon + rendered(child);
}

/** A new member is spaced as the first one is. */
function added(child: JsonNode, source: string, model: JsonNode | undefined, isObject: boolean): string {
  const modelStart = model === undefined ? 0 : afterBlanks(source, model.lead);
  const lead = model === undefined ? '' : source.slice(model.lead, modelStart);
  if (!isObject) return lead + rendered(child);
  const colon = model === undefined ? ':' : source.slice(afterString(source, modelStart), model.valueStart);
  return `${lead}${JSON.stringify(child.name)}${colon}${rendered(child)}`;
}
