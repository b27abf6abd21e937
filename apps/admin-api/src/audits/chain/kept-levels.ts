/** Every so many levels of a tree the perfect subtrees are stored: any other is computed from at most 256 of those, or of leaves. */
const keptEvery = 8;
/** The highest level that is stored: a tree of sixteen million records has one of them. */
const keptLevelMax = 24;

/** Whether the perfect subtrees of a level are stored. Leaves (level 0) are: as the records themselves. */
export function isKeptNode(level: number): boolean {
  return level > 0 && keptLevelAt(level) === level;
}

/** The highest level up to this one that is there to be read; 0 for the leaves. */
export function keptLevelAt(level: number): number {
  return Math.min(Math.floor(level / keptEvery) * keptEvery, keptLevelMax);
}
