/** Draws that a seed decides. */
export interface Random {
  /** A number from 0 to below 1. */
  next(): number;
  /** A whole number from 0 to below `bound`. */
  below(bound: number): number;
  /** @throws RangeError when there is nothing to choose from */
  pick<Item>(items: readonly Item[]): Item;
  /** Whether something with this probability happens. */
  chance(probability: number): boolean;
}

/** The generator of a seed (mulberry32: 32 bits of state are plenty for choosing test cases). */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number): number => Math.floor(next() * bound);
  return {
    next,
    below,
    pick(items) {
      if (items.length === 0) throw new RangeError('there is nothing to choose from');
      return items[below(items.length)] as (typeof items)[number];
    },
    chance: (probability) => next() < probability,
  };
}

/** The seed of one round: neighbours of a campaign's seed and of a round have nothing in common. */
export function roundSeed(seed: number, round: number): number {
  return (Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(round + 1, 0x85ebca6b)) >>> 0;
}
