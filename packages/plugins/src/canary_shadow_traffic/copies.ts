import { outboundFailure, type Clock, type Outbound, type PluginLog } from '@portcullis/plugin-runtime';

/** Bounds of the copies of one instance in one process: memory is at most copies times both bodies. */
export const copyLimits = {
  /** Copies under way. One more is dropped. */
  inFlightMax: 64,
  /** Of a request's body: requests with a longer one, or one of unknown length, are not copied. */
  bodyBytesMax: 131_072,
  /** Of an answer, which is read so that its connection can be kept. A longer one is cut off. */
  answerBytesMax: 131_072,
  /** For a whole copy. */
  timeoutMs: 10_000,
  /** Between two lines in the log. */
  lineMs: 60_000,
} as const;

/** A request as it is copied. */
export interface Copy {
  readonly url: string;
  readonly method: string;
  /** Name and value by turns. */
  readonly headers: readonly string[];
  readonly body: Uint8Array | undefined;
}

/** What copies are sent with. */
export interface CopyPorts {
  readonly outbound: Outbound;
  readonly clock: Clock;
  readonly log: PluginLog;
}

/**
 * Sends copies of requests, beside them: nobody waits, answers are dropped, and what fails is told in the log once a minute. Where too
 * many are under way, the next are dropped, too.
 */
export class Copies {
  readonly #ports: CopyPorts;
  readonly #disposing = new AbortController();
  /** Places that are taken: by copies under way, and by requests whose body is being read for one. */
  #inFlight = 0;
  #dropped = 0;
  #failed = 0;
  #lastFailure = '';
  #toldMs = Number.NEGATIVE_INFINITY;

  constructor(ports: CopyPorts) {
    this.#ports = ports;
  }

  /** Takes a place for one copy, which {@link send} or {@link giveUp} gives back. @returns `false` when there is none: no copy is made */
  take(): boolean {
    if (this.#inFlight < copyLimits.inFlightMax) {
      this.#inFlight += 1;
      return true;
    }
    this.#dropped += 1;
    this.#tell();
    return false;
  }

  /** There is no copy after all. */
  giveUp(): void {
    this.#inFlight -= 1;
  }

  /** Sends a copy on a place that was taken. Never throws, and never tells the caller anything. */
  send(copy: Copy): void {
    void this.#send(copy);
  }

  /** Ends what is under way. */
  dispose(): void {
    this.#disposing.abort();
  }

  async #send({ url, method, headers, body }: Copy): Promise<void> {
    const { timeoutMs, answerBytesMax: responseBytesMax } = copyLimits;
    const { signal } = this.#disposing;
    const content = body === undefined ? {} : { body };
    try {
      await this.#ports.outbound.request({ url, method, headers, timeoutMs, responseBytesMax, signal, ...content });
    } catch (error) {
      this.#noteFailure(outboundFailure(error) ?? 'failed');
    } finally {
      this.giveUp();
    }
  }

  #noteFailure(failure: string): void {
    // It arrived, and its answer would have been dropped all the same.
    if (failure === 'too_large' || this.#disposing.signal.aborted) return;
    this.#failed += 1;
    this.#lastFailure = failure;
    this.#tell();
  }

  #tell(): void {
    const { clock, log } = this.#ports;
    const nowMs = clock.monotonicMs();
    if (nowMs - this.#toldMs < copyLimits.lineMs) return;
    this.#toldMs = nowMs;
    const [failed, dropped] = [this.#failed, this.#dropped];
    this.#failed = 0;
    this.#dropped = 0;
    log.warn('copies of requests did not arrive', { failed, dropped, last_failure: this.#lastFailure });
  }
}
