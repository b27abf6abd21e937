/** How often a request may come by: gateways may stand behind each other, but not so many. */
export const hopsMax = 8;

const field = 'cdn-loop';

/** What this gateway calls itself there: all of its kind are one, so that a loop over two of them is seen, too. */
const hop = 'portcullis';

/**
 * Notes in a request's fields that it goes on to a destination. Source: RFC 8586.
 * @param pairs name and value by turns; changed in place
 * @returns `false` when it has done so too often
 */
export function noteHop(pairs: string[]): boolean {
  let hops = 0;
  for (let at = 0; at < pairs.length; at += 2) {
    if (pairs[at]?.toLowerCase() !== field) continue;
    for (const part of (pairs[at + 1] ?? '').split(',')) if (/^\s*portcullis\s*(?:;|$)/i.test(part)) hops += 1;
  }
  if (hops >= hopsMax) return false;
  pairs.push('CDN-Loop', hop);
  return true;
}
