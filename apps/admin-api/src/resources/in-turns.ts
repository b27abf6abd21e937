import { setImmediate as otherWork } from 'node:timers/promises';

/** Records that are worked on without a pause: some ten milliseconds where nothing else in the work waits for anything. */
export const recordsPerTurn = 100;

/** Gives the items one by one, and after each {@link recordsPerTurn} of them lets everybody else have a turn. */
export async function* inTurns<Item>(items: Iterable<Item>): AsyncGenerator<Item, void> {
  let given = 0;
  for (const item of items) {
    if (given > 0 && given % recordsPerTurn === 0) await otherWork();
    given += 1;
    yield item;
  }
}
