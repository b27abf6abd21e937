import type { Worker } from 'node:worker_threads';

/** How long a thread waits for work before it is ended: as long as somebody looks at a diff before applying it. */
const idleMsMax = 300_000;

/** What a {@link SpareThread} works with. */
export interface SpareThreadParts {
  /** Starts a thread, which then loads what it needs. */
  readonly start: () => Worker;
  /** Default: five minutes. */
  readonly idleMs?: number;
}

/**
 * Has a thread ready for who asks next. A thread takes some 0.2 seconds of processor time to load the catalogue of families and
 * plugins, and one that lives for one job would take them each time while somebody waits. It holds some 30 MB.
 */
export class SpareThread {
  readonly #parts: SpareThreadParts;
  #spare: Worker | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #onEnd = (): void => this.#forget();

  constructor(parts: SpareThreadParts) {
    this.#parts = parts;
  }

  /** A thread that nobody else has: the spare one, or a new one. */
  take(): Worker {
    const spare = this.#spare;
    if (!spare) return this.#parts.start();
    this.#forget();
    spare.ref();
    return spare;
  }

  /** Sees to it that there is a spare thread. It keeps no process alive, and is ended when nobody asks for it. */
  prepare(): void {
    if (this.#spare) return;
    const spare = this.#parts.start();
    spare.unref();
    // One that breaks is nobody's failure: whoever asks next gets a new one, and hears what is wrong with it. The first listener stays,
    // since one may break while it is ended, and an error that nobody listens to takes the process along.
    spare.on('error', () => undefined);
    spare.once('error', this.#onEnd);
    spare.once('exit', this.#onEnd);
    this.#spare = spare;
    this.#timer = setTimeout(() => {
      this.#forget();
      void spare.terminate();
    }, this.#parts.idleMs ?? idleMsMax).unref();
  }

  #forget(): void {
    clearTimeout(this.#timer);
    this.#spare?.off('error', this.#onEnd);
    this.#spare?.off('exit', this.#onEnd);
    this.#spare = undefined;
  }
}
