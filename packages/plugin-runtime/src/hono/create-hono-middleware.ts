import type { Context, MiddlewareHandler } from 'hono';
import type { Exchange } from '../exchange.ts';
import { compileHost, type HostControls, type HostOptions } from '../fetch/host-options.ts';
import { peerOf, type PeerOptions } from '../fetch/peer-options.ts';
import { WebExchange } from '../fetch/web-exchange.ts';
import { refuseDestination } from '../fetch/refuse-destination.ts';
import { adoptWebResponse } from '../fetch/web-response.ts';

/**
 * What {@link createHonoMiddleware} takes: the runtime's options and what the requests belong to. The platform's adapter knows the
 * peer: `clientIp: (c) => getConnInfo(c).remote.address ?? ''`, for instance.
 */
export interface HonoMiddlewareOptions extends HostOptions, PeerOptions<Context> {}

/** What handlers find in `c.var`. Name it in the type of the app: `new Hono<{ Variables: RuntimeVariables }>()`. */
export interface RuntimeVariables {
  /** The request as the plugins saw it: its ID, its state, and in `consumer` who the client is. */
  readonly exchange: Exchange;
}

/** From this status on, the answer to what a handler threw tells of a failure and is not what it meant to say. */
const FAILED_STATUS_MIN = 500;

/**
 * Puts a chain of plugins around the handlers that come after it: they are the upstream. Hooks may return a web `Response`.
 * `c.req.raw` is what the plugins left; the handler was chosen before, so that a changed path chooses no other one.
 * What a handler throws is answered by the app's `onError`; error hooks run over an answer of 500 and more.
 * @throws PluginConfigurationError listing every instance and inline entry that cannot be loaded
 */
export function createHonoMiddleware(
  options: HonoMiddlewareOptions,
): MiddlewareHandler<{ Variables: RuntimeVariables }> & HostControls {
  const host = compileHost(options, 'hono', adoptWebResponse);
  const middleware: MiddlewareHandler<{ Variables: RuntimeVariables }> = async (context, next) => {
    const { raw } = context.req;
    // A body that an earlier middleware has read is in Hono's keeping: handlers get it from there, plugins do not see it.
    const body = raw.bodyUsed ? null : raw.body;
    const [facts, peer] = [host.newFacts(), peerOf(options, context)];
    const web = new WebExchange(host, host.live.acquire(), raw, facts, peer, body);
    context.set('exchange', web.exchange);
    const response = await web.run(async (request) => {
      refuseDestination(web.exchange);
      context.req.raw = request;
      await next();
      const failed = context.error !== undefined && context.res.status >= FAILED_STATUS_MIN;
      return { response: context.res, failed };
    });
    // Hono would carry over what the handler's answer had in its fields, also what plugins removed.
    context.res = undefined;
    context.res = response;
  };
  return Object.assign(middleware, host.controls);
}
