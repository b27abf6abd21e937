import type { LogDetails } from '@portcullis/plugin-runtime';
import { FakeClock } from '@portcullis/testkit';
import type { RecordSender } from './record-sender.ts';
import { RecordSink, type SinkServices } from './record-sink.ts';
import type { SinkLimits } from './sink-limits.ts';

/** A call of a sender that is under way. */
export interface Call {
  readonly batch: readonly string[];
  readonly signal: AbortSignal;
  accept(): void;
  refuse(error: unknown): void;
}

/** A sink of texts in a process of its own, whose clock and sender move by hand. */
export class SinkBench {
  readonly clock: FakeClock;
  readonly sink: RecordSink<string>;
  /** All calls so far. */
  readonly calls: Call[] = [];
  readonly warnings: [string, LogDetails | undefined][] = [];
  closes = 0;
  readonly #counters = new Map<string, number>();

  constructor(limits: Partial<SinkLimits> = {}, clock: FakeClock = new FakeClock(), tenantId = 't1') {
    this.clock = clock;
    const services: SinkServices = {
      clock,
      timers: { set: clock.setTimer, clear: (handle) => (handle as (() => void) | undefined)?.() },
      random: () => 0.5,
      instance: { id: 'i1', name: 'bench', tenantId },
      log: {
        debug: () => undefined,
        warn: (message, details) => void this.warnings.push([message, details]),
        error: () => undefined,
      },
      metrics: {
        counter: (name) => ({ add: (count) => void this.#counters.set(name, this.count(name) + count) }),
      },
    };
    const sender: RecordSender<string> = {
      send: (batch, signal) =>
        new Promise((resolve, reject) => {
          this.calls.push({ batch, signal, accept: resolve, refuse: reject });
        }),
      close: () => void (this.closes += 1),
    };
    this.sink = new RecordSink({ sender, timeoutMs: 1000, limits }, services);
  }

  count(name: string): number {
    return this.#counters.get(name) ?? 0;
  }

  push(...texts: readonly string[]): void {
    for (const text of texts) this.sink.push(text, text.length);
  }

  /** Moves the clock, then lets promises settle. */
  async advance(milliseconds: number): Promise<void> {
    this.clock.advance(milliseconds);
    await settle();
  }

  /** The newest call ends well. */
  async accept(): Promise<void> {
    this.calls.at(-1)?.accept();
    await settle();
  }

  /** The newest call fails. */
  async refuse(error: unknown): Promise<void> {
    this.calls.at(-1)?.refuse(error);
    await settle();
  }

  get batches(): readonly (readonly string[])[] {
    return this.calls.map(({ batch }) => batch);
  }
}

/** Everything that promises have to do is done. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
