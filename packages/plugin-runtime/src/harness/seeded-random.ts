/**
 * Numbers in [0, 1) that are the same for the same seed: a 32-bit xorshift. For tests, not for secrets.
 * @param seed any whole number
 */
export function seededRandom(seed: number): () => number {
  // The state must not be 0, or all that follows is.
  let state = (seed ^ 0x9e3779b9) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
