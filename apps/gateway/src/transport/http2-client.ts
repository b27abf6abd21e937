import type { AddressGuard } from './address-guard.ts';
import { Http2ClientCall } from './http2-client-call.ts';
import { Http2ClientConnection, type ConnectionOwner, type Http2Address } from './http2-client-connection.ts';
import { failingCall } from './failing-client.ts';
import { failures } from './upstream-failures.ts';
import { TlsFailureLog, type UpstreamLog } from './upstream-log.ts';
import { tlsOptionsOf } from './upstream-tls.ts';
import type {
  ResponseSink,
  UpstreamCall,
  UpstreamClient,
  UpstreamFailure,
  UpstreamRequest,
} from './upstream-transport.ts';

/** Bounds of the HTTP/2 connections to one target. */
export const http2ClientLimits = {
  connectionsPerTargetMax: 32,
  /** Requests that wait for room; one more is refused. */
  waitingPerTargetMax: 1024,
} as const;

/** How many connections and waiting requests a client has. */
export interface Http2ClientLimits {
  readonly connectionsPerTargetMax: number;
  readonly waitingPerTargetMax: number;
}

/**
 * An upstream client that speaks HTTP/2: one connection while that has room, and another one for what it does not take. Requests wait, in
 * their order, while connections are made or all are full.
 */
export class Http2Client implements UpstreamClient, ConnectionOwner {
  readonly connectTimeoutMs: number;
  readonly scheme: 'http' | 'https';
  readonly #address: Http2Address;
  readonly #guard: AddressGuard;
  readonly #log: TlsFailureLog;
  readonly #limits: Http2ClientLimits;
  /** All that are not gone, the first one first asked. */
  readonly #connections: Http2ClientConnection[] = [];
  readonly #waiting = new Set<Http2ClientCall>();
  #isClosed = false;

  /**
   * @param log told of TLS connections that do not come about
   * @throws Error of `node:tls` for certificates or keys of the address that it cannot read
   */
  constructor(
    address: Http2Address,
    guard: AddressGuard,
    log?: UpstreamLog,
    limits: Http2ClientLimits = http2ClientLimits,
  ) {
    this.connectTimeoutMs = address.connectTimeoutMs;
    this.scheme = address.protocol === 'grpcs' ? 'https' : 'http';
    this.#address = address;
    this.#guard = guard;
    this.#log = new TlsFailureLog(log, address);
    this.#limits = limits;
    if (address.protocol === 'grpcs') tlsOptionsOf(address);
  }

  send(request: UpstreamRequest, sink: ResponseSink): UpstreamCall {
    if (request.upgrade !== undefined) return failingCall(failures.notSendable, sink);
    if (this.#isClosed || this.#waiting.size >= this.#limits.waitingPerTargetMax) {
      return failingCall(failures.busy, sink);
    }
    const call = new Http2ClientCall(request, sink, this);
    const connection = this.#waiting.size === 0 ? this.#withRoom() : undefined;
    if (connection !== undefined) {
      call.start(connection);
      return call;
    }
    this.#waiting.add(call);
    call.waitAtMost(this.connectTimeoutMs);
    this.#connectForWaiting();
    return call;
  }

  close(): void {
    this.#isClosed = true;
    if (this.#waiting.size === 0) this.#closeConnections();
  }

  get isConnected(): boolean {
    return this.#connections.some(({ isConnecting }) => !isConnecting);
  }

  /** For calls: one waits no more. */
  leave(call: Http2ClientCall): void {
    this.#waiting.delete(call);
    if (this.#isClosed && this.#waiting.size === 0) this.#closeConnections();
  }

  onRoom(connection: Http2ClientConnection): void {
    // What is nearly always so.
    if (this.#waiting.size === 0 && !this.#isClosed) return;
    for (const call of this.#waiting) {
      if (!connection.hasRoom) break;
      this.#waiting.delete(call);
      call.start(connection);
    }
    if (this.#isClosed && this.#waiting.size === 0) this.#closeConnections();
    else this.#connectForWaiting();
  }

  onGone(connection: Http2ClientConnection, failure: UpstreamFailure | undefined): void {
    const place = this.#connections.indexOf(connection);
    if (place >= 0) this.#connections.splice(place, 1);
    // With another connection there is hope; without one, whoever waits would wait for the same failure again.
    if (failure !== undefined && this.#connections.length === 0) this.#failWaiting(failure);
    else this.#connectForWaiting();
  }

  #withRoom(): Http2ClientConnection | undefined {
    for (const connection of this.#connections) if (connection.hasRoom) return connection;
    return undefined;
  }

  /** One connection at a time is made for those that wait: it may have room for all of them. */
  #connectForWaiting(): void {
    const isFull = this.#connections.length >= this.#limits.connectionsPerTargetMax;
    if (this.#waiting.size === 0 || isFull || this.#connections.some(({ isConnecting }) => isConnecting)) return;
    const lookup = this.#guard.lookupFor(this.#address.port);
    this.#connections.push(new Http2ClientConnection(this.#address, lookup, this, this.#log));
  }

  #failWaiting(failure: UpstreamFailure): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const call of waiting) call.fail(failure);
  }

  #closeConnections(): void {
    for (const connection of [...this.#connections]) connection.close();
  }
}
