import { hasDuplicateNames } from './duplicate-names.ts';
import type { JsonNode } from './json-node.ts';

/** A filter was to look at a text with a name twice in one object. Which of the two counts differs between readers. */
export class JsonAmbiguityError extends Error {
  override readonly name = 'JsonAmbiguityError';
}

/**
 * The values of a text's places for filters. The text is parsed once, whatever its levels; what was put into it, once more; and of what was
 * edited only the holders are made anew.
 */
export class FilterValues {
  readonly #childrenOf: (node: JsonNode) => readonly JsonNode[];
  readonly #text: string;
  readonly #root: unknown;
  /** As they came; with the text, because a place may get another one. */
  readonly #asCame = new Map<JsonNode, { readonly source: string; readonly value: unknown }>();
  /** Those with edits in them, until the next edit. */
  readonly #edited = new Map<JsonNode, unknown>();

  /**
   * @param text whose levels were found to be few enough
   * @param root what `JSON.parse` made of it
   * @param childrenOf what a place holds now
   * @throws JsonAmbiguityError
   */
  constructor(text: string, root: unknown, childrenOf: (node: JsonNode) => readonly JsonNode[]) {
    if (hasDuplicateNames(text, root)) throw new JsonAmbiguityError('a name stands twice in an object');
    this.#text = text;
    this.#root = root;
    this.#childrenOf = childrenOf;
  }

  /** The value of a place as it is now. */
  of(node: JsonNode): unknown {
    if (!node.isChanged || node.held === undefined) return this.#cameAs(node);
    if (!this.#edited.has(node)) this.#edited.set(node, this.#madeAnew(node));
    return this.#edited.get(node);
  }

  /** Says that something was edited. */
  forgetEdited(): void {
    this.#edited.clear();
  }

  #cameAs(node: JsonNode): unknown {
    const { source, parent } = node;
    const known = this.#asCame.get(node);
    if (known?.source === source) return known.value;
    const value = this.#found(node, parent);
    this.#asCame.set(node, { source, value });
    return value;
  }

  #found({ source, start, end, key }: JsonNode, parent: JsonNode | undefined): unknown {
    if (parent === undefined) return source === this.#text ? this.#root : JSON.parse(source);
    // What was put in is a text of its own, and begins it; what came within one stands behind a bracket.
    if (start === 0) return JSON.parse(source.slice(0, end));
    return (this.#cameAs(parent) as Readonly<Record<string | number, unknown>>)[key ?? 0];
  }

  #madeAnew(node: JsonNode): unknown {
    const children = this.#childrenOf(node);
    const isObject = node.source.startsWith('{', node.start);
    if (!isObject) return children.map((child) => this.of(child));
    return Object.fromEntries(children.map((child) => [child.name, this.of(child)]));
  }
}
