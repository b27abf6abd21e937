/**
 * Gives items one by one, each next one being made while the taker works on the one before. Whoever stops taking waits until the one
 * that is being made is done with.
 */
export async function* oneAhead<Item>(items: Iterable<Item> | AsyncIterable<Item>): AsyncGenerator<Item, void> {
  const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const make = async (): Promise<IteratorResult<Item>> => iterator.next();
  let upcoming = make();
  try {
    for (let current = await upcoming; current.done !== true; current = await upcoming) {
      upcoming = make();
      // It may fail while nobody waits for it; whoever asks for it hears of that.
      upcoming.catch(() => undefined);
      yield current.value;
    }
  } finally {
    await upcoming.catch(() => undefined);
    await iterator.return?.();
  }
}
