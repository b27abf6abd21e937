import type { UpstreamAddress } from './upstream-transport.ts';

/** Between two lines about one address. */
const lineMs = 60_000;

/** Where the lines go. */
export interface UpstreamLog {
  warn(details: Readonly<Record<string, unknown>>, message: string): void;
}

/**
 * Says why the TLS connections of one address fail: a code of OpenSSL's or of Node's, never what a certificate says. The client learns
 * only that they do.
 */
export class TlsFailureLog {
  readonly #log: UpstreamLog | undefined;
  readonly #details: Readonly<Record<string, unknown>>;
  #toldMs = Number.NEGATIVE_INFINITY;
  #untold = 0;

  constructor(log: UpstreamLog | undefined, { protocol, host, port, servername }: UpstreamAddress) {
    this.#log = log;
    this.#details = { upstream: `${protocol}://${host}:${port}`, ...(servername !== undefined && { servername }) };
  }

  /** Tells it, at most once a minute. */
  note(reason: string): void {
    const nowMs = performance.now();
    if (nowMs - this.#toldMs < lineMs) {
      this.#untold += 1;
      return;
    }
    this.#toldMs = nowMs;
    const untold = this.#untold === 0 ? {} : { untold: this.#untold };
    this.#untold = 0;
    this.#log?.warn({ ...this.#details, reason, ...untold }, 'no TLS connection to an upstream could be made');
  }
}
