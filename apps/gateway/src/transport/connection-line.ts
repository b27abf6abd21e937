import type { Socket } from 'node:net';

const line: unique symbol = Symbol('line');

interface LinedSocket extends Socket {
  [line]?: ConnectionLine;
}

/** So many pipelined requests wait on one connection. What comes after them is not answered: the client asks again. */
export const pipelinedRequestsMax = 256;

/** What waits for its turn on a connection. */
export interface Waiting {
  /** @param last whether the connection ends with its answer */
  take(last: boolean): void;
  /** Whether all of it came, or its answer has begun: what follows on the connection is not about it. */
  readonly isSettled: boolean;
}

/**
 * The requests of one connection, one at a time: a pipelined request begins when the one before is answered, and never
 * when the connection ends with that answer.
 */
export class ConnectionLine {
  /** The request that is being answered. */
  #current: Waiting | undefined;
  #closing = false;
  #isFull = false;
  readonly #waiting: Waiting[] = [];

  /** The line of a socket; made when it is first asked for. */
  static of(socket: Socket): ConnectionLine {
    return ((socket as LinedSocket)[line] ??= new ConnectionLine());
  }

  /** Whether the connection ends with an answer that is on its way. */
  get closing(): boolean {
    return this.#closing;
  }

  /** Whether a request is being answered. */
  get busy(): boolean {
    return this.#current !== undefined;
  }

  /** Whether an answer is due that bytes behind its request must not be taken for. */
  get isOwed(): boolean {
    return this.#current?.isSettled === true;
  }

  /** What still comes in on the connection is not answered. */
  close(): void {
    this.#closing = true;
    this.#waiting.length = 0;
  }

  /** Lets a request begin, now or after those before it. */
  enter(request: Waiting): void {
    if (this.#closing || this.#isFull) return;
    if (this.#current !== undefined) {
      this.#isFull = this.#waiting.push(request) === pipelinedRequestsMax;
      return;
    }
    this.#current = request;
    request.take(false);
  }

  /** The request that began last is answered. */
  leave(): void {
    const next = this.#waiting.shift();
    this.#current = next;
    next?.take(this.#isFull && this.#waiting.length === 0);
  }
}
