/** Pieces of one byte, each a view of a read of its own, as they are between the extensions of chunks. */
export function tinyViews(count: number): Uint8Array[] {
  return Array.from({ length: count }, (_, index) => new Uint8Array(64 * 1024).fill(index, 0, 1).subarray(0, 1));
}

/** Bytes of memory that pieces keep from being freed. */
export function retainedBytes(pieces: readonly Uint8Array[]): number {
  let bytes = 0;
  for (const buffer of new Set(pieces.map((piece) => piece.buffer))) bytes += buffer.byteLength;
  return bytes;
}
