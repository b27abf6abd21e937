import { Problem } from './problem.ts';

/** Bounds of {@link BodyBudget}, in bytes. */
export interface BodyBudgetLimits {
  readonly totalMax: number;
  readonly callerMax: number;
  /** What each body has for nothing, so that small ones are read while large ones take all there is. */
  readonly freeMax: number;
}

/** What one body holds of the budget. */
export interface BodyShare {
  /** Notes bytes that arrived. @throws Problem `unavailable` when bodies hold too much together */
  take(bytes: number): void;
  /** Gives everything back, when the body is no longer held. */
  giveBack(): void;
}

/**
 * Memory that bodies may hold together from their first byte until they are parsed: each is bounded, and so is their
 * number by the connections, but the product is not. Source: decisions, 25.
 */
export class BodyBudget {
  readonly #limits: BodyBudgetLimits;
  readonly #ofCallers = new Map<string, number>();
  #total = 0;

  constructor(limits: BodyBudgetLimits) {
    this.#limits = limits;
  }

  /** Bytes that are held beyond what is free. */
  get heldBytes(): number {
    return this.#total;
  }

  /** Opens the share of a new body. */
  share(caller: string): BodyShare {
    let bytes = 0;
    let held = 0;
    return {
      take: (more) => {
        bytes += more;
        const wanted = Math.max(0, bytes - this.#limits.freeMax) - held;
        this.#add(caller, wanted);
        held += wanted;
      },
      giveBack: () => {
        this.#add(caller, -held);
        held = 0;
        bytes = 0;
      },
    };
  }

  #add(caller: string, bytes: number): void {
    const own = (this.#ofCallers.get(caller) ?? 0) + bytes;
    if (bytes > 0 && (own > this.#limits.callerMax || this.#total + bytes > this.#limits.totalMax)) {
      throw new Problem('unavailable', 'Too many large bodies at once', { headers: { 'retry-after': '10' } });
    }
    this.#total += bytes;
    if (own === 0) this.#ofCallers.delete(caller);
    else this.#ofCallers.set(caller, own);
  }
}
