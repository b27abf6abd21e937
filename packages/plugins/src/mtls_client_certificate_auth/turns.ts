import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Does heavy work one piece at a time, each in a turn of the event loop of its own: whatever waits for work, other requests go on in
 * between.
 */
export class Turns {
  readonly #waitingMax: number;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** @param waitingMax most pieces that wait or are being done */
  constructor(waitingMax: number) {
    this.#waitingMax = waitingMax;
  }

  /** Does one piece when it is its turn. `undefined`: too much is waiting already. */
  take<Result>(work: () => Promise<Result>): Promise<Result> | undefined {
    if (this.#waiting >= this.#waitingMax) return undefined;
    this.#waiting += 1;
    const done = this.#do(this.#last, work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #do<Result>(before: Promise<unknown>, work: () => Promise<Result>): Promise<Result> {
    try {
      await before;
      await nextTurn();
      return await work();
    } finally {
      this.#waiting -= 1;
    }
  }
}
