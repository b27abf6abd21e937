import type { FinishedSpan, SpanSink } from './finished-span.ts';

/** Spans that leave together, at most: to put so many into OTLP's form takes 4 ms, in which nothing else runs. */
export const batchSpansMax = 128;

/** How long a span waits for others, in milliseconds. */
export const spanDelayMs = 1000;

/** How long nobody is told again that spans are lost, in milliseconds. */
const tellPauseMs = 60_000;

/** Sends spans. @returns whether they were taken. Never rejects */
export type SendSpans = (batch: readonly FinishedSpan[]) => Promise<boolean>;

/** What the queue needs. */
export interface SpanQueuePorts {
  readonly send: SendSpans;
  /** Spans that wait, at most. */
  readonly spansMax: number;
  readonly monotonicMs: () => number;
  /** See `System.setTimer`. */
  readonly setTimer: (callback: () => void, delayMs: number) => () => void;
  /** Told of spans that were lost, at most once a minute. */
  readonly onLost: (figures: SpanFigures) => void;
}

/** What became of spans since the process began. */
export interface SpanFigures {
  readonly sent: number;
  /** The queue was full. */
  readonly dropped: number;
  /** The collector did not take them. */
  readonly failed: number;
}

/** Spans on their way to a collector: one batch at a time, so that one that is slow holds no more than the queue. */
export class SpanQueue implements SpanSink {
  readonly #ports: SpanQueuePorts;
  #waiting: FinishedSpan[] = [];
  #sending: Promise<void> | undefined;
  #stopTimer: (() => void) | undefined;
  #sent = 0;
  #dropped = 0;
  #failed = 0;
  #toldMs = Number.NEGATIVE_INFINITY;

  constructor(ports: SpanQueuePorts) {
    this.#ports = ports;
  }

  get figures(): SpanFigures {
    return { sent: this.#sent, dropped: this.#dropped, failed: this.#failed };
  }

  push(spans: readonly FinishedSpan[]): void {
    if (this.#waiting.length + spans.length > this.#ports.spansMax) {
      this.#dropped += spans.length;
      this.#tell();
      return;
    }
    this.#waiting.push(...spans);
    if (this.#sending !== undefined) return;
    if (this.#waiting.length >= batchSpansMax) this.#wake(0);
    else if (this.#stopTimer === undefined) this.#wake(spanDelayMs);
  }

  /** Sends what waits, batch after batch, until nothing does. */
  async flush(): Promise<void> {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    while (this.#sending !== undefined || this.#waiting.length > 0) {
      this.#sending ??= this.#sendBatch();
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await this.#sending;
    }
  }

  /** Never within the caller: to put a batch into its form takes longer than a request may wait. */
  #wake(delayMs: number): void {
    this.#stopTimer?.();
    this.#stopTimer = this.#ports.setTimer(() => {
      this.#stopTimer = undefined;
      this.#sending ??= this.#sendBatch();
    }, delayMs);
  }

  async #sendBatch(): Promise<void> {
    const batch = this.#waiting.slice(0, batchSpansMax);
    this.#waiting = this.#waiting.slice(batchSpansMax);
    const isTaken = await this.#ports.send(batch);
    if (isTaken) this.#sent += batch.length;
    else {
      this.#failed += batch.length;
      this.#tell();
    }
    this.#sending = undefined;
    if (this.#waiting.length >= batchSpansMax) this.#wake(0);
    else if (this.#waiting.length > 0) this.#wake(spanDelayMs);
  }

  #tell(): void {
    const nowMs = this.#ports.monotonicMs();
    if (nowMs - this.#toldMs < tellPauseMs) return;
    this.#toldMs = nowMs;
    this.#ports.onLost(this.figures);
  }
}
