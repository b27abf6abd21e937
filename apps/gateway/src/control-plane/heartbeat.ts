import { setTimeout as delay } from 'node:timers/promises';

/** How often a node says that it lives. Source: contract between gateway and control plane. */
const heartbeatMs = 5000;

/** Says so at once, every {@link heartbeatMs}, and whenever it is told that something changed. */
export class HeartbeatLoop {
  readonly #beat: () => Promise<unknown>;
  readonly #stop = new AbortController();
  #wake = new AbortController();
  #running: Promise<void> | undefined;

  /** @param beat sends one heartbeat; must not throw */
  constructor(beat: () => Promise<unknown>) {
    this.#beat = beat;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** The next heartbeat is due now. */
  now(): void {
    this.#wake.abort();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      this.#wake = new AbortController();
      await this.#beat();
      const signal = AbortSignal.any([this.#stop.signal, this.#wake.signal]);
      await delay(heartbeatMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
