import type { AiRecord } from './ai-record.ts';
import type { Destination } from './destination.ts';
import type { HeaderView } from './header-view.ts';
import type { ConsumerDirectory } from './services.ts';

/** Who an authentication plugin found the client to be. Consumer scopes match on it. Source: spec, Scope matching rules. */
export interface ConsumerIdentity {
  readonly id: string;
  readonly username?: string;
  readonly customId?: string;
  /** Names of the consumer's groups, in the consumer's stored order. */
  readonly groups: readonly string[];
  /** The credential that was presented: its record ID, never its value. */
  readonly credentialId?: string;
}

/** What is known of a request before any plugin runs. IDs and names come from the selected route's configuration. */
export interface RequestFacts {
  readonly requestId: string;
  readonly tenantId: string;
  readonly gateway: NamedRecord;
  readonly workspaceId?: string | undefined;
  readonly service?: NamedRecord | undefined;
  readonly route?: NamedRecord | undefined;
}

/** A configured record as plugins see it. */
export interface NamedRecord {
  readonly id: string;
  readonly name: string;
}

/** The request as it would leave for the upstream now: earlier plugins' edits are visible, later ones' are not. */
export interface RequestView {
  readonly method: string;
  readonly scheme: 'http' | 'https';
  /** Host of the request's authority in lower case, without the port. */
  readonly host: string;
  /** The one normalised path that matched the route and is forwarded; begins with `/`. */
  readonly path: string;
  /** The raw query without `?`; empty when there is none. */
  readonly query: string;
  /** The path that the client asked for, in its one normalised form, whatever plugins made of it since. For logs. */
  readonly clientPath: string;
  /** `scheme://authority/path?query`, put together on each read. */
  readonly url: string;
  readonly headers: HeaderView;
  /**
   * What of the path is joined to the service's: the path without what the route strips, beginning with `/`, or empty. Of a path that a
   * plugin set it is all. Source: wire, Value forms, Routes.
   */
  readonly forwardedPath: string;
  /** Where the request goes in place of its service; `undefined` while no plugin has said so. */
  readonly destination: Destination | undefined;
  /** The client's address: the socket's, or what a trusted proxy said. */
  readonly clientIp: string;
  /** Whether the connection's other end is a proxy that the operator trusts: what it says of its client counts. */
  readonly isFromTrustedPeer: boolean;
  /**
   * Lines of a field that says who the client is (`X-Consumer-ID` and the like) as a trusted peer sent it. Such fields are not among
   * {@link headers} and never go upstream as they came, because most proxies pass on what clients write there: use them only where a config says so. Empty where
   * the peer is not trusted.
   */
  claimsOfPeer(name: string): readonly string[];
  /**
   * Whether a gateway sent it beside a request that went elsewhere: nobody waits for its answer. The host read that from the request as it
   * arrived, so no plugin before hides it.
   */
  readonly isCopy: boolean;
  /** Whether there is a body. One whose fields do not say how long it is (`content-length`) may be of any length, empty too. */
  readonly hasBody: boolean;
  /**
   * The certificates that the connection's other end presented in TLS, in DER, its own first; empty when it presented none. That it has
   * the key is proven; whether anybody trusts the chain is not, see {@link isPeerVerified}.
   */
  peerCertificates(): readonly Uint8Array[];
  /**
   * Whether the host verified that chain itself: the certificates are in their time, and lead to an authority that its operator has named
   * for clients. `false` where it was not asked to.
   */
  readonly isPeerVerified: boolean;
  /**
   * Reads the whole body into memory and keeps it for the upstream. A second call gives the same bytes.
   * @param bytesMax more than this gives `undefined`, and the body still reaches the upstream whole
   * @param isOptional the request goes on without the plugin's reading where the host holds as many bodies as it may: it gives `undefined`,
   * too, then. Default false: such a request is refused
   */
  readBody(bytesMax: number, isOptional?: boolean): Promise<Uint8Array | undefined>;
}

/** The response as it would leave for the client now. */
export interface ResponseView {
  readonly status: number;
  readonly headers: HeaderView;
  /** Who made the response: the upstream, a plugin that stopped the request, or the gateway (an error). */
  readonly source: 'upstream' | 'plugin' | 'gateway';
  /**
   * Reads the whole body into memory and keeps it for the client. A second call gives the same bytes.
   * @param bytesMax more than this gives `undefined`, and the body still reaches the client whole
   * @param isOptional as for requests: without room for the whole body, or where its length is not known, it gives `undefined`, too
   */
  readBody(bytesMax: number, isOptional?: boolean): Promise<Uint8Array | undefined>;
}

/** Why a request failed. `on_error` hooks get it. */
export interface ExchangeFailure {
  /** Stable, machine-readable: for instance `upstream_connect_failed`, `upstream_timeout`, `plugin_failed`. */
  readonly code: string;
  readonly message: string;
  /** Name of the plugin that failed, when one did. */
  readonly plugin?: string;
}

/**
 * One request on its way through the chain, as every hook sees it. All hooks of one request get the same object;
 * it is read-only for them, and changes are returned as {@link RequestEdits} or {@link ResponseEdits}.
 */
export interface Exchange {
  readonly facts: RequestFacts;
  readonly request: RequestView;
  /** Who the client is, once an authentication plugin has said so. */
  readonly consumer: ConsumerIdentity | undefined;
  /**
   * The tenant's consumers in the configuration that this request runs under. It belongs to the request and not to the
   * instance, because an instance outlives the configuration when nothing about it changes.
   */
  readonly consumers: ConsumerDirectory;
  /**
   * The tenant's enabled AI gateway records in that configuration. The array stays the same object while none of them changes, so that
   * what was made of it can be kept by it (`WeakMap`).
   */
  readonly aiRecords: readonly AiRecord[];
  /**
   * Values that plugins leave for later plugins of the same request, by a key that begins with the plugin's name. The one thing
   * that a hook changes in place: what a hook that was given up writes there still arrives.
   */
  readonly state: Map<string, unknown>;
  /** When the request's head came, by the clock that `PluginServices.clock.monotonicMs` reads; `undefined` where the host does not say. */
  readonly startedMs: number | undefined;
  /** The response as it stands, and the last one of several; `undefined` before there is one. For listeners of the end. */
  readonly answer: ResponseView | undefined;
  /** Why the request failed, once it did, or why its answer is not whole. For listeners of the end, because only instances whose trigger covers errors have a hook there. */
  readonly trouble: ExchangeFailure | undefined;
  /**
   * The signal that fires when this call of the hook is given up (time-out, or the client left).
   * Take it before the hook's first `await`; a later call gives a signal that is already aborted.
   */
  signal(): AbortSignal;
  /**
   * Calls the listener once, when the request is over, however it ended: answered, refused, failed, cut, or left by its client. At
   * once when it already is. For what a request holds (a slot, a lock), because no hook is certain to run a second time.
   * The listener runs beside other requests: it returns quickly and answers nothing.
   */
  onEnd(listener: (end: ExchangeEnd) => void): void;
}

/** How a request ended. */
export interface ExchangeEnd {
  /** Of the answer that began to go to the client; `undefined` when none did. */
  readonly status: number | undefined;
  /** Whether the client was sent the whole answer. */
  readonly isComplete: boolean;
  /**
   * Why it was not, so that nobody takes an upstream that broke off for a client that left. `client_left`, `client_too_slow` (it did not take
   * its answer), `gateway_stopped`, `plugin_cut`, `internal`, or what failed behind the plugins (`upstream_reset`, `upstream_timeout`, …).
   * Absent when the answer is whole, and where the host cannot tell. {@link Exchange.trouble} says it, too, unless something failed before.
   */
  readonly failure?: ExchangeFailure;
  /** What the host measured. Absent where it measures nothing of the kind. */
  readonly figures?: ExchangeFigures;
}

/** What a request took, once it is over. */
export interface ExchangeFigures {
  /** From the request's head to the end, in milliseconds. */
  readonly latencyMs: number;
  /** From sending the request to the upstream's head, in milliseconds; `undefined` when no upstream answered. */
  readonly upstreamLatencyMs?: number | undefined;
  /** Bytes of the bodies, as they were on the wire. */
  readonly requestBytes?: number | undefined;
  readonly responseBytes?: number | undefined;
}

/** What `response` hooks see. */
export interface ResponseExchange extends Exchange {
  readonly response: ResponseView;
}

/** What `error` hooks see: the failure, and the response that would tell the client of it. */
export interface ErrorExchange extends ResponseExchange {
  readonly failure: ExchangeFailure;
}
