/**
 * A number from 0 to 2^32 - 1 that depends on each character, and on each bit of the seed. Spread evenly also over texts that differ
 * in one digit. Not for secrets: whoever knows the seed can find texts of a wanted number.
 * FNV-1a, with the finishing steps of MurmurHash3, because the plain form leaves its high bits poorly mixed.
 */
export function textHash(text: string, seed: number): number {
  let hash = (0x811c9dc5 ^ seed) >>> 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193);
    if (unit > 0xff) hash = Math.imul(hash ^ (unit >>> 8), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
