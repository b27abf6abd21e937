import { DocumentSyntaxError, documentLimits, forbiddenKeys } from './document-limits.ts';
import { unstorableOffset } from './text-position.ts';

/** Told where each value begins, with the steps that lead to it; the steps array is reused. */
export type ValueListener = (steps: readonly (string | number)[], offset: number) => void;

const quote = 0x22;
const backslash = 0x5c;
const numberForm = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
/** The words of JSON by their first letter. */
const words: ReadonlyMap<string | undefined, readonly [string, boolean | null]> = new Map([
  ['t', ['true', true]],
  ['f', ['false', false]],
  ['n', ['null', null]],
]);

/** What a {@link JsonScanner} does beside reading. */
export interface JsonScannerOptions {
  /** Whether escapes of NUL or half a surrogate pair pass. */
  readonly keepsUnstorable: boolean;
  readonly onValue?: ValueListener;
}

/**
 * Reads JSON as RFC 8259 has it in one pass and refuses what `JSON.parse` lets pass: duplicate keys, numbers beyond a
 * double, prototype keys, what exceeds {@link documentLimits}, and, unless they are kept, escapes of NUL or half a
 * surrogate pair.
 * @throws DocumentSyntaxError at the first mistake; its message never quotes the document
 */
export class JsonScanner {
  readonly #text: string;
  readonly #keepsUnstorable: boolean;
  readonly #onValue: ValueListener | undefined;
  /** Kept only while someone listens. */
  readonly #steps: (string | number)[] = [];
  #at = 0;

  constructor(text: string, { keepsUnstorable, onValue }: JsonScannerOptions) {
    this.#text = text;
    this.#keepsUnstorable = keepsUnstorable;
    this.#onValue = onValue;
  }

  /** The value of the whole text. */
  document(): unknown {
    const value = this.#value(1);
    this.#skipSpace();
    if (this.#at < this.#text.length) this.#fail('text follows the end of the document');
    return value;
  }

  /** Recursion is bounded by the depth limit. */
  #value(depth: number): unknown {
    this.#skipSpace();
    if (this.#onValue) this.#onValue(this.#steps, this.#at);
    const character = this.#text[this.#at];
    if (character === '{' || character === '[') {
      if (depth > documentLimits.depthMax) this.#fail(`nested deeper than ${documentLimits.depthMax} levels`);
      return character === '{' ? this.#object(depth) : this.#array(depth);
    }
    if (character === '"') return this.#string();
    const word = words.get(character);
    if (!word || !this.#text.startsWith(word[0], this.#at)) return this.#number();
    this.#at += word[0].length;
    return word[1];
  }

  #object(depth: number): Record<string, unknown> {
    const result: Record<string, unknown> = {};
    let keys = 0;
    this.#at += 1;
    if (this.#take('}')) return result;
    do {
      const key = this.#key(result);
      if ((keys += 1) > documentLimits.keysPerObjectMax) {
        this.#fail(`an object has more than ${documentLimits.keysPerObjectMax} keys`);
      }
      if (!this.#take(':')) this.#fail('a colon must follow a key');
      result[key] = this.#inner(key, depth);
    } while (this.#take(','));
    if (!this.#take('}')) this.#fail('a comma or } is missing');
    return result;
  }

  #key(object: Record<string, unknown>): string {
    this.#skipSpace();
    if (this.#text[this.#at] !== '"') this.#fail('a key in double quotes is missing');
    const start = this.#at;
    const key = this.#string();
    if (forbiddenKeys.has(key)) this.#fail('this key is not allowed', start);
    if (Object.hasOwn(object, key)) this.#fail('a key is given twice in one object', start);
    return key;
  }

  #array(depth: number): unknown[] {
    const result: unknown[] = [];
    this.#at += 1;
    if (this.#take(']')) return result;
    do {
      result.push(this.#inner(result.length, depth));
    } while (this.#take(','));
    if (!this.#take(']')) this.#fail('a comma or ] is missing');
    return result;
  }

  #inner(step: string | number, depth: number): unknown {
    if (!this.#onValue) return this.#value(depth + 1);
    this.#steps.push(step);
    const value = this.#value(depth + 1);
    this.#steps.pop();
    return value;
  }

  #string(): string {
    const start = this.#at;
    let at = start + 1;
    let escaped = false;
    for (;;) {
      const code = this.#text.charCodeAt(at);
      if (code === quote) break;
      if (Number.isNaN(code)) this.#fail('a string is not closed', start);
      if (code < 0x20) this.#fail('a control character in a string must be escaped', at);
      if (code === backslash) escaped = true;
      at += code === backslash ? 2 : 1;
    }
    this.#at = at + 1;
    return escaped ? this.#unescaped(start) : this.#text.slice(start + 1, at);
  }

  #unescaped(start: number): string {
    let value: string;
    try {
      value = String(JSON.parse(this.#text.slice(start, this.#at)));
    } catch {
      return this.#fail('a string has an escape that JSON does not know', start);
    }
    if (!this.#keepsUnstorable && unstorableOffset(value) !== undefined) {
      this.#fail('a text holds U+0000 or half a surrogate pair', start);
    }
    return value;
  }

  #number(): number {
    numberForm.lastIndex = this.#at;
    const digits = numberForm.exec(this.#text)?.[0];
    if (digits === undefined) {
      this.#fail(this.#at < this.#text.length ? 'a value is missing or malformed' : 'the document ends too early');
    }
    const value = Number(digits);
    if (!Number.isFinite(value)) this.#fail('a number is too large');
    this.#at += digits.length;
    return value;
  }

  #take(character: string): boolean {
    this.#skipSpace();
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #skipSpace(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#at += 1;
    }
  }

  #fail(message: string, offset: number = this.#at): never {
    throw new DocumentSyntaxError(message, offset);
  }
}
