import { Pool } from 'undici';
import type { EgressConnector } from '@portcullis/egress';
import type { AddressGuard } from './address-guard.ts';
import { UndiciCall } from './undici-call.ts';
import { failures, isTlsError } from './upstream-failures.ts';
import { TlsFailureLog, type UpstreamLog } from './upstream-log.ts';
import { undiciConnector } from './upstream-sockets.ts';
import type {
  ResponseSink,
  UpstreamAddress,
  UpstreamCall,
  UpstreamClient,
  UpstreamFailure,
  UpstreamRequest,
} from './upstream-transport.ts';

/** Bounds of the upstream side. */
export const upstreamLimits = {
  connectionsPerTargetMax: 1024,
  /** Requests that wait for a connection; one more is refused. */
  waitingPerTargetMax: 1024,
  /** Idle connections are closed after this, or earlier where the upstream's `Keep-Alive` says so. */
  keepAliveMs: 10_000,
  headerBytesMax: 64 * 1024,
} as const;

/** How many connections and waiting requests a client has. */
export interface ClientLimits {
  readonly connectionsPerTargetMax: number;
  readonly waitingPerTargetMax: number;
}

/** An address that HTTP/1.1 is spoken with. */
export type HttpAddress = UpstreamAddress & { readonly protocol: 'http' | 'https' };

/** An upstream client on an undici pool. */
export class UndiciClient implements UpstreamClient {
  readonly connectTimeoutMs: number;
  readonly #limits: ClientLimits;
  /** Requests that undici has, also those that were given up while they waited. */
  #inside = 0;
  readonly #pool: Pool;
  readonly #servername: string | undefined;

  /**
   * @param way how it connects: with the guard of upstreams, or the connector of another rule, whose connect time counts
   * @param log told of TLS connections that do not come about
   * @throws Error of `node:tls` for certificates or keys of the address that it cannot read
   */
  constructor(
    address: HttpAddress,
    way: AddressGuard | EgressConnector,
    limits: ClientLimits = upstreamLimits,
    log?: UpstreamLog,
  ) {
    this.connectTimeoutMs = address.connectTimeoutMs;
    this.#limits = limits;
    const host = address.host.includes(':') ? `[${address.host}]` : address.host;
    this.#servername = address.protocol === 'https' ? (address.servername ?? address.host) : undefined;
    this.#pool = new Pool(`${address.protocol}://${host}:${address.port}`, {
      connections: limits.connectionsPerTargetMax,
      pipelining: 1,
      allowH2: false,
      connectTimeout: address.connectTimeoutMs,
      keepAliveTimeout: upstreamLimits.keepAliveMs,
      keepAliveMaxTimeout: upstreamLimits.keepAliveMs,
      maxHeaderSize: upstreamLimits.headerBytesMax,
      connect: typeof way === 'function' ? way : guardedConnector(address, way, log),
    });
  }

  send(request: UpstreamRequest, sink: ResponseSink): UpstreamCall {
    const { connectionsPerTargetMax, waitingPerTargetMax } = this.#limits;
    if (this.#inside >= connectionsPerTargetMax + waitingPerTargetMax) return failingCall(failures.busy, sink);
    const call = new UndiciCall(request, sink, this);
    if (this.#inside >= connectionsPerTargetMax) call.waitAtMost(this.connectTimeoutMs);
    this.#inside += 1;
    const body = call.dispatchBody();
    const readTimeoutMs = call.watchesReads ? 0 : request.readTimeoutMs;
    // While a body streams, its own progress is watched, and the answer's head once it is sent.
    const streams = body !== null && !Buffer.isBuffer(body);
    const options = {
      method: request.method,
      path: request.path,
      headers: request.headers as string[],
      body,
      headersTimeout: streams ? 0 : readTimeoutMs,
      bodyTimeout: readTimeoutMs,
      servername: this.#servername,
      upgrade: request.upgrade ?? null,
    };
    this.#pool.dispatch(options, call);
    return call;
  }

  /** For calls: undici has let go of one. */
  left(): void {
    this.#inside -= 1;
  }

  close(): void {
    this.#pool.close().catch(() => undefined); // Only a second close fails.
  }
}

function guardedConnector(address: HttpAddress, guard: AddressGuard, log: UpstreamLog | undefined): EgressConnector {
  const lines = new TlsFailureLog(log, address);
  return undiciConnector(address, guard.lookupFor(address.port), (error: Error & { code?: unknown }) => {
    if (typeof error.code === 'string' && isTlsError(error.code)) lines.note(error.code);
  });
}

/** Stands for an address that must not be called. */
export const refusingClient: UpstreamClient = failingClient(failures.refused);

/** A client that sends nothing, and says why. */
export function failingClient(failure: UpstreamFailure): UpstreamClient {
  return { connectTimeoutMs: 0, send: (_request, sink) => failingCall(failure, sink), close: () => undefined };
}

/** A call that has failed before it began. */
export function failingCall(failure: UpstreamFailure, sink: ResponseSink): UpstreamCall {
  queueMicrotask(() => sink.onFailure(failure));
  return { pause: () => undefined, resume: () => undefined, abort: () => undefined };
}
