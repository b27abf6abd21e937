import { Problem } from '../http/problem.ts';

/** Bundles that wait at once. Each holds its document and its live state in memory. */
const waitingMax = 8;
/** So that one tenant does not take all places. */
const waitingPerTenantMax = 2;
/** A running plan is usually over by then. */
const retryAfterSeconds = 10;

/** A bundle that waits. */
interface Turn {
  readonly start: () => void;
}

/**
 * The line at the one place where large bundles are planned. Tenants take turns: whoever was planned for last goes behind all
 * others that wait, so a tenant waits for at most one plan of each other one. The bundles of one tenant go in their order.
 */
export class PlanTurns {
  /** The tenants in the order of their turns, each with its bundles. No list is empty. */
  readonly #line = new Map<string, readonly Turn[]>();
  #isTaken = false;

  /**
   * Does the work when it is the tenant's turn.
   * @param signal gives up the place in the line: its reason is thrown. Work that runs has to listen to it by itself
   * @throws Problem `rate_limited` when the tenant has too many waiting, `unavailable` when all have; and what the work throws
   */
  async run<Result>(tenantId: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    signal.throwIfAborted();
    if (this.#isTaken) await this.#turnOf(tenantId, signal);
    this.#isTaken = true;
    try {
      // The caller may have gone just when its turn came.
      signal.throwIfAborted();
      return await work();
    } finally {
      this.#passOn(tenantId);
    }
  }

  #turnOf(tenantId: string, signal: AbortSignal): Promise<void> {
    const own = this.#line.get(tenantId) ?? [];
    const headers = { 'retry-after': String(retryAfterSeconds) };
    if (own.length >= waitingPerTenantMax) {
      throw new Problem('rate_limited', 'Too many large bundles of this tenant at once', { headers });
    }
    const waiting = [...this.#line.values()].reduce((sum, turns) => sum + turns.length, 0);
    if (waiting >= waitingMax) throw new Problem('unavailable', 'Too many large bundles at once', { headers });
    return new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        this.#remove(tenantId, turn);
        reject(signal.reason as Error);
      };
      const turn: Turn = {
        start: () => {
          signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#line.set(tenantId, [...own, turn]);
    });
  }

  /** Hands the place over, so that nobody slips in between, or leaves it free. */
  #passOn(ranFor: string): void {
    const more = this.#line.get(ranFor);
    if (more) {
      this.#line.delete(ranFor);
      this.#line.set(ranFor, more);
    }
    for (const [tenantId, [turn]] of this.#line) {
      if (!turn) continue;
      this.#remove(tenantId, turn);
      turn.start();
      return;
    }
    this.#isTaken = false;
  }

  /** The tenant keeps its place in the line as long as it has more. */
  #remove(tenantId: string, gone: Turn): void {
    const left = (this.#line.get(tenantId) ?? []).filter((turn) => turn !== gone);
    if (left.length > 0) this.#line.set(tenantId, left);
    else this.#line.delete(tenantId);
  }
}
