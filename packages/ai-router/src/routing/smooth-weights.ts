import { hash } from 'node:crypto';
import type { Target } from './route.ts';

/** Steps that the sequence is followed for the targets behind the first; weights that lie further apart are told by themselves then. */
export const TAIL_STEPS_MAX = 1024;

/**
 * The state of smooth weighted round-robin, as nginx has it: each request adds every weight to its target's current value, the largest is picked,
 * and the sum of all weights is taken from it. Over as many requests as the sum each target is picked as often as its weight says, and in no
 * beginning of the sequence more often than its share, rounded up. Source: ai, Weighted.
 */
export class SmoothWeights {
  readonly #weights: readonly number[];
  readonly #sum: number;
  readonly #current: number[];

  /** @param weights one for each target, at least 0 */
  constructor(weights: readonly number[]) {
    this.#weights = weights;
    this.#sum = weights.reduce((sum, weight) => sum + weight, 0);
    this.#current = weights.map(() => 0);
  }

  /** Picks the next, and says in which order the others come: the sequence is followed on a copy until all were there. Indices. */
  next(): readonly number[] {
    const first = this.#step(this.#current);
    return this.#behind(first);
  }

  /** What {@link next} would give; nothing moves. */
  peek(): readonly number[] {
    const copy = [...this.#current];
    return this.#behind(this.#step(copy), copy);
  }

  #behind(first: number | undefined, after: readonly number[] = this.#current): readonly number[] {
    if (first === undefined) return this.#weights.map((_, index) => index);
    const order = [first];
    const isSeen = this.#weights.map((weight) => weight === 0);
    isSeen[first] = true;
    const copy = [...after];
    let left = isSeen.filter((seen) => !seen).length;
    for (let step = 0; left > 0 && step < TAIL_STEPS_MAX; step += 1) {
      const index = this.#step(copy) as number;
      if (isSeen[index] === true) continue;
      isSeen[index] = true;
      order.push(index);
      left -= 1;
    }
    const unseen = [...isSeen.keys()].filter((index) => isSeen[index] === false);
    unseen.sort((one, other) => (this.#weights[other] as number) - (this.#weights[one] as number) || one - other);
    const never = [...this.#weights.keys()].filter((index) => this.#weights[index] === 0);
    return [...order, ...unseen, ...never];
  }

  /** `undefined` where nothing has weight. */
  #step(current: number[]): number | undefined {
    if (this.#sum === 0) return undefined;
    let best: number | undefined;
    // Every request takes several such steps: an index costs half of what an iterator does.
    for (let index = 0; index < this.#weights.length; index += 1) {
      const weight = this.#weights[index] as number;
      if (weight === 0) continue;
      const value = (current[index] as number) + weight;
      current[index] = value;
      if (best === undefined || value > (current[best] as number)) best = index;
    }
    current[best as number] = (current[best as number] as number) - this.#sum;
    return best;
  }
}

/** A short name that tells the weights of one set of targets from those of another: a sequence goes on only while nothing of them changes. */
export function weightsSignature(targets: readonly Target[]): string {
  return hash(
    'sha256',
    JSON.stringify(targets.map(({ provider, model, weight }) => [provider, model, weight])),
    'base64url',
  );
}
