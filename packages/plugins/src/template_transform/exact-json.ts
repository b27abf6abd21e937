import { JsonDocument } from '../shared/json-text/json-document.ts';
import type { JsonNode } from '../shared/json-text/json-node.ts';
import { JsonLimitError, afterBlanks, afterValue } from '../shared/json-text/scan.ts';

/** A value of a JSON text as it is written there: no digit and no name of it changes. */
export class ExactJson {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  get text(): string {
    return this.#text;
  }
}

/** A JSON text whose values are looked up by paths. Names and places of an object or list are read when a path first leads through it. */
export class JsonBody {
  readonly #document: JsonDocument;
  readonly #members = new Map<JsonNode, ReadonlyMap<string, JsonNode>>();

  /** @param value what `JSON.parse` made of the text */
  constructor(json: string, value: unknown) {
    this.#document = new JsonDocument(json, value);
  }

  /**
   * A text, null, or the value as it is written; `undefined` where there is none. Of a name that stands twice the last counts, as for
   * `JSON.parse`. @throws JsonLimitError when what the path leads through has too many values
   */
  at(steps: readonly string[]): string | null | ExactJson | undefined {
    let node: JsonNode | undefined = this.#document.root;
    for (const step of steps) {
      if (node === undefined) return undefined;
      node = this.#membersOf(node).get(step);
    }
    if (node === undefined) return undefined;
    const text = this.#document.textOf(node);
    if (text.startsWith('"')) return JSON.parse(text) as string;
    return text === 'null' ? null : new ExactJson(text);
  }

  #membersOf(node: JsonNode): ReadonlyMap<string, JsonNode> {
    const known = this.#members.get(node);
    if (known !== undefined) return known;
    const children = this.#document.childrenOf(node);
    const isObject = this.#document.isObject(node);
    const members = new Map(children.map((child, index) => [isObject ? (child.name ?? '') : String(index), child]));
    this.#members.set(node, members);
    return members;
  }
}

/** Reads a JSON text; `too_complex` for one that is nested too deeply. */
export function readJson(json: string): JsonBody | 'malformed' | 'too_complex' {
  try {
    const value: unknown = JSON.parse(json);
    afterValue(json, afterBlanks(json, 0), 0, undefined);
    return new JsonBody(json, value);
  } catch (error) {
    if (error instanceof JsonLimitError) return 'too_complex';
    if (error instanceof SyntaxError) return 'malformed';
    throw error;
  }
}
