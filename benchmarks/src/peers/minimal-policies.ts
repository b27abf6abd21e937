import { apiKey, headerEdits, rateLimit } from './terms.ts';

const consumersByKey = new Map<string, string>([[apiKey.value, apiKey.consumer]]);

/** First policy: who has this key. */
export function consumerOf(key: string | string[] | undefined): string | undefined {
  return typeof key === 'string' ? consumersByKey.get(key) : undefined;
}

interface Window {
  endMs: number;
  used: number;
}

const windows = new Map<string, Window>();

/**
 * Second policy: counts the request in the consumer's fixed window.
 * @returns what is left of the limit; below 0 the request is refused
 */
export function countRequest(consumer: string, nowMs: number): number {
  let window = windows.get(consumer);
  if (window === undefined || nowMs >= window.endMs) {
    window = { endMs: nowMs + rateLimit.windowSeconds * 1000, used: 0 };
    windows.set(consumer, window);
  }
  if (window.used >= rateLimit.requests) return -1;
  window.used += 1;
  return rateLimit.requests - window.used;
}

/** Third policy, on the way to the upstream: names and values by turns, changed in place. */
export function editRequest(headers: string[]): void {
  edit(headers, headerEdits.request);
}

/** Third policy, on the way back: the edits, and what is left of the limit. */
export function editResponse(headers: string[], left: number): void {
  edit(headers, headerEdits.response);
  headers.push('ratelimit-limit', `${rateLimit.requests}`, 'ratelimit-remaining', `${left}`);
}

function edit(headers: string[], { set, remove }: { set: readonly [string, string]; remove: string }): void {
  for (let index = 0; index < headers.length; index += 2) {
    if (headers[index] !== remove) continue;
    headers.splice(index, 2);
    break;
  }
  headers.push(set[0], set[1]);
}
