import { AdminTransportError, asTransportError } from './transport-error.ts';

/** The HTTP port: `globalThis.fetch` or anything that behaves like it. */
export type FetchPort = (request: Request) => Promise<Response>;

/** What every request gets. */
export interface GuardOptions {
  readonly token: string | undefined;
  readonly fetch: FetchPort;
  readonly timeoutMs: number;
  readonly newRequestId: (() => string) | undefined;
}

/**
 * A fetch that carries the token, a request ID and a time limit, and that never follows a redirect: a redirect could hand
 * the token to another host. Source: wire contract, gwctl.
 * @throws AdminTransportError when no usable answer came
 */
export function guardedFetch(options: GuardOptions): FetchPort {
  return async (request) => {
    const headers = new Headers(request.headers);
    if (options.token !== undefined) headers.set('authorization', `Bearer ${options.token}`);
    if (options.newRequestId && !headers.has('x-request-id')) headers.set('x-request-id', options.newRequestId());
    const { origin } = new URL(request.url);
    let response: Response;
    try {
      response = await options.fetch(limitedRequest(request, { headers, redirect: 'manual' }, options.timeoutMs));
    } catch (error) {
      throw asTransportError(error, origin, options.timeoutMs);
    }
    if (
      response.type === 'opaqueredirect' ||
      (response.status >= 300 && response.status < 400 && response.status !== 304)
    ) {
      await response.body?.cancel();
      throw new AdminTransportError('redirect_refused', `${origin} redirects elsewhere; redirects are not followed`);
    }
    return response;
  };
}

/**
 * A request that is aborted after `timeoutMs`, or when the one it is made from is. The answer's body is under the same
 * limit, so the timer outlives the headers.
 *
 * The timer refers to both requests: a `Request` follows its signal through a weak reference, so one that nothing else
 * holds can be collected while its fetch waits, and the limit with it.
 */
function limitedRequest(request: Request, init: RequestInit, timeoutMs: number): Request {
  const limit = new AbortController();
  const limited = new Request(request, { ...init, signal: limit.signal });
  const follow = (): void => limit.abort(request.signal.reason);
  if (request.signal.aborted) follow();
  request.signal.addEventListener('abort', follow, { once: true });
  const expire = (..._held: Request[]): void => limit.abort(new DOMException('the time limit passed', 'TimeoutError'));
  setTimeout(expire, timeoutMs, request, limited).unref();
  return limited;
}
