import type { Destination } from './destination.ts';
import type { ConsumerIdentity } from './exchange.ts';
import type { HeaderEdit } from './header-view.ts';
import type { Responder } from './responder.ts';

/** A response that a hook gives instead of going on. In a request hook it stops the request before the upstream. */
export interface PluginResponse {
  readonly status: number;
  /** Name and value by turns: `['content-type', 'application/json']`. */
  readonly headers?: readonly string[];
  readonly body?: string | Uint8Array;
}

/** What a plugin says about how the request is observed. It changes nothing of the request itself. */
export interface ObservationEdits {
  /** Whether the request's record is to be kept; the last plugin that says so decides. */
  readonly sampled?: boolean;
  /** Fields for the `ai` part of the request's record. Later plugins' fields take the place of earlier ones' of the same name. */
  readonly ai?: Readonly<Record<string, unknown>>;
}

/**
 * Changes that a request hook asks for. All fields are optional and the object may be a constant made in `setup`:
 * a hook without per-request values allocates nothing.
 */
export interface RequestEdits {
  readonly headers?: readonly HeaderEdit[];
  /** New path, beginning with `/`. The route stays the one that was selected. */
  readonly path?: string;
  /** New query without `?`; empty removes it. */
  readonly query?: string;
  /**
   * Where the request goes in place of its service. The last plugin that says so decides. Make it once, with `destinationOf`: one that is
   * made per request is read per request. Hosts that cannot send requests elsewhere fail such a request.
   */
  readonly destination?: Destination;
  /**
   * Answers the request in place of its service, once all request hooks have run. The last plugin that says so decides, and over a
   * destination it wins.
   */
  readonly responder?: Responder;
  /** New body; `content-length` follows by itself, and so does `content-encoding`. */
  readonly body?: string | Uint8Array;
  /** How {@link body} is coded, as `content-encoding` says it (`gzip`). Default: not at all. */
  readonly bodyEncoding?: string | undefined;
  /** Sets who the client is. For authentication plugins; the runtime trusts every plugin with it. */
  readonly consumer?: ConsumerIdentity;
  /** Header edits for whatever response this request gets, an error too; applied before the response hooks run. */
  readonly responseHeaders?: readonly HeaderEdit[];
  readonly observation?: ObservationEdits;
}

/** Changes that a response or error hook asks for. */
export interface ResponseEdits {
  readonly headers?: readonly HeaderEdit[];
  readonly replaceStatus?: number;
  /** New body; `content-length` follows by itself, and so does `content-encoding`. */
  readonly body?: string | Uint8Array;
  /** How {@link body} is coded, as `content-encoding` says it (`gzip`). Default: not at all. */
  readonly bodyEncoding?: string | undefined;
  readonly observation?: ObservationEdits;
}

/** The web's `Response`, as far as a host that takes it reads it. `/fetch` does; a host that does not says so. */
export interface WebResponse {
  readonly status: number;
  readonly headers: { forEach(visit: (value: string, name: string) => void): void };
  readonly body: object | null;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/**
 * What a hook returns: nothing (go on), edits (go on, changed) or a response (stop). The runtime tells a response by its
 * `status`. A web `Response` works where the host takes one (`/fetch`).
 */
export type HookResult<Edits> = void | undefined | Edits | PluginResponse | WebResponse;

/** A hook may answer at once or later. Only a promise costs a timer. */
export type Awaitable<T> = T | Promise<T>;
