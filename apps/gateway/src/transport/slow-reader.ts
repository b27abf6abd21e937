import type { Socket } from 'node:net';
import { resetSocket } from './raw-socket.ts';
import type { WatchedBody } from './slow-body-watch.ts';

/**
 * How long a client has to take the minimum of `SlowBodyWatch` while bytes wait for it. Longer than for senders: what the
 * kernel holds leaves in lumps.
 */
export const readerWindowMs = 20_000;

/** A client that an answer waits for: it is cut when it takes next to nothing, or it would hold the upstream for ever. */
export class SlowReader implements WatchedBody {
  place = -1;
  bytesBefore = Number.NaN;
  /** Whether it was cut. */
  isCut = false;
  readonly #socket: Socket;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Bytes that left for the kernel. */
  get bytes(): number {
    return this.#socket.bytesWritten - this.#socket.writableLength;
  }

  /** Whether bytes wait for the client. */
  get flowing(): boolean {
    return this.#socket.writableLength > 0;
  }

  cut(): void {
    this.isCut = true;
    resetSocket(this.#socket);
  }
}
