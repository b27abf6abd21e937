import type { Socket } from 'node:net';

/** The sockets that a listener took and answers for. */
export class OpenSockets {
  readonly #sockets = new Set<Socket>();
  readonly #max: number;
  #onEmpty: (() => void) | undefined;

  /** @param max so many may be open at a time */
  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#sockets.size;
  }

  /** Takes a socket until it is closed. @returns `false` when there are too many: it is not taken */
  add(socket: Socket): boolean {
    if (this.#sockets.size >= this.#max) return false;
    this.#sockets.add(socket);
    socket.once('close', () => this.release(socket));
    return true;
  }

  /** Somebody else answers for it from now on. */
  release(socket: Socket): void {
    this.#sockets.delete(socket);
    if (this.#sockets.size === 0) this.#onEmpty?.();
  }

  /** Ends those that never brought a byte. */
  closeSilent(): void {
    for (const socket of this.#sockets) if (socket.bytesRead === 0) socket.destroy();
  }

  destroyAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Resolves once all of them are gone. */
  gone(): Promise<void> {
    if (this.#sockets.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onEmpty = resolve;
    });
  }
}
