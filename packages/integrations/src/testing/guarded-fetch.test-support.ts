import type { Egress } from '@portcullis/egress';
import type { SyncFetch } from '../calls/sync-fetch.ts';

/** The guarded way out as the README uses it. */
export function guardedFetch(egress: Egress): SyncFetch {
  return async (url, { method, headers, signal, timeoutMs, responseBytesMax }) => {
    const bounds = { timeoutMs, responseBytesMax, redirectsMax: 0, requiresTls: true };
    const answer = await egress.request({ url, method, headers: Object.entries(headers).flat(), signal, ...bounds });
    const { status, body } = answer;
    return { status, headers: { get: (name) => answer.header(name) ?? null }, body: new Blob([body]).stream() };
  };
}
