import type { Socket } from 'node:net';
import type { TcpOutcome } from '@portcullis/plugin-runtime';

/** Why a pump carries no more: a plugin wants it, or one failed that must not. */
export type PumpStop = Extract<TcpOutcome, 'close' | 'failed'>;

/** What one direction of a connection is made of. */
export interface PumpParts {
  readonly from: Socket;
  readonly to: Socket;
  /** Runs hooks; absent where none can run. Must not throw or reject. */
  readonly pass?: (bytes: Uint8Array) => TcpOutcome | Promise<TcpOutcome>;
  /** Bytes came in, or were taken after nothing had been for a while. */
  readonly onMoved: (bytes: number) => void;
  /** Hooks end the connection. Nothing is read any more; what was passed on is on its way. */
  readonly onStop: (why: PumpStop) => void;
}

/**
 * Carries bytes one way. It reads nothing while a hook waits and while the other side does not take what it has, so that a connection holds no
 * more than the buffers of its sockets, whatever passes. The end of one side's bytes is passed on once they all are, and the
 * other direction goes on.
 */
export class BytePump {
  readonly #parts: PumpParts;
  #isWaiting = false;
  #isFull = false;
  #hasEnded = false;
  #isStopped = false;

  constructor(parts: PumpParts) {
    this.#parts = parts;
  }

  /** Whether a hook has not decided yet. */
  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  start(): void {
    const { from, to } = this.#parts;
    from.on('data', (chunk: Buffer) => this.#take(chunk));
    from.on('end', () => this.#end());
    to.on('drain', () => this.#drained());
    from.resume();
  }

  /** Carries nothing more. */
  stop(): void {
    this.#isStopped = true;
    this.#parts.from.pause();
  }

  #take(chunk: Buffer): void {
    if (this.#isStopped) return;
    const { pass, from, onMoved } = this.#parts;
    onMoved(chunk.length);
    if (pass === undefined) {
      this.#write(chunk);
      return;
    }
    const outcome = pass(chunk);
    if (!(outcome instanceof Promise)) {
      this.#settle(outcome);
      return;
    }
    this.#isWaiting = true;
    from.pause();
    void outcome.then((late) => {
      this.#isWaiting = false;
      this.#settle(late);
      if (!this.#isStopped && !this.#isFull) from.resume();
      if (this.#hasEnded) this.#finish();
    });
  }

  #settle(outcome: TcpOutcome): void {
    if (this.#isStopped) return;
    if (outcome === 'close' || outcome === 'failed') {
      this.stop();
      this.#parts.onStop(outcome);
    } else if (outcome instanceof Uint8Array && outcome.length > 0) this.#write(outcome);
  }

  #write(bytes: Uint8Array): void {
    const { from, to } = this.#parts;
    if (to.destroyed || to.write(bytes)) return;
    this.#isFull = true;
    from.pause();
  }

  #drained(): void {
    if (!this.#isFull) return;
    this.#isFull = false;
    this.#parts.onMoved(0);
    if (!this.#isWaiting && !this.#isStopped) this.#parts.from.resume();
  }

  #end(): void {
    this.#hasEnded = true;
    if (!this.#isWaiting) this.#finish();
  }

  #finish(): void {
    if (!this.#isStopped) this.#parts.to.end();
  }
}
