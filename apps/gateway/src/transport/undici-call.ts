import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { DeadlineWatch } from '@portcullis/egress';
import type { Dispatcher } from 'undici';
import { SourceStream } from './undici-body.ts';
import { failures, upstreamFailure } from './upstream-failures.ts';
import type { ResponseSink, UpstreamCall, UpstreamFailure, UpstreamRequest } from './upstream-transport.ts';

type Controller = Dispatcher.DispatchController;
type ResponseHeaders = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2];

/** How late a deadline may be noticed. */
const sweepMs = 100;

/** Deadlines of requests that stream a body, wait for a connection or have little time; the others' are kept by undici. */
const deadlines = new DeadlineWatch(sweepMs);

/** undici's timers may be a second late. What is shorter than this is watched here, where a deadline is seen within 100 ms. */
const exactTimeoutMs = 10_000;

const givenUp = new Error('given up');

/** RFC 9110, section 15: what is above is no status, and nobody behind this gateway takes it for one. */
const statusMax = 599;

/** One request on its way through undici. */
export class UndiciCall implements UpstreamCall, Dispatcher.DispatchHandler {
  deadlineMs = Number.POSITIVE_INFINITY;
  place = -1;
  readonly #request: UpstreamRequest;
  readonly #sink: ResponseSink;
  readonly #client: { left(): void };
  /** Whether it waits for a connection, and not longer than till `deadlineMs`. */
  #waits = false;
  #controller: Controller | undefined;
  #reason: UpstreamFailure | undefined;
  #over = false;
  #bodyFailed = false;
  /** Whether the time between two reads is watched here and not by undici. While a body streams, the deadline is that of its progress. */
  readonly watchesReads: boolean;

  /** @param client told when undici has let go of it */
  constructor(request: UpstreamRequest, sink: ResponseSink, client: { left(): void }) {
    this.#request = request;
    this.#sink = sink;
    this.#client = client;
    this.watchesReads = request.readTimeoutMs < exactTimeoutMs && !this.#streams;
  }

  /** All connections are taken: it gives up when it has got none after so many milliseconds. */
  waitAtMost(milliseconds: number): void {
    this.#waits = true;
    this.deadlineMs = performance.now() + milliseconds;
    deadlines.add(this);
  }

  /** The body in the form that undici takes. */
  dispatchBody(): Buffer | SourceStream | null {
    const { body } = this.#request;
    if (body === undefined) return null;
    if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    deadlines.add(this);
    const stream = new SourceStream(body, (flowing) => this.#expectProgress(flowing));
    stream.on('error', () => (this.#bodyFailed = true));
    return stream;
  }

  pause(): void {
    // Whoever reads slowly is none of the upstream's business.
    if (this.watchesReads) this.deadlineMs = Number.POSITIVE_INFINITY;
    this.#controller?.pause();
  }

  resume(): void {
    if (this.watchesReads && this.#controller !== undefined) this.#expectRead();
    this.#controller?.resume();
  }

  abort(): void {
    this.#giveUp(failures.aborted);
  }

  /** No connection was free, or the upstream took no byte of the body, or gave no answer to it, for too long. */
  expire(): void {
    this.#giveUp(this.#waits ? failures.busy : failures.timeout);
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#waits) this.#hasConnection();
    if (this.#over) controller.abort(givenUp);
    else if (this.watchesReads) {
      deadlines.add(this);
      this.#expectRead();
    }
  }

  onRequestSent(): void {
    if (this.#isWatched) this.#expectRead();
  }

  onRequestUpgrade(_controller: Controller, status: number, headers: ResponseHeaders, socket: Duplex): void {
    this.#client.left();
    this.#unwatch();
    const connection = socket as Socket;
    const isAsked =
      status === 101 && this.#sink.onUpgrade !== undefined && namesProtocol(headers, this.#request.upgrade);
    if (this.#over || !isAsked) {
      connection.on('error', ignore);
      connection.destroy();
      if (!this.#over) this.#sink.onFailure(failures.malformed);
      this.#over = true;
      return;
    }
    this.#over = true;
    // What undici watched on its connections is nobody's any more.
    connection.setTimeout(0);
    this.#sink.onUpgrade?.(pairsOf(headers), connection);
  }

  onResponseStart(_controller: Controller, status: number, headers: ResponseHeaders): void {
    if (status < 200 || this.#over) return;
    if (status > statusMax) {
      this.#giveUp(failures.malformed);
      return;
    }
    if (this.watchesReads) this.#expectRead();
    else this.#unwatch();
    this.#sink.onResponse(status, pairsOf(headers));
  }

  onResponseData(_controller: Controller, chunk: Buffer): void {
    if (this.#over) return;
    if (this.watchesReads) this.#expectRead();
    this.#sink.onChunk(chunk);
  }

  onResponseEnd(_controller: Controller, trailers: ResponseHeaders): void {
    this.#client.left();
    if (this.#over) return;
    this.#over = true;
    this.#unwatch();
    this.#sink.onEnd(hasAny(trailers) ? pairsOf(trailers) : undefined);
  }

  onResponseError(_controller: Controller | null, error: Error): void {
    this.#client.left();
    this.#unwatch();
    if (this.#over) return;
    this.#over = true;
    const started = this.#controller !== undefined;
    this.#sink.onFailure(this.#reason ?? (this.#bodyFailed ? failures.requestBody : upstreamFailure(error, started)));
  }

  #giveUp(reason: UpstreamFailure): void {
    if (this.#over) return;
    if (this.#controller !== undefined) {
      this.#reason = reason;
      this.#controller.abort(givenUp);
      return;
    }
    // It still waits for a connection: undici cannot take it back, so it is dropped when it gets one.
    this.#over = true;
    this.#unwatch();
    this.#sink.onFailure(reason);
  }

  #hasConnection(): void {
    this.#waits = false;
    this.deadlineMs = Number.POSITIVE_INFINITY;
    if (!this.#streams) deadlines.delete(this);
  }

  /** The next bytes of the answer are due. */
  #expectRead(): void {
    this.deadlineMs = performance.now() + this.#request.readTimeoutMs;
  }

  get #isWatched(): boolean {
    return this.#waits || this.watchesReads || this.#streams;
  }

  /** Whether the request has a body that is not in memory. */
  get #streams(): boolean {
    const { body } = this.#request;
    return body !== undefined && !(body instanceof Uint8Array);
  }

  /** Runs the write time-out while the upstream takes nothing; a client that sends nothing is none of its business. */
  #expectProgress(flowing: boolean): void {
    this.deadlineMs = flowing ? Number.POSITIVE_INFINITY : performance.now() + this.#request.writeTimeoutMs;
  }

  #unwatch(): void {
    if (this.#isWatched) deadlines.delete(this);
  }
}

/** Name and value by turns; a name that came several times has several pairs. */
function pairsOf(headers: ResponseHeaders): string[] {
  const pairs: string[] = [];
  for (const name in headers) {
    const value = headers[name];
    if (typeof value === 'string') pairs.push(name, value);
    else if (value !== undefined) for (const line of value) pairs.push(name, line);
  }
  return pairs;
}

function hasAny(headers: ResponseHeaders): boolean {
  for (const _name in headers) return true;
  return false;
}

/** RFC 9110, section 15.2.2: an answer with 101 names the protocol. Another one than was asked for is nothing that the client could speak. */
function namesProtocol({ upgrade }: ResponseHeaders, asked: string | undefined): boolean {
  return typeof upgrade === 'string' && upgrade.toLowerCase() === asked;
}

function ignore(): void {
  // `close` follows.
}
