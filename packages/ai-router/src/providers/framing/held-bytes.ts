const EMPTY = Buffer.alloc(0);
/** Room for what comes in pieces, at first. */
const ROOM_BYTES_MIN = 512;

/**
 * What a reader of a stream holds of a message that is not whole yet. Pieces that begin a message are not copied; what is held grows by
 * doubling, so that each byte is copied a bounded number of times however small the pieces are.
 */
export class HeldBytes {
  #held: Buffer = EMPTY;
  /** The memory that `#held` begins when it was copied; else `#held` is part of a piece. */
  #room: Buffer = EMPTY;

  get length(): number {
    return this.#held.length;
  }

  /** What is held and the piece, as one. */
  joined(piece: Uint8Array): Buffer {
    const bytes = Buffer.isBuffer(piece) ? piece : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    const held = this.#held.length;
    if (held === 0) return bytes;
    const length = held + bytes.length;
    if (this.#room.length < length) {
      const room = Buffer.allocUnsafeSlow(Math.max(ROOM_BYTES_MIN, 2 * length));
      this.#held.copy(room);
      this.#room = room;
    }
    bytes.copy(this.#room, held);
    return this.#room.subarray(0, length);
  }

  /**
   * Holds what {@link joined} gave last, from a position on. What is before it may be in use elsewhere, and is not written to again.
   */
  keep(bytes: Buffer, from: number): void {
    if (from > 0) this.#room = EMPTY;
    this.#held = from === 0 ? bytes : bytes.subarray(from);
  }

  /** All that is held; nothing is held afterwards. */
  take(): Buffer {
    const held = this.#held;
    this.#held = EMPTY;
    this.#room = EMPTY;
    return held;
  }
}
