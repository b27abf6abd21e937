import { mix } from './hash.ts';

/** What may own slots. */
export interface SlotCandidate {
  /** 32 bits; equal on every node and after every edit. */
  readonly hash: number;
  /** Above 0. */
  readonly weight: number;
}

interface WeightGroup {
  readonly weight: number;
  readonly hashes: Int32Array;
  readonly indexes: Int32Array;
}

/**
 * Says who owns each slot: the candidate with the highest score for it (rendezvous hashing). A score depends on slot and candidate
 * alone, so a candidate that comes or goes moves the slots that it wins or leaves, and none between the others; and it
 * wins as many as its weight says. The owner of a slot is found when somebody asks, a few nanoseconds for each candidate, and kept:
 * a new table costs nothing, however large it is.
 */
export class SlotTable {
  /** How many slots there are. */
  readonly size: number;
  readonly #groups: readonly WeightGroup[];
  /** Index of the owner by slot; {@link unknown} before somebody has asked. */
  readonly #owners: Int32Array;

  constructor(candidates: readonly SlotCandidate[], slots: number) {
    this.size = slots;
    this.#groups = groupsOf(candidates);
    this.#owners = new Int32Array(slots).fill(unknown);
  }

  /** Index of the candidate that owns a slot. There must be candidates. */
  ownerOf(slot: number): number {
    const known = this.#owners[slot] ?? unknown;
    if (known !== unknown) return known;
    const owner = winnerOf(this.#groups, slot);
    this.#owners[slot] = owner;
    return owner;
  }
}

const unknown = -1;

/** The score of a candidate for a slot; the highest wins. Negative. */
export function scoreOf({ hash, weight }: SlotCandidate, slot: number): number {
  return Math.log((mix(hash ^ spread(slot)) + 0.5) / 2 ** 32) / weight;
}

/** Among candidates of one weight the drawn numbers decide; a logarithm is needed only between weights. */
function winnerOf(groups: readonly WeightGroup[], slot: number): number {
  const salt = spread(slot);
  let winner = 0;
  let highest = Number.NEGATIVE_INFINITY;
  for (const { weight, hashes, indexes } of groups) {
    let bestAt = 0;
    let best = -1;
    for (let at = 0; at < hashes.length; at += 1) {
      const drawn = mix((hashes[at] ?? 0) ^ salt);
      if (drawn > best) {
        best = drawn;
        bestAt = at;
      }
    }
    const score = Math.log((best + 0.5) / 2 ** 32) / weight;
    if (score > highest) [winner, highest] = [indexes[bestAt] ?? 0, score];
  }
  return winner;
}

/** In the order of the hashes, not of the configuration: that decides where two scores are equal. */
function groupsOf(candidates: readonly SlotCandidate[]): WeightGroup[] {
  const byWeight = new Map<number, number[]>();
  const order = candidates.map((_, index) => index);
  order.sort((a, b) => (candidates[a]?.hash ?? 0) - (candidates[b]?.hash ?? 0));
  for (const index of order) {
    const weight = candidates[index]?.weight ?? 1;
    const list = byWeight.get(weight) ?? [];
    list.push(index);
    byWeight.set(weight, list);
  }
  return [...byWeight]
    .sort(([a], [b]) => a - b)
    .map(([weight, indexes]) => ({
      weight,
      indexes: Int32Array.from(indexes),
      hashes: Int32Array.from(indexes, (index) => candidates[index]?.hash ?? 0),
    }));
}

function spread(slot: number): number {
  return mix(Math.imul(slot + 1, 0x9e3779b1));
}
