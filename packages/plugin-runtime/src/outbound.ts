/*
 * The way out of plugins. A runtime opens no connection itself: the host passes an `Outbound` that keeps the operator's rule
 * (which addresses may be called) and its bounds. Every call of a plugin to an address that somebody configured goes through it.
 * Source: decisions, 20; security rules, SSRF and DNS rebinding.
 */

/** One HTTP request to a configured address. */
export interface OutboundRequest {
  /** Absolute, `http:` or `https:`, without user and password. */
  readonly url: string;
  /** Default `GET`. */
  readonly method?: string;
  /** Name and value by turns. */
  readonly headers?: readonly string[];
  readonly body?: string | Uint8Array;
  /** For everything together: resolving, connecting, redirects, reading the answer's body. In milliseconds. */
  readonly timeoutMs: number;
  /** Bytes of the answer's body, after decoding, above which the call fails. */
  readonly responseBytesMax: number;
  /** Redirects that are followed, each checked as the first address is. Default 0: a redirect is an answer like any other. */
  readonly redirectsMax?: number;
  /** `http:` is refused but for addresses that the operator lists: for calls with somebody's keys. Default `false`. Source: decisions, 20. */
  readonly requiresTls?: boolean;
  /** Ends the call: pass the exchange's signal. */
  readonly signal?: AbortSignal;
}

/** A whole answer. */
export interface OutboundResponse {
  readonly status: number;
  /** All lines of the field joined with `, `; the name in lower case. */
  header(name: string): string | undefined;
  readonly body: Uint8Array;
}

/** An address that a plugin may open a connection to. */
export interface OutboundAddress {
  /** Literal IP address. */
  readonly address: string;
  readonly family: 4 | 6;
  readonly port: number;
}

/** One HTTP request whose answer is taken as it comes. Redirects are not followed: one is an answer like any other. */
export interface OutboundStreamRequest {
  /** Absolute, `http:` or `https:`, without user and password. */
  readonly url: string;
  /** Default `GET`. */
  readonly method?: string;
  /** Name and value by turns. */
  readonly headers?: readonly string[];
  readonly body?: string | Uint8Array;
  /** For resolving, connecting and TLS, in milliseconds. */
  readonly connectTimeoutMs: number;
  /** From sending the request to the head of the answer, in milliseconds. */
  readonly headTimeoutMs: number;
  /** Between two pieces of the answer's body, in milliseconds. Does not run while the body is held. */
  readonly idleTimeoutMs: number;
  /** `http:` is refused but for addresses that the operator lists: for calls with somebody's keys. Default `false`. Source: decisions, 20. */
  readonly requiresTls?: boolean;
}

/** Who takes an answer as it comes. `onEnd` or `onFailure` comes once, and nothing after it. */
export interface OutboundListener {
  /** @param headers name and value by turns, names in lower case */
  onHead(status: number, headers: readonly string[]): void;
  /** @returns `false` to hold the rest until {@link OutboundCall.resume}. The bytes are the listener's to keep. */
  onData(bytes: Uint8Array): boolean;
  onEnd(): void;
  /** The call failed, or the answer broke off. Never within {@link Outbound.open}. @param error its `code` is an {@link OutboundFailure} */
  onFailure(error: Error): void;
}

/** A call under way. */
export interface OutboundCall {
  resume(): void;
  /** Ends it; the listener hears nothing more. May be called at any time. */
  abort(): void;
}

/** See the head of this file. Calls fail with an error whose `code` is an {@link OutboundFailure}; see {@link outboundFailure}. */
export interface Outbound {
  request(request: OutboundRequest): Promise<OutboundResponse>;
  /** Begins a call whose answer streams. Whoever makes it bounds how much of the answer it takes. */
  open(request: OutboundStreamRequest, listener: OutboundListener): OutboundCall;
  /**
   * Resolves a host for a protocol other than HTTP and gives the addresses that may be called, at least one. Connect to one of them
   * and to nothing else: a name that is resolved again may lead elsewhere. TLS takes the host's name as its server name.
   */
  resolve(host: string, port: number, signal?: AbortSignal): Promise<readonly OutboundAddress[]>;
}

/**
 * Why a call failed.
 * - `refused`: the operator's rule forbids the address, or it is none.
 * - `unreachable`: the name does not resolve, nobody listens, TLS failed, the connection broke.
 * - `timeout`: it took longer than `timeoutMs`.
 * - `too_large`: the answer is longer than `responseBytesMax`.
 * - `too_many_redirects`: more than `redirectsMax`, which is not 0.
 * - `aborted`: the signal fired.
 */
export type OutboundFailure = (typeof outboundFailures)[number];

const outboundFailures = ['refused', 'unreachable', 'timeout', 'too_large', 'too_many_redirects', 'aborted'] as const;

/** Why a call failed, whatever class the host's errors are of; `undefined` for an error that no call made. */
export function outboundFailure(error: unknown): OutboundFailure | undefined {
  return error instanceof Error && 'code' in error ? outboundFailures.find((code) => code === error.code) : undefined;
}

/** A call that failed, for hosts that have no class of their own. The message names no address and no secret: it may be logged. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly code: OutboundFailure;

  constructor(code: OutboundFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

const NO_OUTBOUND = 'this host lets plugins call nobody: it passes no `outbound`';

/** The way out of hosts that give none: every call is refused. */
export const noOutbound: Outbound = {
  request: () => Promise.reject(new OutboundError('refused', NO_OUTBOUND)),
  open: (_request, listener) => {
    let isOver = false;
    queueMicrotask(() => {
      if (!isOver) listener.onFailure(new OutboundError('refused', NO_OUTBOUND));
    });
    return { resume: () => undefined, abort: () => (isOver = true) };
  },
  resolve: () => Promise.reject(new OutboundError('refused', NO_OUTBOUND)),
};
