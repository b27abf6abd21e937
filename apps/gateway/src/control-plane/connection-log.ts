/** Time between two lines about the connection: one that flaps must not fill the log. */
const lineEveryMs = 10_000;

/** Where the lines go. */
export interface ConnectionLogSink {
  info(details: Readonly<Record<string, unknown>>, message: string): void;
  warn(details: Readonly<Record<string, unknown>>, message: string): void;
}

/**
 * Knows whether there is a connection, and says so when that or its reason changes: the first time at once, then at most
 * every {@link lineEveryMs}, with the latest state and the number of changes since the line before.
 */
export class ConnectionLog {
  readonly #sink: ConnectionLogSink;
  /** `undefined` until the first attempt has ended. */
  #connected: boolean | undefined;
  #reason = '';
  #changes = 0;
  #pause: NodeJS.Timeout | undefined;

  constructor(sink: ConnectionLogSink) {
    this.#sink = sink;
  }

  get connected(): boolean {
    return this.#connected === true;
  }

  /** @param reason why not; empty when connected */
  note(connected: boolean, reason: string): void {
    if (connected === this.#connected && reason === this.#reason) return;
    this.#connected = connected;
    this.#reason = reason;
    this.#changes += 1;
    if (this.#pause === undefined) this.#write();
  }

  /** Says nothing more. */
  close(): void {
    clearTimeout(this.#pause);
  }

  #write(): void {
    const changes = this.#changes;
    this.#changes = 0;
    if (this.#connected === true) this.#sink.info({ changes }, 'connected to the control plane');
    else this.#sink.warn({ reason: this.#reason, changes }, 'no connection to the control plane');
    this.#pause = setTimeout(() => {
      this.#pause = undefined;
      if (this.#changes > 0) this.#write();
    }, lineEveryMs).unref();
  }
}
