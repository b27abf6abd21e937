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
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(options.timeoutMs)]);
    let response: Response;
    try {
      response = await options.fetch(new Request(request, { headers, signal, redirect: 'manual' }));
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
