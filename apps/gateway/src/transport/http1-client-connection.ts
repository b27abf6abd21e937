import type { Socket } from 'node:net';
import { DeadlineWatch, type Watched } from '@portcullis/egress';
import type { Http1ClientCall } from './http1-client-call.ts';
import { RequestBody, type BodyOwner } from './http1-request-body.ts';
import { statedLength } from './http1-request-head.ts';
import { ResponseReader, type ReadingSink } from './response-reader.ts';
import { failures, upstreamFailure } from './upstream-failures.ts';

/** How late a deadline may be noticed. */
const sweepMs = 100;

/** Connections are watched for as long as they are open: to move a deadline is to write a number. */
const deadlines = new DeadlineWatch(sweepMs);

const never = Number.POSITIVE_INFINITY;

/** Idle connections are closed after this, or earlier where the upstream's `Keep-Alive` says so. */
export const keepAliveMs = 10_000;

/** So much earlier than the upstream would, lest it closes a connection on which a request is on its way. */
const keepAliveMarginMs = 2000;

/** A small body goes out together with its head: so much is worth the copying. */
const joinedBytesMax = 4096;

/** Who has connections. */
export interface ConnectionOwner {
  /** It has no request. */
  onFree(connection: Http1ClientConnection): void;
  /** It takes none any more. */
  onGone(connection: Http1ClientConnection): void;
}

const nothing = Buffer.alloc(0);

/** One connection to an upstream in HTTP/1.1. It carries one request at a time. */
export class Http1ClientConnection implements Watched, ReadingSink, BodyOwner {
  place = -1;
  /** One that never gets a request stays no longer than others. */
  deadlineMs = performance.now() + keepAliveMs;
  readonly #socket: Socket;
  readonly #owner: ConnectionOwner;
  readonly #reader = new ResponseReader(this);
  #call: Http1ClientCall | undefined;
  /** Set while the body of the request is on its way. */
  #body: RequestBody | undefined;
  /** What came and was not wanted yet. */
  #unread: Buffer = nothing;
  #isReading = false;
  #isAnswered = false;
  #isGone = false;
  /** Set when nothing more comes: the upstream ended its side, or the connection broke. */
  #ending: 'end' | 'break' | undefined;
  #error: Error | undefined;

  constructor(socket: Socket, owner: ConnectionOwner) {
    this.#socket = socket;
    this.#owner = owner;
    socket.on('data', this.#onData).on('end', this.#onEnd).on('drain', this.#onDrain);
    socket.on('error', this.#onError).on('close', this.#onClose);
    deadlines.add(this);
  }

  /** Whether no request is under way that wants more. */
  get isHeld(): boolean {
    return this.#call === undefined || this.#call.isPaused;
  }

  /** Whether a request can be sent on it: what broke or was ended is known before `close` says so. */
  get isUsable(): boolean {
    return !this.#isGone && this.#socket.writable;
  }

  /** Sends a request. */
  start(call: Http1ClientCall): void {
    const { request, head } = call;
    const { body, method, readTimeoutMs } = request;
    this.#call = call;
    this.#isAnswered = false;
    this.#reader.begin(method, request.upgrade);
    this.deadlineMs = performance.now() + readTimeoutMs;
    if (call.isPaused) this.pause();
    if (body === undefined) this.#socket.write(head, 'latin1');
    else if (!(body instanceof Uint8Array)) {
      this.#socket.write(head, 'latin1');
      this.deadlineMs = never;
      this.#body = new RequestBody(body, statedLength(request), this.#socket, this);
      this.#body.start();
    } else if (body.length <= joinedBytesMax) {
      this.#socket.write(Buffer.concat([Buffer.from(head, 'latin1'), body]));
    } else {
      this.#socket.cork();
      this.#socket.write(head, 'latin1');
      this.#socket.write(body);
      this.#socket.uncork();
    }
  }

  pause(): void {
    // Whoever reads slowly is none of the upstream's business.
    if (this.#isAnswered) this.deadlineMs = never;
    this.#socket.pause();
  }

  resume(): void {
    if (this.#isAnswered) this.#expectRead();
    if (!this.#isReading) this.#read(nothing);
  }

  /** Its request is given up: what comes of it is nobody's, so that the connection is not used again. */
  drop(): void {
    this.#call = undefined;
    this.#leave();
    this.#socket.destroy();
  }

  /** Ends it, when it has no request: nothing is left that the upstream would have to take first. */
  close(): void {
    this.#leave();
    this.#socket.destroy();
  }

  /** The upstream was silent, or took nothing, for too long; or there was nothing to do. */
  expire(): void {
    if (this.#call === undefined) this.close();
    else this.#call.fail(failures.timeout);
  }

  onHead(status: number, pairs: string[]): void {
    this.#isAnswered = true;
    if (this.#body === undefined || this.#body.isSent) this.#expectRead();
    this.#call?.sink.onResponse(status, pairs);
  }

  onBody(chunk: Uint8Array): void {
    this.#call?.sink.onChunk(chunk);
  }

  onWhole(trailers: string[] | undefined): void {
    const call = this.#call;
    if (call === undefined) return;
    this.#call = undefined;
    // Which bytes would be the next request's, nobody could say while the body of this one is on its way.
    // So it is while the upstream, which answered early, has not taken all of it: it might never do so.
    const isBodySent = (this.#body === undefined || this.#body.isSent) && this.#socket.writableLength === 0;
    // Upstreams exist that send bodies with answers to HEAD: they must not be taken for the next answer.
    const { method, upgrade } = call.request;
    const isLast =
      method === 'HEAD' || upgrade !== undefined || !this.#reader.isPersistent || this.#ending !== undefined;
    if (isLast || !isBodySent) this.#leave();
    call.finish(trailers);
  }

  onBodyFlow(): void {
    // The upstream waits for the client as long as that sends.
    if (this.#isAnswered) this.#expectRead();
    else this.deadlineMs = never;
  }

  onBodyFull(): void {
    this.deadlineMs = performance.now() + (this.#call?.request.writeTimeoutMs ?? 0);
  }

  onBodySent(): void {
    this.#expectRead();
  }

  onBodyFailed(): void {
    this.#call?.fail(failures.requestBody);
  }

  readonly #onData = (bytes: Buffer): void => {
    // The next bytes are due from now on. Not those of a head: it has one time, however it is cut.
    if (this.#isAnswered) this.#expectRead();
    this.#read(bytes);
  };

  readonly #onEnd = (): void => this.#end('end');

  readonly #onDrain = (): void => this.#body?.resume();

  readonly #onError = (error: Error): void => {
    this.#error = error;
    if (this.#call === undefined) this.#leave();
  };

  readonly #onClose = (): void => {
    // A connection that broke keeps to itself what came while it was paused.
    const left: Buffer | null = this.#socket.read();
    if (left !== null && this.#call !== undefined) this.#read(left);
    this.#end('break');
  };

  /** Nothing more comes, and nothing can be sent: what came is its reader's all the same. */
  #end(how: 'end' | 'break'): void {
    this.#ending ??= how;
    this.#body?.drop();
    this.#endWhenRead();
  }

  #endWhenRead(): void {
    const call = this.#call;
    if (call?.isPaused === true && (this.#isAnswered || this.#unread.length > 0)) return;
    if (call !== undefined && !(this.#ending === 'end' && this.#reader.end()))
      call.fail(this.#error === undefined ? failures.reset : upstreamFailure(this.#error, true));
    this.#leave();
    this.#socket.destroy();
  }

  #expectRead(): void {
    const call = this.#call;
    this.deadlineMs = call === undefined || call.isPaused ? never : performance.now() + call.request.readTimeoutMs;
  }

  #read(more: Buffer): void {
    const bytes = this.#unread.length === 0 ? more : Buffer.concat([this.#unread, more]);
    this.#unread = nothing;
    this.#isReading = true;
    const call = this.#call;
    const at = this.#reader.read(bytes, 0);
    this.#isReading = false;
    if (this.#isGone) {
      this.#socket.destroy();
      return;
    }
    if (this.#call !== undefined) this.#goOn(this.#call, bytes.subarray(at));
    // What comes behind an answer, or without a request, is nobody's answer.
    else if (at < bytes.length) this.drop();
    else if (call !== undefined) this.#rest();
  }

  /** More of the answer is to come. @param unread what was not read yet */
  #goOn(call: Http1ClientCall, unread: Buffer): void {
    if (this.#reader.isSwitched && call.sink.onUpgrade !== undefined) this.#switch(call, unread);
    else if (this.#reader.isMalformed || this.#reader.isSwitched) call.fail(failures.malformed);
    else {
      this.#unread = unread;
      if (this.#ending !== undefined) this.#endWhenRead();
      // Its reader may have stopped it and gone on in the middle of what was read.
      else if (!this.isHeld && this.#socket.isPaused()) this.#socket.resume();
    }
  }

  /** It waits for the next request. */
  #rest(): void {
    this.#body = undefined;
    const { keepAliveSeconds } = this.#reader;
    const idleMs =
      keepAliveSeconds === undefined ? keepAliveMs : Math.min(keepAliveMs, keepAliveSeconds * 1000 - keepAliveMarginMs);
    if (idleMs <= 0 || !this.isUsable) {
      this.close();
      return;
    }
    this.deadlineMs = performance.now() + idleMs;
    if (this.#socket.isPaused()) this.#socket.resume();
    this.#owner.onFree(this);
  }

  /** The connection is the sink's: whoever reads it goes on from here. */
  #switch(call: Http1ClientCall, early: Buffer): void {
    const socket = this.#socket;
    this.#call = undefined;
    this.#leave();
    socket.pause();
    socket.off('data', this.#onData).off('end', this.#onEnd).off('drain', this.#onDrain);
    socket.off('error', this.#onError).off('close', this.#onClose);
    if (early.length > 0) socket.unshift(early);
    call.leaveConnection();
    call.sink.onUpgrade?.(this.#reader.switchPairs, socket);
  }

  #leave(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    deadlines.delete(this);
    this.#body?.drop();
    this.#owner.onGone(this);
  }
}
