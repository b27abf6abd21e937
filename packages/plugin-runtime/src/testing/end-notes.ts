import type { ExchangeEnd, PluginHooks } from '../index.ts';

/** Hooks that wait for the end of each request, and what they heard. */
export interface EndNotes {
  readonly heard: ExchangeEnd[];
  readonly hooks: PluginHooks;
}

/** @param more what the request hook does besides, and the other hooks */
export function endNotes(more: PluginHooks = {}): EndNotes {
  const heard: ExchangeEnd[] = [];
  const request: PluginHooks['request'] = (exchange, place) => {
    exchange.onEnd((end) => heard.push(end));
    return more.request?.(exchange, place);
  };
  return { heard, hooks: { ...more, request } };
}
