import { setTimeout as delay } from 'node:timers/promises';

/** A burst of changes is written once per this time, and large configurations so that writing takes a tenth of the time. */
const pauseMs = { least: 1000, perWriteMs: 10 } as const;

/** What the keeper works with. */
export interface KeeperPorts {
  readonly monotonicMs: () => number;
  /** The lines of what is served now; `undefined` while they are being changed, then {@link ConfigurationKeeper.resume} is called. */
  readonly lines: () => Promise<Iterable<string> | undefined>;
  readonly save: (lines: Iterable<string>) => Promise<void>;
  readonly onFailed: (error: unknown) => void;
}

/**
 * Sees to it that what is served gets to disk, off the way of requests and of further changes: one write at a time, the first
 * at once, and of a burst the latest. A machine that stops in a burst starts from a configuration that was served shortly before.
 */
export class ConfigurationKeeper {
  readonly #ports: KeeperPorts;
  readonly #stop = new AbortController();
  #isDue = false;
  #writing: Promise<void> | undefined;
  #onTried: (() => void) | undefined;

  constructor(ports: KeeperPorts) {
    this.#ports = ports;
  }

  /**
   * What is served changed. Resolves once that is on disk or could not be written; at once in a burst, where the copy comes later.
   * Never rejects.
   */
  offer(): Promise<void> {
    this.#isDue = true;
    if (this.#writing !== undefined || this.#stop.signal.aborted) return Promise.resolve();
    const tried = Promise.withResolvers<void>();
    this.#onTried = tried.resolve;
    this.resume();
    return tried.promise;
  }

  /** The lines can be had again. */
  resume(): void {
    if (!this.#isDue) return;
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
      this.#onTried?.();
    });
  }

  /** Writes what is not written yet, at once. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#writing;
    if (this.#isDue) await this.#writeOnce();
  }

  async #write(): Promise<void> {
    while (this.#isDue) {
      const startedMs = this.#ports.monotonicMs();
      if (!(await this.#writeOnce())) return;
      const tookMs = this.#ports.monotonicMs() - startedMs;
      const restMs = Math.max(pauseMs.least, tookMs * pauseMs.perWriteMs);
      // An abort ends the wait, nothing else can.
      await delay(restMs, undefined, { signal: this.#stop.signal, ref: false }).catch(() => undefined);
      if (this.#stop.signal.aborted) return;
    }
  }

  /** @returns whether it was time to */
  async #writeOnce(): Promise<boolean> {
    this.#isDue = false;
    try {
      const lines = await this.#ports.lines();
      if (lines === undefined) {
        this.#isDue = true;
        return false;
      }
      await this.#ports.save(lines);
    } catch (error) {
      this.#ports.onFailed(error);
    }
    this.#onTried?.();
    return true;
  }
}
