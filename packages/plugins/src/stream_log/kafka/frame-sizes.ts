/** Bytes of the length that stands before each answer of a broker. */
const LENGTH_BYTES = 4;

/**
 * Follows the lengths in a stream of answers, because a client keeps an answer until it is whole: a broker could make it keep gigabytes.
 * Source: Kafka protocol guide, "Protocol Primitive Types" and "Request and Response Headers": `Size => INT32`, then the message.
 */
export class FrameSizes {
  readonly #bytesMax: number;
  /** Of the frame at hand that are still to come. */
  #left = 0;
  #length = 0;
  #lengthBytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Takes what came. @returns `false` once a length is none: negative, zero, or above the bound */
  accepts(chunk: Uint8Array): boolean {
    let at = 0;
    while (at < chunk.length) {
      if (this.#left > 0) {
        const taken = Math.min(this.#left, chunk.length - at);
        this.#left -= taken;
        at += taken;
      } else {
        this.#length = this.#length * 256 + (chunk[at] ?? 0);
        at += 1;
        this.#lengthBytes += 1;
        if (this.#lengthBytes === LENGTH_BYTES) {
          // A negative one has its highest bit set, and is far above the bound.
          if (this.#length < LENGTH_BYTES || this.#length > this.#bytesMax) return false;
          this.#left = this.#length;
          this.#length = 0;
          this.#lengthBytes = 0;
        }
      }
    }
    return true;
  }
}
