import { EVENT_BYTES_MAX, StreamTooLargeError } from '../errors.ts';
import { HeldBytes } from './held-bytes.ts';

const LF = 10;

/**
 * Reads a stream of one JSON text a line, piece by piece. Gives the texts; blank lines are none. The time it takes grows with the bytes alone.
 * Source: NDJSON, as Ollama streams.
 */
export class JsonLines {
  readonly #bytesMax: number;
  readonly #held: HeldBytes = new HeldBytes();

  /** @param bytesMax longest line */
  constructor(bytesMax: number = EVENT_BYTES_MAX) {
    this.#bytesMax = bytesMax;
  }

  /** @throws StreamTooLargeError for a line above the bound */
  push(piece: Uint8Array): readonly string[] {
    const searched = this.#held.length;
    const bytes = this.#held.joined(piece);
    const lines: string[] = [];
    let start = 0;
    for (let end = bytes.indexOf(LF, searched); end !== -1; end = bytes.indexOf(LF, start)) {
      this.#add(lines, bytes, start, end);
      start = end + 1;
      if (start === bytes.length) break;
    }
    if (bytes.length - start > this.#bytesMax) throw tooLong();
    this.#held.keep(bytes, start);
    return lines;
  }

  /** The last line, when nothing ended it. */
  end(): readonly string[] {
    const bytes = this.#held.take();
    const lines: string[] = [];
    this.#add(lines, bytes, 0, bytes.length);
    return lines;
  }

  #add(lines: string[], bytes: Buffer, start: number, end: number): void {
    if (end - start > this.#bytesMax) throw tooLong();
    const line = bytes.toString('utf8', start, end).trim();
    if (line !== '') lines.push(line);
  }
}

function tooLong(): StreamTooLargeError {
  return new StreamTooLargeError('a line of the stream is too long');
}
