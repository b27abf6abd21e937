/** A view of a buffer more than so many times as long is copied: it would keep all of the buffer in memory. */
const spareTimesMax = 4;

/** Bytes of the first block that pieces are copied to, and of the longest. */
const firstBlockBytes = 1024;
const blockBytesMax = 16 * 1024;

const nothing = new Uint8Array(0);

/**
 * Bytes that wait for their reader, in pieces as they came. Small views of large reads are copied and joined: a byte that is held would
 * otherwise cost a whole read, however exactly held bytes are counted.
 */
export class HeldPieces {
  #pieces: Uint8Array[] = [];
  #block: Uint8Array = nothing;
  /** What of the block is the last piece's, and where the next byte goes. */
  #from = 0;
  #to = 0;
  /** Whether the last piece grows with what is copied next. */
  #isOpen = false;

  get count(): number {
    return this.#pieces.length;
  }

  add(piece: Uint8Array): void {
    if (piece.length === 0) return;
    if (piece.length * spareTimesMax < piece.buffer.byteLength) this.#copy(piece);
    else {
      this.seal();
      this.#pieces.push(piece);
    }
  }

  /** What comes next is a piece of its own. */
  seal(): void {
    this.#isOpen = false;
    this.#from = this.#to;
  }

  shift(): Uint8Array | undefined {
    const piece = this.#pieces.shift();
    // A piece that somebody has grows no more.
    if (this.#pieces.length === 0) this.seal();
    return piece;
  }

  takeAll(): Uint8Array[] {
    const pieces = this.#pieces;
    this.#pieces = [];
    this.seal();
    return pieces;
  }

  #copy(piece: Uint8Array): void {
    let at = 0;
    while (at < piece.length) {
      if (this.#to === this.#block.length) this.#beginBlock(piece.length - at);
      const bytes = Math.min(piece.length - at, this.#block.length - this.#to);
      this.#block.set(piece.subarray(at, at + bytes), this.#to);
      at += bytes;
      this.#to += bytes;
      if (this.#isOpen) this.#pieces.pop();
      this.#isOpen = true;
      this.#pieces.push(this.#block.subarray(this.#from, this.#to));
    }
  }

  #beginBlock(bytes: number): void {
    const blockBytes = Math.max(firstBlockBytes, bytes, Math.min(this.#block.length * 2, blockBytesMax));
    this.#block = new Uint8Array(blockBytes);
    this.#to = 0;
    this.seal();
  }
}
