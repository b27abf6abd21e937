/** A block of a stream of events: what a blank line ends. */
export interface SseFrame {
  /** The event's data, its lines joined by LF; `undefined` for a block that is no event, for instance a comment that keeps a connection alive. */
  readonly data: string | undefined;
  /** The event's name; `undefined` without one, which means `message`. */
  readonly event: string | undefined;
  readonly id: string | undefined;
  /** As it came, its blank line included. Lives in memory that is shared with other frames: never written to. */
  readonly bytes: Uint8Array;
}

const DATA = Buffer.from('data');
const EVENT = Buffer.from('event');
const ID = Buffer.from('id');
const COLON = 58;
const SPACE = 32;

/** A block while its lines come. All positions count from its first byte, so that the block may move in memory. */
export class SseBlock {
  /** Where the line begins that has not ended yet. */
  lineStart = 0;
  hasData = false;
  #firstStart = 0;
  #firstEnd = 0;
  /** Beginnings and ends of the data's second line and those after it, by turns. */
  #more: number[] | undefined;
  #event: string | undefined;
  #id: string | undefined;

  /** The line begins later: what came was the rest of an end of a line. */
  skip(lineStart: number): void {
    this.lineStart = lineStart;
  }

  /**
   * Takes the line that ends.
   * @param at where the block begins in `bytes`
   * @param end where the line ends
   * @param next where the next one begins
   * @returns whether it is empty and so ends the block
   */
  line(bytes: Buffer, at: number, end: number, next: number): boolean {
    const start = this.lineStart;
    this.lineStart = next;
    if (start === end) return true;
    const first = bytes[at + start];
    // d, e, i: the first letters of the fields that count. `retry` is for browsers.
    if (first === 100 || first === 101 || first === 105) this.#field(bytes, at, start, end);
    return false;
  }

  /** The block as a whole. */
  frame(bytes: Buffer): SseFrame {
    return { data: this.hasData ? this.#data(bytes) : undefined, event: this.#event, id: this.#id, bytes };
  }

  #field(bytes: Buffer, at: number, start: number, end: number): void {
    let nameEnd = start;
    // No name that counts is longer than five letters.
    const last = Math.min(end, start + 6);
    while (nameEnd < last && bytes[at + nameEnd] !== COLON) nameEnd += 1;
    if (nameEnd === last && last !== end) return;
    const afterColon = Math.min(nameEnd + 1, end);
    const value = afterColon < end && bytes[at + afterColon] === SPACE ? afterColon + 1 : afterColon;
    if (isName(bytes, at + start, at + nameEnd, DATA)) this.#addData(value, end);
    else if (isName(bytes, at + start, at + nameEnd, EVENT))
      this.#event = bytes.toString('utf8', at + value, at + end) || undefined;
    else if (isName(bytes, at + start, at + nameEnd, ID)) this.#setId(bytes.toString('utf8', at + value, at + end));
  }

  #addData(start: number, end: number): void {
    if (this.hasData) {
      (this.#more ??= []).push(start, end);
      return;
    }
    this.hasData = true;
    this.#firstStart = start;
    this.#firstEnd = end;
  }

  #setId(id: string): void {
    if (!id.includes('\0')) this.#id = id;
  }

  #data(bytes: Buffer): string {
    const first = bytes.toString('utf8', this.#firstStart, this.#firstEnd);
    const more = this.#more;
    if (more === undefined) return first;
    const lines = [first];
    for (let index = 0; index < more.length; index += 2)
      lines.push(bytes.toString('utf8', more[index], more[index + 1]));
    return lines.join('\n');
  }
}

function isName(bytes: Buffer, start: number, end: number, name: Buffer): boolean {
  if (end - start !== name.length) return false;
  for (let index = 0; index < name.length; index += 1) if (bytes[start + index] !== name[index]) return false;
  return true;
}
