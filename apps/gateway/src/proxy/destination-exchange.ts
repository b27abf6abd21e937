import type { Destination } from '@portcullis/plugin-runtime';
import { upstreamPath } from '@portcullis/router';
import type { CompiledRoute } from '../configuration/generation.ts';
import type { Exchange } from './exchange.ts';
import { ForwardedExchange } from './forwarded-exchange.ts';
import { timeoutMsDefault } from './forwarded-parts.ts';
import type { HeldBody } from './held-body.ts';
import { noteHop } from './hop-count.ts';
import { problems } from './problems.ts';
import type { RequestHead } from './request-head.ts';
import { addConsumer, replaceHost } from './upstream-headers.ts';
import { originTarget } from '../tracing/attempt-target.ts';

/**
 * A request that goes where a plugin chose, in place of its service: once, with no try after it, and without a word to the health of the
 * service's targets. Source: decisions, 20.
 */
export class DestinationExchange extends ForwardedExchange {
  readonly #destination: Destination;

  constructor(
    exchange: Exchange,
    route: CompiledRoute,
    destination: Destination,
    head: RequestHead,
    held: HeldBody | undefined,
  ) {
    super(exchange, route, head, held);
    this.#destination = destination;
  }

  /** The path is the plugins'; that of a client that no service would get, no destination gets either. */
  start(strippedLength: number): void {
    if (upstreamPath('/', this.head.path, strippedLength) === undefined) this.exchange.fail(problems.malformedTarget);
    else if (noteHop(this.head.pairs, this.head.hops)) this.sendWithBody();
    else this.exchange.fail(problems.loop);
  }

  protected send(): void {
    const { exchange, route } = this;
    const { origin } = this.#destination;
    const { path, query } = exchange.state?.request ?? this.head;
    this.sentMs = exchange.ports.monotonicMs();
    const client = exchange.ports.destinations.clientOf(origin, route.connectTimeoutMs || timeoutMsDefault);
    const fields = this.#headers(origin);
    this.recorded?.begin(this.head.pairs, originTarget(origin, path), this.sentMs);
    const { body, trailerNames } = this.withTrailers(true);
    const request = {
      method: exchange.call.method,
      path: query === '' ? path : `${path}?${query}`,
      headers: fields,
      body,
      trailerNames,
      readTimeoutMs: route.readTimeoutMs || timeoutMsDefault,
      writeTimeoutMs: route.writeTimeoutMs || timeoutMsDefault,
      upgrade: this.head.upgrade,
    };
    try {
      this.call = client.send(request, this);
    } catch (error) {
      exchange.crash(error);
    }
  }

  #headers(origin: string): readonly string[] {
    const { pairs, authority } = this.head;
    const consumer = this.exchange.state?.consumer;
    if (consumer !== undefined) addConsumer(pairs, consumer);
    replaceHost(pairs, authority, origin.slice(origin.indexOf('//') + 2));
    return pairs;
  }

  /** Whoever is called for one request is not asked again: nobody says that it would be harmless. */
  protected retry(): boolean {
    return false;
  }

  protected noteAnswer(): void {
    // Nobody watches the health of a destination.
  }

  protected noteEnd(): void {
    // As above.
  }

  protected addFields(): void {
    // Cookies are for balancers.
  }
}
