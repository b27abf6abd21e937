import type { Awaitable, ObservationEdits } from './decision.ts';
import type { Exchange } from './exchange.ts';

/*
 * A plugin that is itself what stands behind the chain. A request hook returns it as an edit, so all later request hooks still run: whoever
 * authenticates or limits a client has the last word whatever the order of names is. Then the host calls it in place of the service. A
 * responder is not bound by the hook's time-out and cap: what it calls may take minutes, so it brings bounds of its own.
 */

/** See the head of this file. Make it once, in `setup`. */
export interface Responder {
  /**
   * Answers a request. Called once, after the last request hook. A rejection counts as a failure of the plugin and is answered as one,
   * but for one after the call's signal fired: then nobody waits.
   */
  respond(call: ResponderCall): Awaitable<ResponderAnswer>;
}

/** One request that a responder answers. */
export interface ResponderCall {
  /** As the request hooks left it. Its `signal` must not be used; take {@link signal}. */
  readonly exchange: Exchange;
  /** Fires when the client left. */
  readonly signal: AbortSignal;
  /**
   * Says more about how the request is observed, at any time until it is over: of a body that streams, at the latest before its `end` or
   * `fail`, or within `cancel`.
   */
  observe(edits: ObservationEdits): void;
}

/** What a responder answers. Response, stream and error hooks see it like the answer of a service. */
export interface ResponderAnswer {
  readonly status: number;
  /** Name and value by turns. */
  readonly headers?: readonly string[];
  /** Bytes are the host's from here on: they are not copied, and must not be changed. */
  readonly body?: string | Uint8Array | BodyStream;
  /** Who made it: somebody that the responder asked, or the plugin itself. */
  readonly source: 'upstream' | 'plugin';
}

/** A body that is made while it goes. */
export interface BodyStream {
  /** Lets it flow. Called at most once, and not at all when nobody wants it: then {@link cancel} is called. */
  start(sink: BodyStreamSink): void;
  /** The sink takes more, after a `write` that gave `false`. */
  resume(): void;
  /** Nobody wants the rest: the client left, or another body took its place. Nothing is called on the sink any more. */
  cancel(): void;
}

/** What takes a body. `end` or `fail` comes once, and nothing after it. */
export interface BodyStreamSink {
  /** @returns `false` when the next one should wait for `resume`; what is written before that is kept in memory */
  write(bytes: Uint8Array): boolean;
  end(): void;
  /** The body is not whole, and the client is to see that: its connection is cut. */
  fail(): void;
}
