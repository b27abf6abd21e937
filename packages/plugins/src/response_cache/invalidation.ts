import type { ResponseExchange } from '@portcullis/plugin-runtime';
import type { AnswerStore } from './answer-store.ts';
import { storeKey } from './asked-request.ts';

/**
 * Drops what a successful request with an unsafe method has probably changed: the answers of its address, and of the addresses
 * of the same host that its answer names. Source: RFC 9111, section 4.4.
 */
export function invalidateAfter(exchange: ResponseExchange, store: AnswerStore, includeQuery: boolean): void {
  const { request, response } = exchange;
  if (response.source !== 'upstream' || response.status >= 400) return;
  const key = storeKey(exchange, includeQuery);
  store.invalidate(key);
  const prefix = key.slice(0, key.lastIndexOf('\n') + 1);
  for (const name of ['location', 'content-location']) {
    const address = response.headers.get(name);
    const named = address === undefined ? undefined : sameOrigin(address, request.url);
    if (named === undefined) continue;
    store.invalidate(prefix + (includeQuery ? named.href : named.origin + named.pathname));
  }
}

function sameOrigin(address: string, base: string): URL | undefined {
  const url = URL.parse(address, base);
  if (url === null || url.origin !== URL.parse(base)?.origin) return undefined;
  url.hash = '';
  return url;
}
