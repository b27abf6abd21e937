import type { Share } from './eligibility.ts';

/** Above it the time of the wheel starts again, so that fractions of it stay exact. */
const timeMax = 2 ** 20;

/**
 * A wheel of turns: an endpoint of weight `w` has its turns at times `(k + phase) / w`, so that within any stretch of length 1 each has
 * exactly `w` turns, whoever else is there. Turns are known by the place of their endpoint in the configuration.
 *
 * All numbers lie in arrays of numbers: as fields of objects, or given back by functions, fractions would be allocated one by one.
 */
export class Turns {
  /** When the next turn of each is. Not to be written. */
  readonly at: Float64Array;
  readonly #shares: readonly Share[];
  readonly #weights: Float64Array;
  readonly #phases: Float64Array;
  /** Turns that were had; whole unless the time has started again. */
  readonly #counts: Float64Array;
  /** One number: when the last turn was. */
  readonly #time = new Float64Array(1);

  /** Each endpoint goes on where it was, and new ones of one weight begin spread out. */
  constructor(shares: readonly Share[]) {
    this.#shares = shares;
    this.#weights = Float64Array.from(shares, ({ weight }) => weight);
    this.#phases = phasesOf(shares);
    this.#counts = new Float64Array(shares.length);
    this.at = this.#phases.map((phase, turn) => phase / (this.#weights[turn] ?? 1));
  }

  /** A turn is had, and the time goes on to it. */
  take(turn: number): void {
    this.#time[0] = this.at[turn] ?? 0;
    this.takeAhead(turn);
    const whole = Math.floor(this.#time[0] ?? 0);
    if (whole < timeMax) return;
    this.#time[0] = (this.#time[0] ?? 0) - whole;
    for (let one = 0; one < this.at.length; one += 1) {
      this.#setCount(one, (this.#counts[one] ?? 0) - whole * (this.#weights[one] ?? 1));
    }
  }

  /** A turn is had though others come before it: they keep theirs. */
  takeAhead(turn: number): void {
    this.#setCount(turn, (this.#counts[turn] ?? 0) + 1);
  }

  /** If its time is over, because its endpoint was away, the next one is the first that is not. @returns whether it was */
  catchUp(turn: number): boolean {
    const time = this.#time[0] ?? 0;
    if ((this.at[turn] ?? 0) >= time) return false;
    this.#setCount(turn, Math.ceil(time * (this.#weights[turn] ?? 1) - (this.#phases[turn] ?? 0)));
    return true;
  }

  /** Notes with each endpoint how far it is from its next turn, for the wheel that comes next. */
  leave(): void {
    for (const [turn, { endpoint, weight }] of this.#shares.entries()) {
      endpoint.turnPhase = Math.min(1, Math.max(0, ((this.at[turn] ?? 0) - (this.#time[0] ?? 0)) * weight));
    }
  }

  /** One division makes each time, so that nothing adds up. */
  #setCount(turn: number, count: number): void {
    this.#counts[turn] = count;
    this.at[turn] = (count + (this.#phases[turn] ?? 0)) / (this.#weights[turn] ?? 1);
  }
}

function phasesOf(shares: readonly Share[]): Float64Array {
  const sizes = new Map<number, number>();
  for (const { weight } of shares) sizes.set(weight, (sizes.get(weight) ?? 0) + 1);
  const places = new Map<number, number>();
  return Float64Array.from(shares, ({ endpoint, weight }) => {
    const place = places.get(weight) ?? 0;
    places.set(weight, place + 1);
    return endpoint.turnPhase ?? (place + 0.5) / (sizes.get(weight) ?? 1);
  });
}
