/**
 * Whether objects and lists of a value lie within each other no deeper than so. Looks no further than that, whatever the value is.
 * @param levelsMax 1 for an object or a list of plain values
 */
export function isNestedWithin(value: unknown, levelsMax: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levelsMax > 0 && Object.values(value).every((part) => isNestedWithin(part, levelsMax - 1));
}
