import { isToken } from './field-names.ts';
import { fieldValue } from './http1-request-head.ts';

/** What the fields of an answer say of its framing and its connection. */
export class ResponseFields {
  /** Name and value by turns, as received. */
  readonly pairs: string[] = [];
  /** `undefined` where none is stated. */
  length: number | undefined;
  isChunked = false;
  /** Protocol that the answer names. */
  upgrade = '';
  /** Values of `connection` in lower case, and of `keep-alive`. */
  connection = '';
  keepAlive = '';

  /**
   * Reads lines of fields. @param text each line with its end
   * @returns `false` for what no recipient may guess at: lengths in doubt, lines that are no fields, continued lines
   */
  read(text: string, start: number): boolean {
    let at = start;
    while (at < text.length) {
      const colon = text.indexOf(':', at);
      const lineEnd = text.indexOf('\r\n', at);
      if (colon === -1 || colon > lineEnd) return false;
      const name = text.slice(at, colon);
      const value = trimmed(text, colon + 1, lineEnd);
      if (!isToken(name) || !fieldValue.test(value)) return false;
      this.pairs.push(name, value);
      if (meaningfulLengths.has(name.length) && !this.#note(name.toLowerCase(), value)) return false;
      at = lineEnd + 2;
    }
    return true;
  }

  #note(name: string, value: string): boolean {
    switch (name) {
      case 'content-length':
        if (this.length !== undefined || !/^\d{1,15}$/.test(value)) return false;
        this.length = Number(value);
        return true;
      case 'transfer-encoding':
        if (this.isChunked || value.toLowerCase() !== 'chunked') return false;
        this.isChunked = true;
        return true;
      case 'connection':
        this.connection += `,${value.toLowerCase()}`;
        return true;
      case 'keep-alive':
        this.keepAlive = value;
        return true;
      case 'upgrade':
        this.upgrade = value.toLowerCase();
        return true;
      default:
        return true;
    }
  }
}

/** Of the names that mean something here: most others need no second look. */
const meaningfulLengths: ReadonlySet<number> = new Set(
  ['content-length', 'transfer-encoding', 'connection', 'keep-alive', 'upgrade'].map(({ length }) => length),
);

/** A value without the blanks around it. */
function trimmed(text: string, from: number, to: number): string {
  let start = from;
  let end = to;
  while (start < end && isBlank(text.charCodeAt(start))) start += 1;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
