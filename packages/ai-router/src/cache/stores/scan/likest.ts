/** Cosine of two vectors of length 1; -1, less like than anything, for vectors of different dimensions. */
export function cosine(one: Float32Array, other: Float32Array): number {
  const { length } = one;
  if (length !== other.length) return -1;
  let sum = 0;
  for (let index = 0; index < length; index += 1) sum += (one[index] as number) * (other[index] as number);
  // Rounding may bring it past what a cosine can be.
  return Math.min(1, sum);
}

/** One of many, and how like it is to what was asked. */
export interface Scored<Item> {
  readonly item: Item;
  readonly similarity: number;
}

/** Those that are like enough, the likest first; of equals the later. */
export function likest<Item extends { readonly vector: Float32Array }>(
  items: readonly Item[],
  query: { readonly vector: Float32Array; readonly similarityMin: number; readonly limit: number },
): readonly Scored<Item>[] {
  const found: Scored<Item>[] = [];
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const item = items[index] as Item;
    const similarity = cosine(query.vector, item.vector);
    if (similarity >= query.similarityMin) found.push({ item, similarity });
  }
  // The sort keeps the order of equals.
  return found.toSorted((one, other) => other.similarity - one.similarity).slice(0, query.limit);
}
