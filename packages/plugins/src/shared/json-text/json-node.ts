/**
 * A value within a JSON text: where it stands, and what became of it. Only `JsonDocument` writes it. Nodes are made when something looks at
 * what holds them, so a text costs what is touched of it; and they are small, because a body has thousands.
 */
export interface JsonNode {
  readonly parent: JsonNode | undefined;
  /** Of a member; `undefined` for elements and the whole text. */
  name: string | undefined;
  /** The name or index that it came with. Of what was added it says nothing. */
  readonly key: string | number | undefined;
  /** Positions in the holder's text: after the bracket or comma before it, or -1 when it was added; and of the value. */
  readonly lead: number;
  readonly valueStart: number;
  readonly valueEnd: number;
  /** The text that the value is in, and where in it. */
  source: string;
  start: number;
  end: number;
  /** What it holds, once looked at. */
  held: Held | undefined;
  isRemoved: boolean;
  isRenamed: boolean;
  /** It or something in it is not as it was. */
  isChanged: boolean;
}

/** What an object or array holds. */
export interface Held {
  /** Those that were removed may still be among them. */
  nodes: JsonNode[];
  /** The first that it came with: new ones are spaced as it is. */
  readonly model: JsonNode | undefined;
  /** Where the last of those that it came with ended: what stands behind is kept. */
  readonly tailStart: number;
  hasRemoved: boolean;
  /** Something was removed, added or renamed. */
  isRebuilt: boolean;
}

/** A value that a text came with; without a parent it is all of the text. */
export function foundNode(
  parent: JsonNode | undefined,
  name: string | undefined,
  source: string,
  lead: number,
  start: number,
  end: number,
  key: string | number | undefined = name,
): JsonNode {
  return {
    parent,
    name,
    key,
    lead,
    valueStart: start,
    valueEnd: end,
    source,
    start,
    end,
    held: undefined,
    isRemoved: false,
    isRenamed: false,
    isChanged: lead === ADDED,
  };
}

/** A value that was added, with its own text. */
export function addedNode(parent: JsonNode, name: string | undefined, source: string): JsonNode {
  return foundNode(parent, name, source, ADDED, 0, source.length);
}

export function isAdded({ lead }: JsonNode): boolean {
  return lead === ADDED;
}

/** Levels around a value. */
export function depthOf(node: JsonNode): number {
  let depth = 0;
  for (let holder = node.parent; holder !== undefined; holder = holder.parent) depth += 1;
  return depth;
}

const ADDED = -1;
