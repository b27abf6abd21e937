/**
 * A value within a JSON text: where it stands, and what became of it. Only {@link JsonDocument} writes it. Nodes are made when something
 * looks at what holds them, so a text costs what is touched of it.
 */
export interface JsonNode {
  readonly parent: JsonNode | undefined;
  /** Levels around it. */
  readonly depth: number;
  /** Of a member; `undefined` for elements and the whole text. */
  name: string | undefined;
  /** Where it stands in its holder's text; `undefined` when it was added. */
  readonly place: NodePlace | undefined;
  /** The text that the value is in, and where in it. */
  source: string;
  start: number;
  end: number;
  /** What it holds, once looked at. Those that were removed may still be among them. */
  children: JsonNode[] | undefined;
  /** Where the last of those that it came with ended: what stands behind is kept. */
  tailStart: number;
  /** Of the first that it came with: new ones are spaced as it is. */
  model: NodePlace | undefined;
  isRemoved: boolean;
  isRenamed: boolean;
  hasRemoved: boolean;
  /** It or something in it is not as it was. */
  isChanged: boolean;
}

/** Positions in the text of the holder. */
export interface NodePlace {
  /** After the bracket or comma before it. */
  readonly lead: number;
  readonly nameStart: number;
  readonly nameEnd: number;
  readonly valueStart: number;
  readonly valueEnd: number;
  /** Of the comma or bracket behind it. */
  readonly next: number;
}

/** A node of a text of its own. */
export function newNode(
  parent: JsonNode | undefined,
  name: string | undefined,
  source: string,
  start: number,
  end: number,
  place?: NodePlace,
): JsonNode {
  return {
    parent,
    depth: parent === undefined ? 0 : parent.depth + 1,
    name,
    place,
    source,
    start,
    end,
    children: undefined,
    tailStart: -1,
    model: undefined,
    isRemoved: false,
    isRenamed: false,
    hasRemoved: false,
    isChanged: place === undefined,
  };
}
