import type { Exchange } from '@portcullis/plugin-runtime';
import type { HeldUnits } from '../shared/limits/held-units.ts';
import type { LimitStanding } from '../shared/limits/request-limits.ts';

/** A request that was let through and has not been charged. */
interface Open {
  readonly client: string;
  isSettled: boolean;
}

/** Settings of {@link ResponseCharges}. */
export interface ResponseChargesOptions {
  readonly held: HeldUnits;
  /** Units that a request holds until it is charged. */
  readonly heldUnits: number;
  /** Units of a response that names none. */
  readonly cost: number;
  /** Statuses that are charged; all when absent, and then also a request that ends without a response. */
  readonly statuses: ReadonlySet<number> | undefined;
  /** Charges units, which may be 0, and gives the standing after. */
  readonly charge: (client: string, units: number) => readonly LimitStanding[];
}

let instances = 0;

/**
 * Sees that each request that was let through is charged once: by its response or error hook, or, where none ran, when it is
 * over. Meanwhile it holds units, which others cannot have.
 */
export class ResponseCharges {
  readonly #options: ResponseChargesOptions;
  readonly #key: string;

  constructor(options: ResponseChargesOptions) {
    this.#options = options;
    // One per instance: several may run for one request.
    this.#key = `response_rate_limiter.open.${(instances += 1)}`;
  }

  /** Begins what the response or the end of the request settles. */
  open(exchange: Exchange, client: string): void {
    const { held, heldUnits } = this.#options;
    const open: Open = { client, isSettled: false };
    held.hold(client, heldUnits);
    exchange.state.set(this.#key, open);
    exchange.onEnd(({ status }) => void this.#settle(open, status, undefined));
  }

  /**
   * Charges a response.
   * @param named units that it names itself
   * @returns the standing after; `undefined` for a request that was not let through here, or was charged before
   */
  settle(exchange: Exchange, status: number, named: number | undefined): readonly LimitStanding[] | undefined {
    const open = exchange.state.get(this.#key) as Open | undefined;
    return open === undefined ? undefined : this.#settle(open, status, named);
  }

  #settle(open: Open, status: number | undefined, named: number | undefined): readonly LimitStanding[] | undefined {
    if (open.isSettled) return undefined;
    open.isSettled = true;
    const { held, heldUnits, cost, statuses, charge } = this.#options;
    held.release(open.client, heldUnits);
    const isCharged = statuses === undefined || (status !== undefined && statuses.has(status));
    return charge(open.client, isCharged ? (named ?? cost) : 0);
  }
}
