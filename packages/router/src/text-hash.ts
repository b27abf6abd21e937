/** Where every hash begins. */
export const hashSeed: number = 0x811c9dc5 | 0;

/** The hash of a text with one character more. A whole number of 32 bits, with sign. Source: FNV-1a. */
export function addToHash(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193);
}

/** Hash of a part of a text, character by character from the left. */
export function hashOf(text: string, start: number = 0, end: number = text.length): number {
  let hash = hashSeed;
  for (let at = start; at < end; at += 1) hash = addToHash(hash, text.charCodeAt(at));
  return hash;
}

/** Hash of a whole text from the right: the hashes of all its endings come out on the way. */
export function hashFromEnd(text: string): number {
  let hash = hashSeed;
  for (let at = text.length - 1; at >= 0; at -= 1) hash = addToHash(hash, text.charCodeAt(at));
  return hash;
}
