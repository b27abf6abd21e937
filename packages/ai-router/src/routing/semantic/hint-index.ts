import type { ModelRoute, Target } from '../route.ts';
import { hashVector, sharesStem, similarity, type HashVector } from './hash-vector.ts';

/** Similarity from which on a hint counts that shares no stem with the prompt, where the route says nothing. Source: ai, Semantic routing by feature hashing. */
export const MIN_SCORE_DEFAULT = 0.3;

/** Hint vectors of one route. Hints of a target beyond its part of them are one together. */
export const HINT_VECTORS_MAX = 2048;

/** Compares prompts with the hints of a route's targets, whose vectors are made once. */
export class HintIndex {
  readonly #dimensions: number;
  readonly #minScore: number;
  /** One list for each target. */
  readonly #vectors: readonly (readonly HashVector[])[];

  /** @param targets those of the route that are enabled */
  constructor(route: ModelRoute, targets: readonly Target[]) {
    this.#dimensions = route.vectorDimensions;
    this.#minScore = route.minScore ?? MIN_SCORE_DEFAULT;
    const perTarget = Math.max(2, Math.floor(HINT_VECTORS_MAX / Math.max(1, targets.length)));
    this.#vectors = targets.map((target) =>
      textsOf(target, perTarget).map((text) => hashVector(text, this.#dimensions, Infinity)),
    );
  }

  /**
   * How well a prompt fits each target: the best of its hints, and of its keywords taken together. `undefined` for a target that does not score: no hint
   * that shares a stem with the prompt, and none as near as the route's least score.
   */
  scores(prompt: string): readonly (number | undefined)[] {
    const asked = hashVector(prompt, this.#dimensions);
    return this.#vectors.map((vectors) => {
      let best: number | undefined;
      for (const vector of vectors) {
        const score = similarity(asked, vector);
        const counts = score > (best ?? 0) && (score >= this.#minScore || sharesStem(asked, vector));
        if (counts) best = score;
      }
      return best;
    });
  }
}

/** Goes with the route. */
const indexes = new WeakMap<ModelRoute, HintIndex>();

/** The index of a semantic route over its enabled targets: made once, when it is first asked for. */
export function hintIndexOf(route: ModelRoute): HintIndex {
  const known = indexes.get(route);
  if (known !== undefined) return known;
  const index = new HintIndex(
    route,
    route.targets.filter(({ enabled }) => enabled),
  );
  indexes.set(route, index);
  return index;
}

function textsOf({ hints, keywords }: Target, textsMax: number): readonly string[] {
  const joined = keywords.length > 0 ? [keywords.join(' ')] : [];
  const hintsMax = textsMax - joined.length;
  if (hints.length <= hintsMax) return [...hints, ...joined];
  return [...hints.slice(0, hintsMax - 1), hints.slice(hintsMax - 1).join(' '), ...joined];
}
