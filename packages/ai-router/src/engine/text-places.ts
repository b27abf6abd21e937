import { isJsonObject, type JsonObject } from '../json.ts';

/** One text of a request, an answer or a chunk, where it stands. */
export interface TextPlace {
  /** The same for pieces of one text: chunks of a stream, parts of one message. */
  readonly key: string;
  readonly holder: JsonObject;
  /** What holds the text; of a name, the name itself. */
  readonly field: string;
  readonly text: string;
  /** Whether it can be judged, and not be changed in place: the name of a member that a client or a model chose, a text in base64. */
  readonly isFixed?: true;
  /** The list whose items are parts of one text, and which of them this is: each part means something alone, too. */
  readonly part?: { readonly list: unknown[]; readonly item: unknown };
  /** Whether the text is JSON, so that its strings may be spelt with escapes. */
  readonly isJson?: true;
}

/** Gives the key of a text that is a piece of one. */
export type KeyOf = (holder: JsonObject, field: string) => string;

/** Texts of one request or answer that are judged: no more are looked for than show that there are more. */
export const JUDGED_TEXTS_MAX = 50_000;

/** Most levels that are searched. Requests have fewer (`read-request.ts`); no answer has as many that anybody reads. */
const DEPTH_MAX = 128;

/** Members with what clients or models say in their own words: no name in there is formal. */
const freeFields: ReadonlySet<string> = new Set([
  'input',
  'arguments',
  'parameters',
  'input_schema',
  'schema',
  'variables',
  'metadata',
]);

/** Members of forms whose value is a word of the form, as long as it is one word. */
const formalFields: ReadonlySet<string> = new Set([
  'role',
  'type',
  'id',
  'finish_reason',
  'stop_reason',
  'tool_call_id',
  'tool_use_id',
  'call_id',
  'item_id',
  'file_id',
  'status',
  'object',
  'model',
  'media_type',
  'detail',
  'format',
  'signature',
  'encrypted_content',
  'system_fingerprint',
  'service_tier',
  'obfuscation',
]);

/** Members that hold an address, or bytes as base64. */
const addressFields: ReadonlySet<string> = new Set(['url', 'image_url', 'file_url', 'file_data']);

/** Words of JSON Schema, with which nobody says anything. */
const schemaWords: ReadonlySet<string> = new Set([
  ...['type', 'object', 'string', 'number', 'integer', 'boolean', 'array', 'null', 'properties', 'required', 'items'],
  ...['enum', 'const', 'description', 'title', 'default', 'format', 'anyOf', 'oneOf', 'allOf', '$ref', '$defs'],
  ...['additionalProperties', 'minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'pattern'],
]);

const ONE_WORD = /^\S*$/;
const ADDRESS_OR_BASE64 = /^(?:https?:\S*|data:[^,\s]*;base64,\S*|[A-Za-z0-9+/=_-]{1024,})$/;

/** Finds texts of one JSON object: all strings but those that are formal by their place. */
export class TextSearch {
  readonly places: TextPlace[] = [];
  readonly #where: string;
  readonly #keyOf: KeyOf | undefined;

  /**
   * @param where tells this object from others whose texts are judged together
   * @param keyOf of pieces; without it each text has a key of its own, and parts of one list share theirs
   */
  constructor(where = '', keyOf?: KeyOf) {
    this.#where = where;
    this.#keyOf = keyOf;
  }

  /** @param isFree whether `field` is within what somebody said in words of their own */
  visit(holder: JsonObject, field: string, isFree = false, depth = 0): void {
    const value = holder[field];
    if (this.places.length > JUDGED_TEXTS_MAX) return;
    if (typeof value === 'string') {
      if (!isFree) this.#addCoded(holder, field, value);
      if (!(isFree ? field === 'type' && schemaWords.has(value) : isFormal(holder, field, value)))
        this.add(holder, field);
      return;
    }
    if (typeof value !== 'object' || value === null || depth === DEPTH_MAX) return;
    if (Array.isArray(value)) return this.#visitList(value, isFree, depth);
    const inner = value as JsonObject;
    for (const name of Object.keys(inner)) {
      if (isFree && !schemaWords.has(name)) this.#addName(inner, name);
      this.visit(inner, name, isFree || (freeFields.has(name) && typeof inner[name] === 'object'), depth + 1);
    }
  }

  add(holder: JsonObject, field: string): void {
    const text = holder[field];
    if (typeof text !== 'string' || text === '') return;
    const key = this.#keyOf?.(holder, field) ?? this.#ownKey();
    const isJson = field === 'arguments' || field === 'partial_json';
    this.places.push({ key, holder, field, text, ...(isJson && { isJson }) });
  }

  #visitList(list: unknown[], isFree: boolean, depth: number): void {
    const key = `list ${this.#ownKey()}`;
    for (const [index, item] of list.entries()) {
      const holder = list as unknown as JsonObject;
      if (!isJsonObject(item) || isFree || typeof item['text'] !== 'string') {
        this.visit(holder, String(index), isFree, depth + 1);
        continue;
      }
      this.#addPart(item, key, list);
      for (const name of Object.keys(item)) {
        const isFreeMember = freeFields.has(name) && typeof item[name] === 'object';
        if (name !== 'text') this.visit(item, name, isFreeMember, depth + 2);
      }
    }
  }

  #addPart(item: JsonObject, ownKey: string, list: unknown[]): void {
    const text = item['text'];
    if (typeof text !== 'string' || text === '') return;
    const key = this.#keyOf?.(item, 'text') ?? ownKey;
    this.places.push({ key, holder: item, field: 'text', text, part: { list, item } });
  }

  #ownKey(): string {
    return `${this.#where} ${this.places.length}`;
  }

  /** A document of text is one in base64, too. */
  #addCoded(holder: JsonObject, field: string, value: string): void {
    const url = addressFields.has(field) ? /^data:text\/[^,]*;base64,/i.exec(value) : null;
    const isDocument = field === 'data' && /^text\//i.test(String(holder['media_type']));
    if (url === null && !isDocument) return;
    const text = Buffer.from(value.slice(url?.[0].length ?? 0), 'base64').toString('utf8');
    this.places.push({ key: this.#ownKey(), holder, field, text, isFixed: true });
  }

  #addName(holder: JsonObject, name: string): void {
    this.places.push({ key: this.#ownKey(), holder, field: name, text: name, isFixed: true });
  }
}

function isFormal(holder: JsonObject, field: string, text: string): boolean {
  if (formalFields.has(field)) return ONE_WORD.test(text);
  if (addressFields.has(field)) return ADDRESS_OR_BASE64.test(text);
  if (field !== 'data') return false;
  return holder['type'] === 'base64' || holder['type'] === 'redacted_thinking' || typeof holder['format'] === 'string';
}
