import type { EgressConnector } from '@portcullis/egress';
import type { AddressGuard } from './address-guard.ts';
import { failingCall } from './failing-client.ts';
import { Http1ClientCall, type CallOwner } from './http1-client-call.ts';
import { Http1ClientConnection, type ConnectionOwner } from './http1-client-connection.ts';
import { requestHead } from './http1-request-head.ts';
import { failures, isTlsError, upstreamFailure } from './upstream-failures.ts';
import { TlsFailureLog, type UpstreamLog } from './upstream-log.ts';
import { upstreamConnector } from './upstream-sockets.ts';
import type {
  ResponseSink,
  UpstreamAddress,
  UpstreamCall,
  UpstreamClient,
  UpstreamRequest,
} from './upstream-transport.ts';

/** Bounds of the connections to one target. */
export const http1ClientLimits = {
  connectionsPerTargetMax: 1024,
  /** Requests that wait for a connection that is not on its way; one more is refused. */
  waitingPerTargetMax: 1024,
} as const;

/** How many connections and waiting requests a client has. */
export interface Http1ClientLimits {
  readonly connectionsPerTargetMax: number;
  readonly waitingPerTargetMax: number;
}

/** An address that HTTP/1.1 is spoken with. */
export type HttpAddress = UpstreamAddress & { readonly protocol: 'http' | 'https' };

/**
 * An upstream client that speaks HTTP/1.1: a connection for each request under way. The one that was used last is used next, so that those
 * that are not needed become idle for long enough to be closed.
 */
export class Http1Client implements UpstreamClient, CallOwner, ConnectionOwner {
  readonly connectTimeoutMs: number;
  readonly #limits: Http1ClientLimits;
  readonly #connect: EgressConnector;
  readonly #target: Parameters<EgressConnector>[0];
  readonly #idle: Http1ClientConnection[] = [];
  readonly #waiting = new Set<Http1ClientCall>();
  /** Connections, those on their way among them. */
  #open = 0;
  #connecting = 0;
  #isClosed = false;

  /**
   * @param way how it connects: with the guard of upstreams, or the connector of another rule, whose connect time counts
   * @param log told of TLS connections that do not come about
   * @throws Error of `node:tls` for certificates or keys of the address that it cannot read
   */
  constructor(
    address: HttpAddress,
    way: AddressGuard | EgressConnector,
    limits: Http1ClientLimits = http1ClientLimits,
    log?: UpstreamLog,
  ) {
    const { protocol, host, port, connectTimeoutMs, servername = host } = address;
    this.connectTimeoutMs = connectTimeoutMs;
    this.#limits = limits;
    this.#connect = typeof way === 'function' ? way : guardedConnector(address, way, log);
    const named = protocol === 'https' ? { servername } : {};
    this.#target = { hostname: host, host, protocol: `${protocol}:`, port: `${port}`, ...named };
  }

  send(request: UpstreamRequest, sink: ResponseSink): UpstreamCall {
    const head = requestHead(request);
    if (head === undefined) return failingCall(failures.notSendable, sink);
    const { connectionsPerTargetMax, waitingPerTargetMax } = this.#limits;
    const connection = this.#takeIdle();
    if (connection === undefined && this.#waiting.size >= waitingPerTargetMax + this.#connecting && this.#isFull)
      return failingCall(failures.busy, sink);
    const call = new Http1ClientCall(request, head, sink, this);
    if (connection !== undefined) {
      call.start(connection);
      return call;
    }
    this.#waiting.add(call);
    if (this.#open >= connectionsPerTargetMax) call.waitAtMost(this.connectTimeoutMs);
    else this.#openConnection();
    return call;
  }

  /** Requests under way and those that wait are served; connections are closed after them. */
  close(): void {
    this.#isClosed = true;
    for (const connection of this.#idle.splice(0)) connection.close();
  }

  leave(call: Http1ClientCall): void {
    this.#waiting.delete(call);
  }

  onFree(connection: Http1ClientConnection): void {
    for (const call of this.#waiting) {
      this.#waiting.delete(call);
      call.start(connection);
      return;
    }
    if (this.#isClosed) connection.close();
    else this.#idle.push(connection);
  }

  onGone(connection: Http1ClientConnection): void {
    this.#open -= 1;
    const place = this.#idle.lastIndexOf(connection);
    if (place !== -1) this.#idle.splice(place, 1);
    this.#connectForWaiting();
  }

  get #isFull(): boolean {
    return this.#open >= this.#limits.connectionsPerTargetMax;
  }

  #takeIdle(): Http1ClientConnection | undefined {
    let connection = this.#idle.pop();
    while (connection !== undefined && !connection.isUsable) {
      connection.close();
      connection = this.#idle.pop();
    }
    return connection;
  }

  #openConnection(): void {
    this.#open += 1;
    this.#connecting += 1;
    this.#connect(this.#target, (error, socket) => {
      this.#connecting -= 1;
      if (error === null) {
        this.onFree(new Http1ClientConnection(socket, this));
        return;
      }
      this.#open -= 1;
      // Those for whom connections are on their way have hope.
      const [oldest] = this.#waiting;
      if (oldest !== undefined && this.#waiting.size > this.#connecting) oldest.fail(upstreamFailure(error, false));
      this.#connectForWaiting();
    });
  }

  #connectForWaiting(): void {
    while (this.#waiting.size > this.#connecting && !this.#isFull) this.#openConnection();
  }
}

function guardedConnector(address: HttpAddress, guard: AddressGuard, log: UpstreamLog | undefined): EgressConnector {
  const lines = new TlsFailureLog(log, address);
  return upstreamConnector(address, guard.lookupFor(address.port), (error: Error & { code?: unknown }) => {
    if (typeof error.code === 'string' && isTlsError(error.code)) lines.note(error.code);
  });
}
