import type { FinishedSpan, SpanSink } from './finished-span.ts';

/** Spans that leave together, at most: to put so many into OTLP's form takes 4 ms, in which nothing else runs. */
export const batchSpansMax = 128;

/** Batches under way at a time, at most: 10,000 spans a second to a collector that answers after 100 ms. */
export const sendsMax = 8;

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

/**
 * Spans on their way to a collector, in batches of which a few are under way at once: one that is far away takes them as fast as they come,
 * and one that is slow holds no more than these and the queue.
 */
export class SpanQueue implements SpanSink {
  readonly #ports: SpanQueuePorts;
  #waiting: FinishedSpan[] = [];
  readonly #underWay = new Set<Promise<void>>();
  #stopTimer: (() => void) | undefined;
  /** Whether the timer is one that ends with this turn. */
  #isDue = false;
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
    this.#plan();
  }

  /** Sends what waits, until nothing does and nothing is under way. */
  async flush(): Promise<void> {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    while (this.#underWay.size > 0 || this.#waiting.length > 0) {
      if (this.#waiting.length > 0 && this.#underWay.size < sendsMax) this.#sendBatch();
      // oxlint-disable-next-line no-await-in-loop -- no more at once than may be
      else await Promise.race(this.#underWay);
    }
  }

  /** Sets the timer for the next batch, if there is to be one and it is not set as early already. */
  #plan(): void {
    const { length } = this.#waiting;
    if (length === 0 || this.#underWay.size >= sendsMax) return;
    if (length >= batchSpansMax && !this.#isDue) this.#wake(0);
    else if (this.#stopTimer === undefined) this.#wake(spanDelayMs);
  }

  /** Never within the caller: to put a batch into its form takes longer than a request may wait. Nor two batches in one turn. */
  #wake(delayMs: number): void {
    this.#stopTimer?.();
    this.#isDue = delayMs === 0;
    this.#stopTimer = this.#ports.setTimer(() => {
      this.#stopTimer = undefined;
      this.#isDue = false;
      this.#sendBatch();
      this.#plan();
    }, delayMs);
  }

  #sendBatch(): void {
    if (this.#waiting.length === 0 || this.#underWay.size >= sendsMax) return;
    const batch = this.#waiting.slice(0, batchSpansMax);
    this.#waiting = this.#waiting.slice(batchSpansMax);
    const sending = this.#ports.send(batch).then((isTaken) => {
      this.#underWay.delete(sending);
      if (isTaken) this.#sent += batch.length;
      else {
        this.#failed += batch.length;
        this.#tell();
      }
      this.#plan();
    });
    this.#underWay.add(sending);
  }

  #tell(): void {
    const nowMs = this.#ports.monotonicMs();
    if (nowMs - this.#toldMs < tellPauseMs) return;
    this.#toldMs = nowMs;
    this.#ports.onLost(this.figures);
  }
}
