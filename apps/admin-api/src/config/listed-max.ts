/** Changes that an answer lists; the summary counts all. A sync applies all. */
export const changesListedMax = 5_000;
/** Unmanaged records that an answer lists; the summary counts all. */
export const unmanagedListedMax = 1_000;
/** Lines of results of an import or sync; `counts` has all. What failed is listed first of all. */
export const resultsListedMax = 5_000;

/** As many lines as are listed, and how many are not. What failed comes before all others where not all fit. */
export function listedResults<Line extends { readonly action: string }>(
  results: readonly Line[],
): { readonly results: readonly Line[]; readonly results_not_listed?: number } {
  const left = results.length - resultsListedMax;
  if (left <= 0) return { results };
  const failed = results.filter(({ action }) => action === 'failed');
  const others = results.filter(({ action }) => action !== 'failed');
  return { results: [...failed, ...others].slice(0, resultsListedMax), results_not_listed: left };
}
