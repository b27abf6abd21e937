/*
 * How this package reaches providers: it opens no connection itself. The port has the shape of `Outbound.open` of
 * `@portcullis/plugin-runtime`, so that a plugin passes its own.
 */

/** One request to a provider. */
export interface TransportRequest {
  /** Absolute. */
  readonly url: string;
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
  /** `http:` only where the operator allows the address. */
  readonly requiresTls?: boolean;
}

/** Who takes the answer as it comes. `onEnd` or `onFailure` comes once, and nothing after it. */
export interface TransportListener {
  /** @param headers name and value by turns, names in lower case */
  onHead(status: number, headers: readonly string[]): void;
  /** @returns `false` to hold the rest until {@link TransportCall.resume} */
  onData(bytes: Uint8Array): boolean;
  onEnd(): void;
  /** @param error its `code` says why: `refused`, `unreachable`, `timeout`, `too_large`, `aborted` */
  onFailure(error: Error): void;
}

/** A call under way. */
export interface TransportCall {
  resume(): void;
  /** Ends it; the listener hears nothing more. */
  abort(): void;
}

/** See the head of this file. */
export interface Transport {
  /** Begins a call. The listener is never called within it. */
  open(request: TransportRequest, listener: TransportListener): TransportCall;
}
