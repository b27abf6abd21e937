/** One HTTP request whose answer is taken as it comes. Redirects are not followed: one is an answer like any other. */
export interface EgressStreamRequest {
  /** Absolute, `http:` or `https:`, without user and password. */
  readonly url: string;
  /** Default `GET`. */
  readonly method?: string;
  /** Name and value by turns. What belongs to the connection (`Host`, `Content-Length`, …) is left out. */
  readonly headers?: readonly string[];
  readonly body?: string | Uint8Array;
  /** For resolving, connecting and TLS; seen within 50 ms, as the others are. Above 0, to 3,600,000 ms. */
  readonly connectTimeoutMs: number;
  /** From sending the request to the head of the answer. Above 0, to 3,600,000 ms. */
  readonly headTimeoutMs: number;
  /** Between two pieces of the answer's body. Does not run while the body is held. Above 0, to 3,600,000 ms. */
  readonly idleTimeoutMs: number;
  /** `http:` is refused but for addresses in `allowed`: for calls with somebody's keys. Default `false`. Source: decisions, 20. */
  readonly requiresTls?: boolean;
}

/** Who takes an answer as it comes. `onEnd` or `onFailure` comes once, and nothing after it; nothing comes after `abort`, or within `open`. */
export interface EgressListener {
  /** @param headers name and value by turns, names in lower case */
  onHead(status: number, headers: readonly string[]): void;
  /** @returns `false` to hold the rest until {@link EgressCall.resume}. The bytes are the listener's to keep. */
  onData(bytes: Uint8Array): boolean;
  onEnd(): void;
  /** The call failed, or the answer broke off. @param error an `EgressError` */
  onFailure(error: Error): void;
}

/** A call under way. */
export interface EgressCall {
  /** Lets a body flow again that was held. It does so a little later, never within `resume`. */
  resume(): void;
  /** Ends it; the listener hears nothing more. May be called at any time, again too. */
  abort(): void;
}
