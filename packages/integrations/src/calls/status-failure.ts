import type { IntegrationFailure } from '../integration-error.ts';

const byStatus: ReadonlyMap<number, readonly [IntegrationFailure, string]> = new Map([
  [401, ['unauthorized', 'the system does not know the credentials (401)']],
  [403, ['forbidden', 'the credentials may not do this (403)']],
  [404, ['not_found', 'the system has no such resource (404)']],
  [429, ['rate_limited', 'the system got too many requests (429)']],
]);

/** What a status means, unless it is a success. */
export function statusFailure(status: number): readonly [IntegrationFailure, string] | undefined {
  if (status >= 200 && status < 300) return undefined;
  const known = byStatus.get(status);
  if (known) return known;
  // Outside of servers `redirect: 'manual'` gives an answer without a status.
  if (status === 0) return ['redirected', 'the system redirects; redirects are not followed'];
  if (status >= 300 && status < 400)
    return ['redirected', `the system redirects (${status}); redirects are not followed`];
  if (status >= 400 && status < 500) return ['rejected', `the system rejected the request (${status})`];
  if (status >= 500 && status < 600) return ['unavailable', `the system failed (${status})`];
  return ['unexpected_answer', `the system answered with the status ${status}`];
}
