/** Models that give vectors of the dimensions that are asked for: of any, or of some. Source: the vendors' references of their embeddings. */
const MODELS: readonly (readonly [RegExp, readonly number[]])[] = [
  [/(?:^|[/.])text-embedding-3-(?:small|large)$/, []],
  [/(?:^|[/.])gemini-embedding-\d/, []],
  [/(?:^|[/.])text-(?:multilingual-)?embedding-00\d$/, []],
  [/(?:^|[/.])titan-embed-text-v2/, [256, 512, 1024]],
  [/(?:^|[/.])embed-v4/, [256, 512, 1024, 1536]],
];

/**
 * Dimensions that a model is asked for, so that it sends no more than is needed: the fewest that are enough. `undefined` for a model that is not known
 * to take a number: it may refuse the whole request.
 */
export function askedDimensions(model: string, wanted: number): number | undefined {
  const sizes = MODELS.find(([pattern]) => pattern.test(model))?.[1];
  if (sizes === undefined) return undefined;
  return sizes.length === 0 ? wanted : sizes.find((size) => size >= wanted);
}
