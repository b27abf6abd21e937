import { MalformedMessage, SEQUENCE, extentAt } from './ber.ts';

/** Most octets of a directory's message. */
export const MESSAGE_BYTES_MAX = 256 * 1024;

/** Puts the octets of a connection together to messages. It never holds more than one message and one chunk. */
export class MessageBuffer {
  #bytes: Buffer = EMPTY;

  /** Whether nothing is left of what was added. */
  get isEmpty(): boolean {
    return this.#bytes.length === 0;
  }

  add(chunk: Buffer): void {
    this.#bytes = this.isEmpty ? chunk : Buffer.concat([this.#bytes, chunk]);
  }

  /**
   * Takes the content of the next message out.
   * @returns `undefined` while it is not there whole
   * @throws MalformedMessage as soon as its head is wrong, or announces more than {@link MESSAGE_BYTES_MAX}
   */
  take(): Buffer | undefined {
    const [first] = this.#bytes;
    if (first !== undefined && first !== SEQUENCE) throw new MalformedMessage('what was received is no LDAP');
    const extent = extentAt(this.#bytes, 0);
    if (extent === undefined) return undefined;
    if (extent.end > MESSAGE_BYTES_MAX) throw new MalformedMessage('a message is too long');
    if (extent.end > this.#bytes.length) return undefined;
    const content = this.#bytes.subarray(extent.begin, extent.end);
    this.#bytes = this.#bytes.subarray(extent.end);
    return content;
  }
}

const EMPTY = Buffer.alloc(0);
