/**
 * A value within a JSON text: where it stands, and what became of it. Only `JsonDocument` writes it. Nodes are made when something looks at
 * what holds them, so a text costs what is touched of it.
 */
export interface JsonNode {
  readonly parent: JsonNode | undefined;
  /** Levels around it. */
  readonly depth: number;
  /** Of a member; `undefined` for elements and the whole text. */
  name: string | undefined;
  /** Whether it was added: it has no place in its holder's text then, and the positions there mean nothing. */
  readonly isAdded: boolean;
  /** Positions in the holder's text: after the bracket or comma before it, … */
  readonly lead: number;
  readonly nameStart: number;
  readonly nameEnd: number;
  readonly valueStart: number;
  readonly valueEnd: number;
  /** … and of the comma or bracket behind it. */
  readonly next: number;
  /** The text that the value is in, and where in it. */
  source: string;
  start: number;
  end: number;
  /** What it holds, once looked at. Those that were removed may still be among them. */
  children: JsonNode[] | undefined;
  /** Where the last of those that it came with ended: what stands behind is kept. */
  tailStart: number;
  /** The first that it came with: new ones are spaced as it is. */
  model: JsonNode | undefined;
  isRemoved: boolean;
  isRenamed: boolean;
  hasRemoved: boolean;
  /** It or something in it is not as it was. */
  isChanged: boolean;
  /** Something that it held was removed, added or renamed. */
  isRebuilt: boolean;
}

/** The whole text. */
export function rootNode(source: string, start: number, end: number): JsonNode {
  return makeNode(undefined, undefined, source, false, 0, 0, 0, start, end, end);
}

/** A value that the text came with. */
export function foundNode(
  parent: JsonNode,
  name: string | undefined,
  lead: number,
  nameStart: number,
  nameEnd: number,
  valueStart: number,
  valueEnd: number,
  next: number,
): JsonNode {
  return makeNode(parent, name, parent.source, false, lead, nameStart, nameEnd, valueStart, valueEnd, next);
}

/** A value that was added, with its own text. */
export function addedNode(parent: JsonNode, name: string | undefined, source: string): JsonNode {
  return makeNode(parent, name, source, true, 0, 0, 0, 0, source.length, 0);
}

/** All nodes have one shape: what reads them is compiled for it. */
function makeNode(
  parent: JsonNode | undefined,
  name: string | undefined,
  source: string,
  isAdded: boolean,
  lead: number,
  nameStart: number,
  nameEnd: number,
  valueStart: number,
  valueEnd: number,
  next: number,
): JsonNode {
  return {
    parent,
    depth: parent === undefined ? 0 : parent.depth + 1,
    name,
    isAdded,
    lead,
    nameStart,
    nameEnd,
    valueStart,
    valueEnd,
    next,
    source,
    start: valueStart,
    end: valueEnd,
    children: undefined,
    tailStart: -1,
    model: undefined,
    isRemoved: false,
    isRenamed: false,
    hasRemoved: false,
    isChanged: isAdded,
    isRebuilt: false,
  };
}
