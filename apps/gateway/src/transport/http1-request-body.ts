import type { Socket } from 'node:net';
import type { BodySink, BodySource } from './body-source.ts';
import { fieldLines } from './http1-request-head.ts';

/** Who sends a request whose body is on its way in. */
export interface BodyOwner {
  /** Bytes of it went on. */
  onBodyFlow(): void;
  /** The upstream takes no more for now. */
  onBodyFull(): void;
  onBodySent(): void;
  /** It broke off, or is not as long as its head says. */
  onBodyFailed(): void;
}

/** A request's body on its way to a connection. What the connection does not take, its source is not asked for. */
export class RequestBody implements BodySink {
  readonly #source: BodySource;
  readonly #socket: Socket;
  readonly #owner: BodyOwner;
  /** Bytes that are still due; `undefined` where the body goes in chunks. */
  #left: number | undefined;
  /** Whether the whole body was handed to the connection. */
  isSent = false;
  #isDropped = false;

  /** @param length as the head states it; `undefined` where the body goes in chunks, and its trailers behind them */
  constructor(source: BodySource, length: number | undefined, socket: Socket, owner: BodyOwner) {
    this.#source = source;
    this.#socket = socket;
    this.#owner = owner;
    this.#left = length;
  }

  /** Lets it flow, behind the head. */
  start(): void {
    this.#source.read(this);
  }

  /** There is room again. */
  resume(): void {
    if (this.isSent) return;
    this.#owner.onBodyFlow();
    this.#source.resume();
  }

  /** Nobody wants the rest: it is taken from its sender and dropped, so that the sender can read its answer. */
  drop(): void {
    if (this.isSent || this.#isDropped) return;
    this.#isDropped = true;
    this.#source.resume();
  }

  onChunk(chunk: Uint8Array): void {
    if (this.#isDropped || chunk.length === 0) return;
    const isTaken = this.#left === undefined ? this.#writeChunk(chunk) : this.#writeCounted(chunk, this.#left);
    if (this.#isDropped) return;
    if (isTaken) this.#owner.onBodyFlow();
    else {
      this.#source.pause();
      this.#owner.onBodyFull();
    }
  }

  onEnd(): void {
    if (this.#isDropped) return;
    if (this.#left !== undefined && this.#left > 0) {
      this.#fail();
      return;
    }
    if (this.#left === undefined) this.#socket.write(`0\r\n${fieldLines(this.#source.trailers) ?? ''}\r\n`, 'latin1');
    this.isSent = true;
    this.#owner.onBodySent();
  }

  onError(): void {
    if (!this.#isDropped) this.#fail();
  }

  #writeCounted(chunk: Uint8Array, left: number): boolean {
    if (chunk.length > left) {
      this.#fail();
      return false;
    }
    this.#left = left - chunk.length;
    return this.#socket.write(chunk);
  }

  #writeChunk(chunk: Uint8Array): boolean {
    this.#socket.cork();
    this.#socket.write(`${chunk.length.toString(16)}\r\n`, 'latin1');
    this.#socket.write(chunk);
    const isTaken = this.#socket.write('\r\n', 'latin1');
    this.#socket.uncork();
    return isTaken;
  }

  #fail(): void {
    this.#isDropped = true;
    this.#owner.onBodyFailed();
  }
}
