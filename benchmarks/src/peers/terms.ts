/** What all peers of the proxy scenario are asked to do, so that each does the same. */

/** The path that is loaded; the upstream answers it with 128 bytes. */
export const loadedPath = '/bench/load';

/** The path on which the upstream shows the headers that reached it, as JSON. */
export const echoPath = '/bench/echo';

/** Length of the answer on `loadedPath`. */
export const answerBytes = 128;

/** The consumer's key, and the header that carries it. */
export const apiKey = { header: 'x-api-key', value: 'bench-key-0123456789abcdef', consumer: 'bench-consumer' } as const;

/** So many requests a window that none is refused, but each is counted. */
export const rateLimit = { requests: 1_000_000_000, windowSeconds: 60 } as const;

/** One header added and one taken away in each direction. */
export const headerEdits = {
  request: { set: ['x-bench-request', 'edited'], remove: 'x-bench-client' },
  response: { set: ['x-bench-response', 'edited'], remove: 'x-bench-upstream' },
} as const;

/** With policies, or without any. */
export type Mode = 'plain' | 'policies';

/** All modes, in the order of reports. */
export const modes: readonly Mode[] = ['plain', 'policies'];

/** What a client sends along in a mode. */
export function clientHeaders(mode: Mode): Readonly<Record<string, string>> {
  const edited = { [headerEdits.request.remove]: 'to be removed' };
  return mode === 'plain' ? edited : { ...edited, [apiKey.header]: apiKey.value };
}
