import { FilterValues } from './filter-values.ts';
import { addedNode, depthOf, foundNode, type Held, type JsonNode } from './json-node.ts';
import { rendered } from './render.ts';
import {
  ARRAY,
  COMMA,
  JSON_DEPTH_MAX,
  JsonLimitError,
  OBJECT,
  afterBlanks,
  afterString,
  afterValue,
  beforeBlanks,
  endsIn,
} from './scan.ts';

/** Most values of one text that are looked at. */
export const JSON_NODES_MAX = 250_000;

/** How much longer a text may become, in characters: a small value in many places is a large text. */
export const JSON_GROWTH_MAX = 4_194_304;

/** Characters of values that filters may look at, for each of the text's own: nested values count once for each level. */
export const JSON_FILTERED_MAX = 16;

/** Values that all paths of a plugin may look at together: some 150 ms. A filter's counts as {@link FILTER_VISITS}. */
export const JSON_VISITS_MAX = 6_000_000;
const FILTER_VISITS = 8;

/** What may still be done with a text, or with several together: counted down. */
export interface JsonBudget {
  nodes: number;
  growth: number;
  visits: number;
}

export function jsonBudget(): JsonBudget {
  return { nodes: JSON_NODES_MAX, growth: JSON_GROWTH_MAX, visits: JSON_VISITS_MAX };
}

/** Longest text whose closing brackets are looked up: that takes four bytes a character. Those of longer ones are looked for each time. */
const ENDS_LENGTH_MAX = 2_097_152;

/**
 * A JSON text that is changed in places: what no edit touches keeps every character, digits and order and white space. Names that stand
 * several times in one object are all there.
 *
 * All methods throw {@link JsonLimitError} where the text is too deep, has too many places or grows too much; the document is of no use then.
 */
export class JsonDocument {
  readonly #text: string;
  readonly root: JsonNode;
  readonly #budget: JsonBudget;
  #filterLeft: number;
  #ends: Int32Array | undefined;
  readonly #value: unknown;
  #filterValues: FilterValues | undefined;

  /**
   * @param text that `JSON.parse` accepts; else what comes of it means nothing
   * @param value what that made of it, for those who want to use filters
   * @param budget of several texts together; default: of this one
   */
  constructor(text: string, value?: unknown, budget: JsonBudget = jsonBudget()) {
    this.#budget = budget;
    this.#text = text;
    this.#value = value;
    this.#filterLeft = text.length * JSON_FILTERED_MAX;
    const start = afterBlanks(text, 0);
    const end = beforeBlanks(text);
    this.root = foundNode(undefined, undefined, text, 0, start, end);
  }

  isObject({ source, start }: JsonNode): boolean {
    return source.charCodeAt(start) === OBJECT;
  }

  isArray({ source, start }: JsonNode): boolean {
    return source.charCodeAt(start) === ARRAY;
  }

  /** The members or elements of a value, in order; none for what holds nothing. */
  childrenOf(node: JsonNode): readonly JsonNode[] {
    const held = (node.held ??= this.#heldIn(node));
    if (held === undefined) return NOTHING;
    if (held.hasRemoved) {
      held.nodes = held.nodes.filter(({ isRemoved }) => !isRemoved);
      held.hasRemoved = false;
    }
    return held.nodes;
  }

  /** The text of a value as it is now. */
  textOf(node: JsonNode): string {
    return rendered(node);
  }

  /** A value as it is now, to be looked at and not changed. For filters: the sizes of values are counted. @throws JsonAmbiguityError */
  parsed(node: JsonNode): unknown {
    this.visit(FILTER_VISITS);
    this.#filterLeft -= node.end - node.start;
    if (this.#filterLeft < 0) throw new JsonLimitError('too much to filter');
    return this.#valuesForFilters().of(node);
  }

  /** Counts values that a path looks at. */
  visit(count: number): void {
    this.#budget.visits -= count;
    if (this.#budget.visits < 0) throw new JsonLimitError('too many values to look at');
  }

  /** @param text of the new value, compact JSON */
  replace(node: JsonNode, text: string): void {
    this.#grow(text.length - (node.end - node.start));
    node.source = text;
    node.start = 0;
    node.end = text.length;
    node.held = undefined;
    node.isChanged = true;
    touch(node.parent);
    this.#filterValues?.forgetEdited();
  }

  /** Removes a member or element. The whole text cannot be removed. */
  remove(node: JsonNode): void {
    const { parent } = node;
    if (parent === undefined) return;
    node.isRemoved = true;
    if (parent.held !== undefined) parent.held.hasRemoved = true;
    this.#rebuild(parent);
  }

  rename(node: JsonNode, name: string): void {
    this.#grow(name.length);
    node.name = name;
    node.isRenamed = true;
    node.isChanged = true;
    this.#rebuild(node.parent);
  }

  /** Adds a member or, without a name, an element behind the others. */
  append(parent: JsonNode, name: string | undefined, text: string): void {
    this.#grow(text.length + (name?.length ?? 0) + 4);
    this.#count();
    if (depthOf(parent) >= JSON_DEPTH_MAX) throw new JsonLimitError('nested too deeply');
    this.childrenOf(parent);
    parent.held?.nodes.push(addedNode(parent, name, text));
    this.#rebuild(parent);
  }

  /** The whole text as it is now; the very same when nothing changed. */
  toText(): string {
    const { root } = this;
    if (!root.isChanged) return this.#text;
    const { valueStart, valueEnd } = root;
    return this.#text.slice(0, valueStart) + rendered(root) + this.#text.slice(valueEnd);
  }

  #heldIn(node: JsonNode): Held | undefined {
    const { source, start, end } = node;
    const isObject = this.isObject(node);
    if (!isObject && !this.isArray(node)) return undefined;
    // Texts that were put in are short; their own positions are no others'.
    const ends = source === this.#text ? this.#endsOfText() : undefined;
    const depth = depthOf(node) + 1;
    const nodes: JsonNode[] = [];
    let lead = start + 1;
    let at = afterBlanks(source, lead);
    let tailStart = lead;
    while (at < end - 1) {
      this.#count();
      const nameEnd = isObject ? (ends?.[at] ?? afterString(source, at)) : at;
      // Behind the name: its colon.
      const valueStart = isObject ? afterBlanks(source, afterBlanks(source, nameEnd) + 1) : at;
      const valueEnd = afterValue(source, valueStart, depth, ends);
      const name = isObject ? nameOf(source, at, nameEnd) : undefined;
      nodes.push(foundNode(node, name, source, lead, valueStart, valueEnd, name ?? nodes.length));
      tailStart = valueEnd;
      const next = afterBlanks(source, valueEnd);
      if (source.charCodeAt(next) !== COMMA) break;
      lead = next + 1;
      at = afterBlanks(source, lead);
    }
    return { nodes, model: nodes[0], tailStart, hasRemoved: false, isRebuilt: false };
  }

  #valuesForFilters(): FilterValues {
    if (this.#filterValues === undefined) {
      // All brackets are looked at here, so that no text is too deep afterwards.
      this.childrenOf(this.root);
      this.#filterValues = new FilterValues(this.#text, this.#value, (node) => this.childrenOf(node));
    }
    return this.#filterValues;
  }

  /** Says of a holder that it does not hold what it did. */
  #rebuild(node: JsonNode | undefined): void {
    if (node?.held !== undefined) node.held.isRebuilt = true;
    touch(node);
    this.#filterValues?.forgetEdited();
  }

  #endsOfText(): Int32Array | undefined {
    if (this.#text.length > ENDS_LENGTH_MAX) return undefined;
    return (this.#ends ??= endsIn(this.#text));
  }

  #count(): void {
    this.#budget.nodes -= 1;
    if (this.#budget.nodes < 0) throw new JsonLimitError('too many values');
  }

  #grow(characters: number): void {
    this.#budget.growth -= Math.max(0, characters);
    if (this.#budget.growth < 0) throw new JsonLimitError('grows too much');
  }
}

const NOTHING: readonly JsonNode[] = [];

/** Says of a holder and its holders that they are not as they were. */
function touch(node: JsonNode | undefined): void {
  for (let holder = node; holder !== undefined && !holder.isChanged; holder = holder.parent) holder.isChanged = true;
}

function nameOf(source: string, start: number, end: number): string {
  const inner = source.slice(start + 1, end - 1);
  return inner.includes('\\') ? String(JSON.parse(source.slice(start, end))) : inner;
}
