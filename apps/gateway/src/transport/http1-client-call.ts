import { DeadlineWatch } from '@portcullis/egress';
import type { Http1ClientConnection } from './http1-client-connection.ts';
import { failures } from './upstream-failures.ts';
import type { ResponseSink, UpstreamCall, UpstreamFailure, UpstreamRequest } from './upstream-transport.ts';

/** How late the end of a wait may be noticed. */
const sweepMs = 100;

/** Requests that wait for one of a limited number of connections. */
const waits = new DeadlineWatch(sweepMs);

/** Whose call it is. */
export interface CallOwner {
  /** It waits no more. */
  leave(call: Http1ClientCall): void;
}

/** One request on its way over HTTP/1.1: what its sender holds of it, while it waits and while a connection carries it. */
export class Http1ClientCall implements UpstreamCall {
  place = -1;
  deadlineMs = Number.POSITIVE_INFINITY;
  readonly request: UpstreamRequest;
  /** As it is sent. */
  readonly head: string;
  readonly sink: ResponseSink;
  readonly #owner: CallOwner;
  #connection: Http1ClientConnection | undefined;
  isPaused = false;
  #isOver = false;

  constructor(request: UpstreamRequest, head: string, sink: ResponseSink, owner: CallOwner) {
    this.request = request;
    this.head = head;
    this.sink = sink;
    this.#owner = owner;
  }

  /** All connections are taken: it gives up when it has got none after so many milliseconds. */
  waitAtMost(milliseconds: number): void {
    this.deadlineMs = performance.now() + milliseconds;
    waits.add(this);
  }

  /** A connection carries it from now on. */
  start(connection: Http1ClientConnection): void {
    waits.delete(this);
    this.#connection = connection;
    connection.start(this);
  }

  pause(): void {
    this.isPaused = true;
    if (!this.#isOver) this.#connection?.pause();
  }

  resume(): void {
    if (!this.isPaused) return;
    this.isPaused = false;
    if (!this.#isOver) this.#connection?.resume();
  }

  abort(): void {
    this.fail(failures.aborted);
  }

  /** No connection was free for too long. */
  expire(): void {
    this.fail(failures.busy);
  }

  /** The whole answer came; its connection does not know it any more. */
  finish(trailers: string[] | undefined): void {
    this.#isOver = true;
    this.sink.onEnd(trailers);
  }

  /** The upstream speaks another protocol on the connection, which is the sink's. */
  leaveConnection(): void {
    this.#isOver = true;
  }

  /** Gives it up, wherever it stands. */
  fail(failure: UpstreamFailure): void {
    if (this.#isOver) return;
    this.#isOver = true;
    waits.delete(this);
    if (this.#connection === undefined) this.#owner.leave(this);
    else this.#connection.drop();
    this.sink.onFailure(failure);
  }
}
