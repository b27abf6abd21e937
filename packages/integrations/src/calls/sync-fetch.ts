/** How a driver asks. It fits the second argument of any `fetch`; the last three are for hosts that can do more, others pass over them. */
export interface SyncRequestInit {
  readonly method: 'GET';
  /** Names in lower case. Among them are the secrets. */
  readonly headers: Readonly<Record<string, string>>;
  /** The secrets belong to one address: a redirect is an answer, and a failure. */
  readonly redirect: 'manual';
  /** Fires when the time is over, or when whoever began the sync ends it. */
  readonly signal: AbortSignal;
  /** What is left of the sync's time, in milliseconds. */
  readonly timeoutMs: number;
  readonly connectTimeoutMs?: number;
  /** More is never read. */
  readonly responseBytesMax: number;
}

/** What a driver needs of an answer. A `Response` has it. */
export interface SyncResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: ReadableStream<Uint8Array> | null;
}

/**
 * The way out. It rejects when no answer came; an error's own `code` (or that of its `cause`) says why: `refused` for an address that may not
 * be called, `timeout`, `too_large`, or one of the system's (`ECONNREFUSED`).
 */
export type SyncFetch = (url: string, init: SyncRequestInit) => Promise<SyncResponse>;
