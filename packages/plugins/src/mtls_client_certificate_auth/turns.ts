import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Does heavy work one piece at a time, each in a turn of the event loop of its own: whatever waits for work, other requests go on in
 * between.
 */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Does one piece when it is its turn. Whoever calls sees to it that not too much waits. */
  take<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = afterwards(this.#last, work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}

async function afterwards<Result>(before: Promise<unknown>, work: () => Promise<Result>): Promise<Result> {
  await before;
  await nextTurn();
  return work();
}
