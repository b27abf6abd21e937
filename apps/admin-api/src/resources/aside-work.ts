import { Problem } from '../http/problem.ts';

/** How long all of it may take that one write asked for. */
const settleTimeoutMs = 20_000;

/**
 * Work that a write needs and that nobody may wait for with a transaction open: checking configs by a tenant's own schema.
 * Whoever needs a result asks for it; where it is not known yet, the write goes on as if nothing were wrong, is then given up,
 * and made again once the work was done. Results go by what they were made of, so one that no longer fits is not found.
 */
export class AsideWork {
  readonly #results = new Map<string, unknown>();
  readonly #wanted = new Map<string, () => Promise<unknown>>();

  /**
   * What the work gave, or nothing: then it is done before the write is made again.
   * @param key says everything that the result depends on
   */
  resultOf<Result>(key: string, work: () => Promise<Result>): Result | undefined {
    if (this.#results.has(key)) return this.#results.get(key) as Result;
    this.#wanted.set(key, work);
    return undefined;
  }

  /** Whether the write that was just made lacked a result. */
  get isWanted(): boolean {
    return this.#wanted.size > 0;
  }

  /** Forgets what an attempt wanted that was given up for another reason. */
  begin(): void {
    this.#wanted.clear();
  }

  /** Does what is wanted. @throws Problem of the work itself; `unavailable` when all of it takes too long */
  async settle(): Promise<void> {
    const limit = AbortSignal.timeout(settleTimeoutMs);
    for (const [key, work] of this.#wanted) {
      if (limit.aborted) throw new Problem('unavailable', 'The configs of this write take too long to check');
      this.#results.set(key, await work());
    }
    this.#wanted.clear();
  }
}
