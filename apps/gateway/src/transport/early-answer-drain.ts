import type { IncomingMessage } from 'node:http';
import type { DeadlineWatch, Watched } from '@portcullis/egress';

/** What is taken of a body after its request was answered, so that the client can read the answer. */
export const drainLimits = { bytesMax: 64 * 1024, timeMs: 2000 } as const;

/** The rest of a body that nobody wants any more. When it is too long or too slow, its connection is closed. */
export class EarlyAnswerDrain implements Watched {
  place = -1;
  readonly #request: IncomingMessage;
  readonly #watch: DeadlineWatch;
  readonly #endMs = performance.now() + drainLimits.timeMs;
  readonly #bytesMax: number;

  constructor(request: IncomingMessage, watch: DeadlineWatch) {
    this.#request = request;
    this.#watch = watch;
    this.#bytesMax = request.socket.bytesRead + drainLimits.bytesMax;
  }

  start(): void {
    const request = this.#request;
    const over = (): void => this.#watch.delete(this);
    request.once('end', over);
    request.once('close', over);
    request.resume();
    this.#watch.add(this);
  }

  get deadlineMs(): number {
    return this.#request.socket.bytesRead > this.#bytesMax ? 0 : this.#endMs;
  }

  expire(): void {
    this.#watch.delete(this);
    this.#request.socket.destroy();
  }
}
