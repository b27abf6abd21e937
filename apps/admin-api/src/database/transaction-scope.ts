import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Refuses a transaction inside a transaction. With a single writer the inner one would wait for the outer one for ever;
 * with a pool it would commit apart from it. Both are bugs, found at once here instead of under load.
 */
export class TransactionScope {
  readonly #current = new AsyncLocalStorage<{ open: boolean }>();

  /**
   * Runs `work` as one transaction's extent.
   * @throws TypeError when called from within the work of a transaction that is still open
   */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#current.getStore()?.open === true) {
      throw new TypeError('a transaction was asked for inside another one; pass the open transaction on instead');
    }
    const extent = { open: true };
    try {
      return await this.#current.run(extent, work);
    } finally {
      extent.open = false;
    }
  }
}
