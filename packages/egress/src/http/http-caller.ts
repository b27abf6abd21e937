import { Agent, type Dispatcher } from 'undici';
import type { VettedAddresses } from '../address/vetted-addresses.ts';
import { CallPlaces } from '../call-places.ts';
import type { CallTime } from '../call-time.ts';
import { asEgressError, EgressError } from '../egress-error.ts';
import { egressLimits } from '../egress-limits.ts';
import { type Answer, joined, readAnswer } from './answer.ts';
import { guardedConnector } from './guarded-connector.ts';
import { type Hop, isRedirect, redirected } from './redirect.ts';
import { sentHeaders } from './request-headers.ts';

/** How a call is made. */
export interface CallBounds {
  readonly responseBytesMax: number;
  readonly redirectsMax: number;
  /** What goes without TLS goes to addresses alone that the operator lists. */
  readonly requiresTls: boolean;
  readonly time: CallTime;
}

/** Makes HTTP requests on connections of its own. */
export class HttpCaller {
  readonly #places = new CallPlaces(egressLimits);
  readonly #agents: Readonly<Record<'any' | 'listed', Agent>>;
  readonly #closing = new AbortController();
  #connections = 0;

  constructor(addresses: VettedAddresses, certificates: readonly string[]) {
    const onOpen = (): (() => void) => {
      this.#connections += 1;
      return () => (this.#connections -= 1);
    };
    const agent = (isListedOnly: boolean): Agent =>
      new Agent({
        connect: guardedConnector({ addresses, isListedOnly, certificates, onOpen, signal: this.#closing.signal }),
        connections: egressLimits.callsPerOriginMax,
        pipelining: 1,
        keepAliveTimeout: egressLimits.keepAliveMs,
        keepAliveMaxTimeout: egressLimits.keepAliveMs,
        maxHeaderSize: egressLimits.headerBytesMax,
        // A call has one time limit for everything, and it is not undici's.
        headersTimeout: 0,
        bodyTimeout: 0,
      });
    // A connection to a public address must not be there for whoever may use listed ones only.
    this.#agents = { any: agent(false), listed: agent(true) };
  }

  /** Calls, and follows redirects as far as it may. @throws EgressError */
  async call(first: Hop, bounds: CallBounds): Promise<Answer> {
    let hop = first;
    for (let followed = 0; ; followed += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one request leads to the next
      const outcome = await this.#exchange(hop, bounds);
      if (!('target' in outcome)) return outcome;
      if (followed === bounds.redirectsMax)
        throw new EgressError('too_many_redirects', `more than ${bounds.redirectsMax} redirects`);
      hop = outcome;
    }
  }

  /** Cuts what is under way. */
  async close(): Promise<void> {
    const closed = new EgressError('unreachable', 'the way out is closed');
    this.#closing.abort(closed);
    await Promise.all(Object.values(this.#agents).map((agent) => agent.destroy(closed)));
  }

  /**
   * One request. A call whose time is over while it connects stays with undici until that has succeeded or failed: it keeps its place so
   * long, lest calls pile up there. @returns its answer, or the request that it leads to
   */
  async #exchange(hop: Hop, bounds: CallBounds): Promise<Answer | Hop> {
    if (this.#closing.signal.aborted) throw this.#closing.signal.reason;
    const leave = await this.#places.take(hop.target.origin, bounds.time.signal);
    try {
      return await bounds.time.race(this.#exchangeNow(hop, bounds).finally(leave));
    } catch (error) {
      throw asEgressError(error);
    }
  }

  async #exchangeNow(hop: Hop, bounds: CallBounds): Promise<Answer | Hop> {
    const response = await this.#send(hop, bounds);
    const location = joined(response.headers['location']);
    if (bounds.redirectsMax === 0 || !isRedirect(response.statusCode, location))
      return await readAnswer(response, hop.method, bounds.responseBytesMax);
    await response.body.dump({ limit: egressLimits.redirectBytesMax, signal: bounds.time.signal });
    return redirected(hop, response.statusCode, location);
  }

  #send({ target, method, headers, body }: Hop, { requiresTls, time }: CallBounds): Promise<Dispatcher.ResponseData> {
    const agent = requiresTls && !target.isTls ? this.#agents.listed : this.#agents.any;
    return agent.request({
      origin: target.origin,
      path: target.path,
      method,
      headers: sentHeaders(headers),
      body: body ?? null,
      reset: this.#connections >= egressLimits.keptConnectionsMax,
      signal: time.signal,
    });
  }
}
