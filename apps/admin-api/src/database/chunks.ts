/**
 * Most rows or IDs in one statement. Well inside both databases' limits of bound values (32,766 and 65,535), and small
 * enough that compiling the statement holds the event loop for a few milliseconds only.
 */
export const ROWS_PER_STATEMENT = 200;

/** Cuts a list into pieces of at most `ROWS_PER_STATEMENT`. No piece for an empty list. */
export function* chunksOf<Item>(items: readonly Item[]): Generator<readonly Item[], void> {
  for (let start = 0; start < items.length; start += ROWS_PER_STATEMENT) {
    yield items.slice(start, start + ROWS_PER_STATEMENT);
  }
}
