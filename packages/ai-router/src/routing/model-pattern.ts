/**
 * Whether a model's name is one that a pattern means: an exact name, `*` for all, or the beginning of names with `*` after it. A `*` anywhere
 * else is a character like others. Names of models are compared as they are written. Source: spec, AI gateway records.
 */
export function matchesModel(pattern: string, model: string): boolean {
  if (pattern === model) return true;
  return isPrefixPattern(pattern) && model.startsWith(prefixOf(pattern));
}

/** Whether a pattern means names by their beginning; `*` does, by an empty one. */
export function isPrefixPattern(pattern: string): boolean {
  return pattern.endsWith('*');
}

/** The beginning that a pattern of {@link isPrefixPattern} asks for. */
export function prefixOf(pattern: string): string {
  return pattern.slice(0, -1);
}
