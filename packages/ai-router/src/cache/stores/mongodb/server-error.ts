/**
 * What servers say while they are not well, or to who may not ask: not that there is no index.
 * Source: MongoDB, error codes (time limits, elections, shutdown, authentication).
 */
const NOT_WELL: ReadonlySet<number> = new Set([
  6, 7, 13, 18, 24, 46, 50, 89, 91, 189, 262, 8000, 9001, 10_107, 11_600, 11_602, 13_435, 13_436,
]);

/** Whether a server read a search and refused it: it knows no such stage, or has no such index. Errors of connections have no number. */
export function isRefusedSearch(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return typeof error.code === 'number' && !NOT_WELL.has(error.code);
}
