import { EVENT_BYTES_MAX, StreamTooLargeError } from '../errors.ts';
import { HeldBytes } from './held-bytes.ts';
import { type SseFrame, SseBlock } from './sse-block.ts';

export type { SseFrame } from './sse-block.ts';

const LF = 10;
const CR = 13;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/**
 * Reads server-sent events piece by piece. Lines end with LF, CRLF or CR, which pieces may split anywhere. The time it takes grows with the
 * bytes alone, however they are cut. What comes whole is not copied: frames point into the pieces.
 * Source: WHATWG HTML, server-sent events; ai, Streaming.
 */
export class SseParser {
  readonly #bytesMax: number;
  /** The block that is not whole yet. */
  readonly #held: HeldBytes = new HeldBytes();
  /** How much of it was searched for ends of lines. */
  #searched = 0;
  #block: SseBlock = new SseBlock();
  /** The last byte was a CR, and an LF would belong to it. */
  #afterCr = false;
  /** Bytes of the byte order mark that were seen; more than all of them once the stream has begun. */
  #markSeen = 0;

  /** @param bytesMax longest block, its blank line included */
  constructor(bytesMax: number = EVENT_BYTES_MAX) {
    this.#bytesMax = bytesMax;
  }

  /** Whether the byte that comes next begins a block. */
  get isBetweenBlocks(): boolean {
    return this.#searched === 0 && !this.#afterCr && this.#markSeen >= BYTE_ORDER_MARK.length;
  }

  /**
   * The blocks that became whole. Their `bytes` one after another are the stream, but for a byte order mark at its beginning.
   * @throws StreamTooLargeError for a block above the bound; the parser is of no use afterwards
   */
  push(piece: Uint8Array): readonly SseFrame[] {
    const bytes = this.#held.joined(this.#withoutMark(piece));
    const frames: SseFrame[] = [];
    let blockStart = 0;
    let at = this.#searched;
    if (this.#afterCr && at < bytes.length) {
      this.#afterCr = false;
      if (bytes[at] === LF) this.#block.lineStart = at += 1;
    }
    let lf = indexOf(bytes, LF, at);
    let cr = indexOf(bytes, CR, at);
    while (lf !== bytes.length || cr !== bytes.length) {
      const end = Math.min(lf, cr);
      let next = end + 1;
      if (end === cr) {
        if (next === bytes.length) this.#afterCr = true;
        else if (bytes[next] === LF) next += 1;
      }
      if (this.#block.line(bytes, blockStart, end - blockStart, next - blockStart)) {
        if (next - blockStart > this.#bytesMax) throw new StreamTooLargeError('an event of the stream is too long');
        frames.push(this.#block.frame(bytes.subarray(blockStart, next)));
        this.#block = new SseBlock();
        blockStart = next;
      }
      if (lf < next) lf = indexOf(bytes, LF, next);
      if (cr < next) cr = indexOf(bytes, CR, next);
    }
    this.#keep(bytes, blockStart);
    return frames;
  }

  /**
   * What was left when the stream closed: a block whose blank line never came, which browsers would drop and providers mean. Its `bytes`
   * end with a blank line all the same.
   */
  end(): readonly SseFrame[] {
    const bytes = this.#held.take();
    const block = this.#block;
    this.#block = new SseBlock();
    this.#searched = 0;
    if (block.lineStart < bytes.length) block.line(bytes, 0, bytes.length, bytes.length);
    return block.hasData ? [block.frame(Buffer.concat([bytes, Buffer.from('\n\n')]))] : [];
  }

  #keep(bytes: Buffer, blockStart: number): void {
    if (bytes.length - blockStart > this.#bytesMax) throw new StreamTooLargeError('an event of the stream is too long');
    this.#held.keep(bytes, blockStart);
    this.#searched = bytes.length - blockStart;
  }

  #withoutMark(bytes: Uint8Array): Uint8Array {
    if (this.#markSeen >= BYTE_ORDER_MARK.length) return bytes;
    let at = 0;
    while (at < bytes.length && this.#markSeen < BYTE_ORDER_MARK.length) {
      if (bytes[at] !== BYTE_ORDER_MARK[this.#markSeen]) {
        // What looked like a mark is the beginning of a line.
        const seen = this.#markSeen;
        this.#markSeen = BYTE_ORDER_MARK.length;
        return seen === at ? bytes : Buffer.concat([Buffer.from(BYTE_ORDER_MARK.slice(0, seen)), bytes.subarray(at)]);
      }
      at += 1;
      this.#markSeen += 1;
    }
    return bytes.subarray(at);
  }
}

function indexOf(bytes: Buffer, byte: number, from: number): number {
  const at = from < bytes.length ? bytes.indexOf(byte, from) : -1;
  return at === -1 ? bytes.length : at;
}
