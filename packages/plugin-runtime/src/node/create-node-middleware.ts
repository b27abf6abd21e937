import type { IncomingMessage, ServerResponse } from 'node:http';
import type { StageResult } from '../chain.ts';
import { endFailures } from '../exchange-end.ts';
import type { ExchangeState } from '../exchange-state.ts';
import type { ConsumerIdentity, Exchange, ExchangeFailure, ExchangeFigures } from '../exchange.ts';
import { compileHost, type HostControls, type HostOptions } from '../fetch/host-options.ts';
import { refuseDestination } from '../fetch/refuse-destination.ts';
import { adoptWebResponse } from '../fetch/web-response.ts';
import { describeError } from '../running-instance.ts';
import { clientAddresses } from './client-address.ts';
import { gateOf, installGate } from './gated-methods.ts';
import { IncomingBody } from './incoming-body.ts';
import { applyToRequest, exchangeOfRequest, statedBytesOf } from './node-request.ts';
import { ResponseGate } from './response-gate.ts';

/** What {@link createNodeMiddleware} takes: the runtime's options and what the requests belong to. */
export interface NodeMiddlewareOptions extends HostOptions {
  /**
   * Addresses and CIDR ranges of proxies that are believed about their clients: `X-Forwarded-For`, `X-Forwarded-Proto`, and what plugins
   * ask a trusted peer. Default: none, so that a client's address is the socket's.
   */
  readonly trustedProxies?: readonly string[];
}

/**
 * Hands a request on to the application. Express and Connect pass one; around a bare server it calls the listener.
 * What it throws, or a promise of it that rejects, is a failure of the application.
 */
export type NextHandler = (error?: unknown) => unknown;

/** Runs the plugins before an application, and around what it answers. */
export type NodeMiddleware = HostControls &
  ((request: IncomingMessage, response: ServerResponse, next: NextHandler) => void);

/**
 * Puts a chain of plugins around a Node application: a listener of `node:http`, or what comes after the middleware in Express
 * and Connect. Hooks may return a web `Response`. Bodies stream in both directions unless a plugin reads them.
 * @throws PluginConfigurationError listing every instance and inline entry that cannot be loaded
 * @throws TypeError for a trusted proxy that is no address and no range
 */
export function createNodeMiddleware(options: NodeMiddlewareOptions): NodeMiddleware {
  const { trustedProxies = [] } = options;
  const { live, newFacts, controls, log, monotonicMs, consumers } = compileHost(options, 'node', adoptWebResponse);
  const addresses = clientAddresses(trustedProxies);

  /** Calls the application with the request as the plugins left it. */
  const callNext = async (gate: ResponseGate, request: IncomingMessage, body: IncomingBody, next: NextHandler) => {
    try {
      refuseDestination(gate.exchange);
      const replaced = applyToRequest(request, gate.exchange, body);
      if (replaced !== undefined) await replaced;
      await next();
    } catch (error) {
      // Its body will not come any more, and nobody waits for an answer.
      if (gate.exchange.aborted) return;
      const details = { request_id: gate.exchange.facts.requestId, error: describeError(error) };
      log.error('the application behind the plugins failed', details);
      gate.fail(APPLICATION_FAILED);
    }
  };
  const middleware = (request: IncomingMessage, response: ServerResponse, next: NextHandler): void => {
    // The client left while other middleware took its time: nobody would hear an answer, and the end has been.
    if (response.destroyed) return;
    const body = new IncomingBody(request);
    // What the host's own functions throw must come before the lease: nobody would give it back.
    const startedMs = monotonicMs();
    const statedBytes = statedBytesOf(request);
    const exchange = exchangeOfRequest(request, newFacts(), body, addresses, consumers, startedMs);
    const lease = live.acquire();
    const chain = lease.served;
    exchanges.set(request, exchange);
    const gate = installGate(response, (writer) => new ResponseGate(response, chain, exchange, writer, monotonicMs));
    let sentMs = startedMs;
    response.once('close', () => {
      const isComplete = response.writableFinished;
      // The client left unless the whole response is out.
      if (!isComplete) exchange.abort();
      const figures: ExchangeFigures = {
        latencyMs: monotonicMs() - startedMs,
        upstreamLatencyMs: gate.answeredMs === undefined ? undefined : gate.answeredMs - sentMs,
        // The application reads it, and nobody counts: one that is whole was as long as it said.
        requestBytes: request.complete ? statedBytes : undefined,
        responseBytes: gate.sentBytes,
      };
      // Who broke it off is told by the socket: only the client's end leaves a trace there.
      const { readableEnded, errored } = request.socket;
      const hasLeft = readableEnded || errored !== null;
      const failure = isComplete ? undefined : (exchange.trouble ?? (hasLeft ? endFailures.clientLeft : undefined));
      exchange.end({ status: gate.sentStatus, isComplete, ...(failure && { failure }), figures }, (error) => {
        const details = { request_id: exchange.facts.requestId, error: describeError(error) };
        log.error('a plugin failed when its request was over', details);
      });
      lease.release();
    });
    const proceed = (result: StageResult): void => {
      // Nobody would hear what the application has to say.
      if (exchange.aborted) return;
      const { responder } = exchange.request;
      if (result === 'continue' && responder !== undefined) gate.respondWith(responder).catch(() => response.destroy());
      else if (result === 'continue') {
        sentMs = monotonicMs();
        void callNext(gate, request, body, next);
      } else if (result === 'respond') gate.respond();
      else gate.fail(exchange.failure);
    };
    const requested = chain.runRequest(exchange);
    if (typeof requested === 'string') proceed(requested);
    else requested.then(proceed).catch(() => response.destroy());
  };
  return Object.assign(middleware, controls);
}

/**
 * Express' way of telling of errors, for the end of an application and before its own error handler: error hooks instead of
 * response hooks run over whatever is answered then.
 */
export function tellFailure(
  error: unknown,
  _request: IncomingMessage,
  response: ServerResponse,
  next: NextHandler,
): void {
  gateOf(response)?.noteFailure(APPLICATION_FAILED);
  next(error);
}

/** The request as the plugins saw it: its ID, its state, who the client is. `undefined` where no middleware has run. */
export function exchangeOf(request: IncomingMessage): Exchange | undefined {
  return exchanges.get(request);
}

/** Who an authentication plugin found the client to be. No client can pretend it: it is no header. */
export function consumerOf(request: IncomingMessage): ConsumerIdentity | undefined {
  return exchanges.get(request)?.consumer;
}

const exchanges = new WeakMap<IncomingMessage, ExchangeState>();

const APPLICATION_FAILED: ExchangeFailure = { code: 'upstream_failed', message: 'the application failed' };
