import type { NamedRecord } from './exchange.ts';

/** What is known of a connection before any plugin runs. */
export interface TcpFacts {
  readonly connectionId: string;
  readonly tenantId: string;
  readonly gateway: NamedRecord;
  readonly workspaceId?: string;
  readonly service?: NamedRecord;
  readonly route?: NamedRecord;
}

/**
 * One connection that is passed on byte by byte, as its `tcp` hooks see it: read-only. Nobody is identified on it, so that
 * instances for consumers never run.
 */
export interface TcpConnection {
  readonly facts: TcpFacts;
  /** The client's address: the socket's, or what a trusted proxy said. */
  readonly clientIp: string;
  /** The server name that the client asked for in TLS, in lower case; `undefined` without TLS or name. */
  readonly sni: string | undefined;
  /** Always: no plugin can say who the client is. */
  readonly consumer: undefined;
  /** Values that plugins leave for later calls of the same connection, by a key that begins with the plugin's name. */
  readonly state: Map<string, unknown>;
  /** As `Exchange.signal`: fires when this call of the hook is given up. Take it before the hook's first `await`. */
  signal(): AbortSignal;
}

/** What happens to a connection. `inbound` bytes come from the client, `outbound` ones go to it. */
export type TcpEvent =
  | { readonly type: 'open' }
  | { readonly type: 'data'; readonly direction: 'inbound' | 'outbound'; readonly bytes: Uint8Array }
  | { readonly type: 'close' };

/**
 * What a `tcp` hook returns: nothing (go on), other bytes in place of the data (empty drops them), or the wish to close the
 * connection. `bytes` is for `data` only; after `close` nothing is left to be decided.
 */
export type TcpResult = void | undefined | { readonly bytes: Uint8Array } | { readonly close: true };

/**
 * What the host does: send these bytes on (`data`), go on (`open` and `close`), close the connection since a plugin wants it,
 * or close it since a plugin failed that must not; `connection.failure` says which.
 */
export type TcpOutcome = Uint8Array | 'continue' | 'close' | 'failed';
