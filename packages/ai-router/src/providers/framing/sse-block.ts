/** A block of a stream of events: what a blank line ends. */
export interface SseFrame {
  /**
   * The event's data, its lines joined by LF; `undefined` for a block that is no event, for instance a comment that keeps a connection
   * alive. Decoded when it is asked for.
   */
  readonly data: string | undefined;
  /** The event's name; `undefined` without one, which means `message`. */
  readonly event: string | undefined;
  readonly id: string | undefined;
  /** As it came, its blank line included. Lives in memory that is shared with other frames: never written to. */
  readonly bytes: Buffer;
  /** Whether it is one line of data and nothing else. */
  readonly isPlain: boolean;
}

const DATA = Buffer.from('data');
const EVENT = Buffer.from('event');
const ID = Buffer.from('id');
const COLON = 58;
const SPACE = 32;
const NO_BYTES = Buffer.alloc(0);

/** A block while its lines come, and the frame that it becomes. All positions count from its first byte, so that it may move in memory. */
export class SseBlock implements SseFrame {
  /** Where the line begins that has not ended yet. */
  lineStart = 0;
  bytes: Buffer = NO_BYTES;
  event: string | undefined = undefined;
  id: string | undefined = undefined;
  #lines = 0;
  /** The data's first line; -1 without one. */
  #start = -1;
  #end = -1;
  /** Beginnings and ends of the data's second line and those after it, by turns. */
  #more: number[] | undefined = undefined;

  get hasData(): boolean {
    return this.#start !== -1;
  }

  get isPlain(): boolean {
    return this.#lines === 1 && this.#start !== -1;
  }

  get data(): string | undefined {
    if (this.#start === -1) return undefined;
    const first = this.bytes.toString('utf8', this.#start, this.#end);
    const more = this.#more;
    if (more === undefined) return first;
    const lines = [first];
    for (let at = 0; at < more.length; at += 2) lines.push(this.bytes.toString('utf8', more[at], more[at + 1]));
    return lines.join('\n');
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
    this.#lines += 1;
    const first = bytes[at + start];
    // d, e, i: the first letters of the fields that count. `retry` is for browsers.
    if (first === 100 || first === 101 || first === 105) this.#field(bytes, at, start, end);
    return false;
  }

  /** The block as a whole. */
  frame(bytes: Buffer): SseFrame {
    this.bytes = bytes;
    return this;
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
    else if (isName(bytes, at + start, at + nameEnd, EVENT)) {
      this.event = bytes.toString('utf8', at + value, at + end) || undefined;
    } else if (isName(bytes, at + start, at + nameEnd, ID)) {
      this.#setId(bytes.toString('utf8', at + value, at + end));
    }
  }

  #addData(start: number, end: number): void {
    if (this.#start !== -1) {
      (this.#more ??= []).push(start, end);
      return;
    }
    this.#start = start;
    this.#end = end;
  }

  #setId(id: string): void {
    if (!id.includes('\0')) this.id = id;
  }
}

function isName(bytes: Buffer, start: number, end: number, name: Buffer): boolean {
  if (end - start !== name.length) return false;
  for (let index = 0; index < name.length; index += 1) if (bytes[start + index] !== name[index]) return false;
  return true;
}
