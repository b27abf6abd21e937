import { crc32 } from 'node:zlib';
import { EVENT_BYTES_MAX, MalformedAnswerError, StreamTooLargeError } from '../errors.ts';
import { HeldBytes } from './held-bytes.ts';
import { readAwsHeaders } from './aws-headers.ts';

/** One message of an AWS event stream. */
export interface AwsMessage {
  /** Those whose values are texts, for instance `:message-type`, `:event-type`, `:exception-type`. */
  readonly headers: ReadonlyMap<string, string>;
  /** Lives in memory that is shared with other messages: never written to. */
  readonly payload: Uint8Array;
}

/** Total length, length of the headers, checksum of both. */
const PRELUDE_BYTES = 12;
const CHECKSUM_BYTES = 4;

/**
 * Reads the binary frames of AWS event streams (`application/vnd.amazon.eventstream`) piece by piece. Both checksums are checked; after a
 * wrong one nothing can be found again in the stream.
 * Source: AWS, event stream encoding.
 */
export class AwsEventStream {
  readonly #bytesMax: number;
  readonly #held: HeldBytes = new HeldBytes();
  #isPreludeChecked = false;

  /** @param bytesMax longest message, its frame included */
  constructor(bytesMax: number = EVENT_BYTES_MAX) {
    this.#bytesMax = bytesMax;
  }

  /**
   * @throws StreamTooLargeError for a message above the bound
   * @throws MalformedAnswerError for what is no such stream, or damaged; the reader is of no use afterwards
   */
  push(piece: Uint8Array): readonly AwsMessage[] {
    const bytes = this.#held.joined(piece);
    const messages: AwsMessage[] = [];
    let start = 0;
    while (bytes.length - start >= PRELUDE_BYTES) {
      if (!this.#isPreludeChecked) this.#checkPrelude(bytes, start);
      const end = start + bytes.readUInt32BE(start);
      if (bytes.length < end) break;
      messages.push(readMessage(bytes.subarray(start, end)));
      this.#isPreludeChecked = false;
      start = end;
    }
    this.#held.keep(bytes, start);
    return messages;
  }

  /** @throws MalformedAnswerError when the stream ended within a message */
  end(): void {
    if (this.#held.take().length > 0) throw new MalformedAnswerError('the event stream ends within a message');
  }

  #checkPrelude(bytes: Buffer, start: number): void {
    const total = bytes.readUInt32BE(start);
    const checksum = bytes.readUInt32BE(start + PRELUDE_BYTES - CHECKSUM_BYTES);
    if (crc32(bytes.subarray(start, start + PRELUDE_BYTES - CHECKSUM_BYTES)) !== checksum) throw damaged();
    const headers = bytes.readUInt32BE(start + 4);
    if (total < PRELUDE_BYTES + headers + CHECKSUM_BYTES) throw damaged();
    if (total > this.#bytesMax) throw new StreamTooLargeError('a message of the stream is too long');
    this.#isPreludeChecked = true;
  }
}

function readMessage(message: Buffer): AwsMessage {
  const end = message.length - CHECKSUM_BYTES;
  if (crc32(message.subarray(0, end)) !== message.readUInt32BE(end)) throw damaged();
  const payloadStart = PRELUDE_BYTES + message.readUInt32BE(4);
  const headers = readAwsHeaders(message.subarray(PRELUDE_BYTES, payloadStart));
  if (headers === undefined) throw damaged();
  return { headers, payload: message.subarray(payloadStart, end) };
}

function damaged(): MalformedAnswerError {
  return new MalformedAnswerError('the event stream is damaged, or none');
}
