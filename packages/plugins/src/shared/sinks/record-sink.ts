import type { PluginServices } from '@portcullis/plugin-runtime';
import { backOffMs } from './back-off.ts';
import { EntryQueue } from './entry-queue.ts';
import { SendError, type RecordSender } from './record-sender.ts';
import { SinkFigures, type SinkNoun } from './sink-figures.ts';
import { SINK_LIMITS, type SinkLimits } from './sink-limits.ts';
import { sinkMemoryOf, type Holding, type SinkMemory } from './sink-memory.ts';
import { timedSend } from './timed-send.ts';

/** What a sink needs of its host. */
export type SinkServices = Pick<PluginServices, 'clock' | 'timers' | 'random' | 'log' | 'metrics'>;

/** How a sink sends. */
export interface SinkOptions<Entry> {
  readonly sender: RecordSender<Entry>;
  /** For one `send`, in milliseconds. */
  readonly timeoutMs: number;
  /** Default `records`. */
  readonly noun?: SinkNoun;
  /** What differs from {@link SINK_LIMITS}. */
  readonly limits?: Partial<SinkLimits>;
}

/**
 * Takes records without ever making anybody wait, and sends them in batches. What it holds is bounded; above the bound the oldest
 * records that wait are dropped, because the newest tell what is going on now. A batch that fails is tried again with growing waits,
 * unless the sink said that it will never take it. Counts what it sent, dropped and failed to send.
 */
export class RecordSink<Entry> implements Holding {
  readonly #options: SinkOptions<Entry>;
  readonly #limits: SinkLimits;
  readonly #services: SinkServices;
  readonly #figures: SinkFigures;
  readonly #memory: SinkMemory;
  readonly #queue = new EntryQueue<Entry>();
  readonly #end = new AbortController();
  readonly #sends = new Set<Promise<void>>();
  #sendingRecords = 0;
  #sendingBytes = 0;
  #timer: { readonly handle: unknown; readonly delayMs: number } | undefined;
  #isEnding = false;

  constructor(options: SinkOptions<Entry>, services: SinkServices) {
    this.#options = options;
    this.#limits = { ...SINK_LIMITS, ...options.limits };
    this.#services = services;
    this.#figures = new SinkFigures(services, options.noun ?? 'records');
    this.#memory = sinkMemoryOf(services.clock);
    this.#memory.add(this);
  }

  /** What it holds: waiting and on its way. */
  get bytes(): number {
    return this.#queue.bytes + this.#sendingBytes;
  }

  /** @see {@link bytes} */
  get records(): number {
    return this.#queue.length + this.#sendingRecords;
  }

  /** Takes a record. @param bytes of its encoded form */
  push(entry: Entry, bytes: number): void {
    if (this.#isEnding) return this.#figures.lost(1, 'ended');
    this.#queue.push(entry, bytes);
    this.#memory.grow(bytes, this);
    const { recordsMax, bytesMax } = this.#limits;
    while ((this.records > recordsMax || this.bytes > bytesMax) && this.dropOldest());
    this.#wake();
  }

  /**
   * Sends a record at once, past those that wait, and says whether it was taken. One that may be taken later, or whose client left
   * meanwhile, goes on in the background: what was asked for has happened.
   * @param signal of whoever waits
   * @throws whatever the sender rejects with, and SendError for a time-out
   */
  async deliver(entry: Entry, bytes: number, signal: AbortSignal): Promise<void> {
    const { sender, timeoutMs } = this.#options;
    try {
      await timedSend(sender, [entry], timeoutMs, this.#services.timers, signal);
      this.#figures.sent(1);
    } catch (error) {
      if (error instanceof SendError && !error.isRetryable) this.#figures.lost(1, 'refused', error);
      else this.push(entry, bytes);
      throw error;
    }
  }

  dropOldest(): boolean {
    const bytes = this.#queue.drop();
    if (bytes === undefined) return false;
    this.#memory.shrink(bytes);
    this.#figures.lost(1, 'queue_full');
    return true;
  }

  /** Sends what it has, for a bounded time, and lets go of everything. Takes nothing any more. Call once. */
  async dispose(): Promise<void> {
    this.#isEnding = true;
    this.#sleep();
    const { timers } = this.#services;
    const late = timers.set(() => this.#end.abort(), this.#limits.flushMsMax);
    this.#ship();
    while (this.#sends.size > 0) await Promise.race(this.#sends);
    timers.clear(late);
    const { entries, bytes } = this.#queue.take(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
    if (entries.length > 0) this.#figures.lost(entries.length, 'ended');
    this.#memory.shrink(bytes);
    this.#memory.remove(this);
    await this.#options.sender.close?.();
  }

  /** Makes sure that somebody looks after what waits: soon, and as soon as can be for a whole batch. Never within the caller. */
  #wake(): void {
    const { batchRecordsMax, batchBytesMax, delayMs, sendsMax } = this.#limits;
    if (this.#queue.length === 0 || this.#sends.size >= sendsMax) return;
    const isWhole = this.#queue.length >= batchRecordsMax || this.#queue.bytes >= batchBytesMax;
    const wantedMs = isWhole ? 0 : delayMs;
    if (this.#timer !== undefined && this.#timer.delayMs <= wantedMs) return;
    this.#sleep();
    const { timers } = this.#services;
    this.#timer = { handle: timers.set(() => this.#onTimer(), wantedMs), delayMs: wantedMs };
  }

  #sleep(): void {
    if (this.#timer !== undefined) this.#services.timers.clear(this.#timer.handle);
    this.#timer = undefined;
  }

  #onTimer(): void {
    this.#timer = undefined;
    this.#ship();
  }

  #ship(): void {
    const { batchRecordsMax, batchBytesMax, sendsMax } = this.#limits;
    while (this.#sends.size < sendsMax && this.#queue.length > 0 && !this.#end.signal.aborted) {
      const { entries, bytes } = this.#queue.take(batchRecordsMax, batchBytesMax);
      this.#sendingRecords += entries.length;
      this.#sendingBytes += bytes;
      const send = this.#sendBatch(entries).finally(() => {
        this.#sends.delete(send);
        this.#sendingRecords -= entries.length;
        this.#sendingBytes -= bytes;
        this.#memory.shrink(bytes);
        if (this.#isEnding) this.#ship();
        else this.#wake();
      });
      this.#sends.add(send);
    }
  }

  /** Never rejects. */
  async #sendBatch(batch: readonly Entry[]): Promise<void> {
    const { sender, timeoutMs } = this.#options;
    const { timers, random, log } = this.#services;
    for (let tries = 1; ; tries += 1) {
      try {
        await timedSend(sender, batch, timeoutMs, timers, this.#end.signal);
        return this.#figures.sent(batch.length);
      } catch (error) {
        const said = error instanceof SendError ? error : undefined;
        if (said?.isRetryable === false) return this.#figures.lost(batch.length, 'refused', error);
        if (this.#end.signal.aborted) return this.#figures.lost(batch.length, 'ended', error);
        if (tries >= this.#limits.triesMax) return this.#figures.lost(batch.length, 'gave_up', error);
        log.debug('a batch is sent again', { tries, said: said?.message ?? 'it failed' });
        await this.#wait(backOffMs(tries, this.#limits, random(), said?.retryAfterMs));
        if (this.#end.signal.aborted) return this.#figures.lost(batch.length, 'ended', error);
      }
    }
  }

  /** Waits, or less when the sink has to be gone. */
  #wait(delayMs: number): Promise<void> {
    const { timers } = this.#services;
    const { signal } = this.#end;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = timers.set(resolve, delayMs);
    signal.addEventListener('abort', () => resolve(), { once: true });
    return promise.finally(() => timers.clear(timer));
  }
}
