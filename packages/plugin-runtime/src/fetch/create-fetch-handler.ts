import { compileHost, type HostControls, type HostOptions } from './host-options.ts';
import { peerOf, type PeerOptions } from './peer-options.ts';
import { WebExchange } from './web-exchange.ts';
import { adoptWebResponse } from './web-response.ts';

/** What {@link createFetchHandler} takes: the runtime's options and what the requests belong to. */
export interface FetchHandlerOptions extends HostOptions, PeerOptions<Request> {
  /** Answers the requests that no plugin stops: an application, or `fetch` itself. */
  readonly upstream: (request: Request) => Response | Promise<Response>;
}

/**
 * Handles a web request. Never rejects for what plugins or the upstream do: the answer is a problem then. Rejects when the host's
 * own `clientIp`, `isFromTrustedPeer` or `newId` throws, and after `close`. Read or cancel the body of each answer: `close` waits for stream hooks.
 */
export type FetchHandler = ((request: Request) => Promise<Response>) & HostControls;

/**
 * Puts a chain of plugins around a function from `Request` to `Response`. Hooks may return a web `Response`.
 * Bodies stream unless a plugin reads them. The upstream is told of the consumer as the gateway tells it, in `X-Consumer-ID`
 * and its like; a client's own such fields are removed.
 * @throws PluginConfigurationError listing every instance and inline entry that cannot be loaded
 */
export function createFetchHandler(options: FetchHandlerOptions): FetchHandler {
  const { upstream } = options;
  const host = compileHost(options, 'fetch', adoptWebResponse);
  const answer = async (request: Request) => ({ response: await upstream(request) });
  const handle = async (request: Request) => {
    // What the host's own functions throw must come before the lease: nobody would give it back.
    const [facts, peer] = [host.newFacts(), peerOf(options, request)];
    return new WebExchange(host, host.live.acquire(), request, facts, peer).run(answer);
  };
  return Object.assign(handle, host.controls);
}
