/** How far back requests and retries are counted, in milliseconds. */
export const budgetWindowMs = 10_000;

/** Retries per request of the window, at most. Source: Finagle's retry budgets, and Envoy's, which have the same share. */
export const budgetShare = 0.2;

/** Retries per window that are there in any case: an upstream with few requests may retry too. */
export const budgetFloor = 50;

const bucketMs = 1000;
const bucketCount = budgetWindowMs / bucketMs;

/**
 * How many retries an upstream may get: a share of its recent requests. An outage makes every request fail; without this the
 * retries would multiply the load of an upstream that is already in trouble.
 */
export class RetryBudget {
  /** Retries that were sent. */
  sent = 0;
  /** Retries that were not sent, for want of budget. */
  refused = 0;
  /** By second, in a ring: which second a place stands for, and what was counted in it. */
  #seconds: Float64Array | undefined;
  readonly #requests = new Float64Array(bucketCount);
  readonly #retries = new Float64Array(bucketCount);

  /** A request begins. */
  deposit(nowMs: number): void {
    const at = this.#placeOf(nowMs);
    this.#requests[at] = (this.#requests[at] ?? 0) + 1;
  }

  /** Takes one retry out of the budget. @returns whether there was one */
  withdraw(nowMs: number): boolean {
    const at = this.#placeOf(nowMs);
    const oldest = Math.floor(nowMs / bucketMs) - bucketCount;
    let requests = 0;
    let retries = 0;
    for (let index = 0; index < bucketCount; index += 1) {
      if ((this.#seconds?.[index] ?? 0) <= oldest) continue;
      requests += this.#requests[index] ?? 0;
      retries += this.#retries[index] ?? 0;
    }
    if (retries + 1 > budgetFloor + budgetShare * requests) {
      this.refused += 1;
      return false;
    }
    this.#retries[at] = (this.#retries[at] ?? 0) + 1;
    this.sent += 1;
    return true;
  }

  #placeOf(nowMs: number): number {
    const second = Math.floor(nowMs / bucketMs);
    const at = second % bucketCount;
    const seconds = (this.#seconds ??= new Float64Array(bucketCount).fill(-bucketCount));
    if (seconds[at] !== second) {
      seconds[at] = second;
      this.#requests[at] = 0;
      this.#retries[at] = 0;
    }
    return at;
  }
}
