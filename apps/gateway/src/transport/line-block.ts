const end = Buffer.from('\r\n\r\n', 'latin1');

/** Bytes that are made room for at first. */
const initialBytes = 1024;

/** Lines up to an empty one, of bytes that may come in pieces. Each byte is copied and looked at once, however small the pieces are. */
export class LineBlock {
  /** The lines, each with its end, once they are whole. */
  text: string | undefined;
  /** Whether there are more of them than there may be. */
  isTooLong = false;
  readonly #bytesMax: number;
  #held: Buffer | undefined;
  #length = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Takes bytes in. @returns where in them the block ends, or their length while it does not */
  take(bytes: Buffer, at: number): number {
    if (this.#held !== undefined) return this.#takeMore(bytes, at, this.#held);
    const endsAt = bytes.indexOf(end, at);
    const length = (endsAt === -1 ? bytes.length : endsAt) - at;
    if (length > this.#bytesMax) this.isTooLong = true;
    else if (endsAt !== -1) {
      this.text = bytes.toString('latin1', at, endsAt + 2);
      return endsAt + end.length;
    } else {
      this.#held = Buffer.allocUnsafe(Math.max(initialBytes, length));
      this.#length = bytes.copy(this.#held, 0, at);
    }
    return bytes.length;
  }

  /** The first bytes of a block that is not whole. */
  beginning(length: number): string {
    return this.#held?.toString('latin1', 0, Math.min(length, this.#length)) ?? '';
  }

  /** Begins anew. */
  clear(): void {
    this.text = undefined;
    this.#held = undefined;
    this.#length = 0;
  }

  #takeMore(bytes: Buffer, at: number, before: Buffer): number {
    const heldBytes = this.#length;
    const added = Math.min(bytes.length - at, this.#bytesMax + end.length - heldBytes);
    const held = withRoom(before, heldBytes, heldBytes + added);
    bytes.copy(held, heldBytes, at, at + added);
    this.#held = held;
    this.#length = heldBytes + added;
    const endsAt = held.subarray(0, this.#length).indexOf(end, Math.max(0, heldBytes - end.length + 1));
    if (endsAt === -1) {
      this.isTooLong = this.#length >= this.#bytesMax + end.length;
      return bytes.length;
    }
    this.text = held.toString('latin1', 0, endsAt + 2);
    this.#held = undefined;
    return at + endsAt + end.length - heldBytes;
  }
}

function withRoom(held: Buffer, heldBytes: number, bytes: number): Buffer {
  if (held.length >= bytes) return held;
  const larger = Buffer.allocUnsafe(Math.max(bytes, held.length * 2));
  held.copy(larger, 0, 0, heldBytes);
  return larger;
}
