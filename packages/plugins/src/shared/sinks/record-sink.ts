import type { PluginServices } from '@portcullis/plugin-runtime';
import { backOffMs } from './back-off.ts';
import { EntryQueue } from './entry-queue.ts';
import { SendError, type RecordSender } from './record-sender.ts';
import { SinkFigures, type SinkNoun } from './sink-figures.ts';
import { SINK_LIMITS, type SinkLimits } from './sink-limits.ts';
import { sinkMemoryOf, type Holding, type SinkMemory } from './sink-memory.ts';
import { timedSend } from './timed-send.ts';

/** What a sink needs of its host. */
export type SinkServices = Pick<PluginServices, 'clock' | 'timers' | 'random' | 'log' | 'metrics' | 'instance'>;

/** Calls at once while a sink takes nothing. */
const PROBES_MAX = 2;

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
 * unless the sink said that it will never take it; while nothing is taken, others wait in the queue. Counts what it sent, dropped and
 * failed to send.
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
  /** Ends waits between tries. */
  readonly #wakes = new Set<() => void>();
  /** Whether the last try failed. */
  #isDown = false;
  /** Whether the operator was told so. */
  #isTold = false;
  /** When the sink took something, at last. */
  #tookMs = Number.NEGATIVE_INFINITY;

  constructor(options: SinkOptions<Entry>, services: SinkServices) {
    this.#options = options;
    this.#limits = { ...SINK_LIMITS, ...options.limits };
    this.#services = services;
    this.#figures = new SinkFigures(services, options.noun ?? 'records');
    this.#memory = sinkMemoryOf(services.clock);
    this.#memory.add(this);
  }

  get tenantId(): string {
    return this.#services.instance.tenantId;
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
   * Sends a record at once, past those that wait, and says whether it was taken. One that was not is the caller's again, and is counted
   * as what becomes of it.
   * @param signal of whoever waits
   * @throws whatever the sender rejects with, and SendError for a time-out
   */
  async deliver(entry: Entry, signal: AbortSignal): Promise<void> {
    const { sender, timeoutMs } = this.#options;
    await timedSend(sender, [entry], timeoutMs, this.#services.timers, signal);
    this.#took(1);
  }

  dropOldest(): boolean {
    const bytes = this.#queue.drop();
    if (bytes === undefined) return false;
    this.#memory.shrink(bytes, this);
    this.#figures.lost(1, 'queue_full');
    return true;
  }

  /** Sends what it has, for a bounded time, and lets go of everything. Takes nothing any more. Call once. */
  async dispose(): Promise<void> {
    this.#isEnding = true;
    this.#sleep();
    const { timers } = this.#services;
    const late = timers.set(() => {
      this.#end.abort();
      this.#wakeAll();
    }, this.#limits.flushMsMax);
    // What waits for a further try gets it now: the sink may be well again, and nobody tries later.
    this.#wakeAll();
    this.#ship();
    while (this.#sends.size > 0) await Promise.race(this.#sends);
    timers.clear(late);
    const { entries, bytes } = this.#queue.take(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
    if (entries.length > 0) this.#figures.lost(entries.length, 'ended');
    this.#memory.shrink(bytes, this);
    this.#memory.remove(this);
    this.#figures.end();
    await this.#options.sender.close?.();
  }

  /** Makes sure that somebody looks after what waits: soon, and as soon as can be for a whole batch. Never within the caller. */
  #wake(): void {
    const { batchRecordsMax, batchBytesMax, delayMs } = this.#limits;
    if (this.#queue.length === 0 || this.#sends.size >= this.#sendsMax) return;
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
    const { batchRecordsMax, batchBytesMax } = this.#limits;
    while (this.#sends.size < this.#sendsMax && this.#queue.length > 0 && !this.#end.signal.aborted) {
      const { entries, bytes } = this.#queue.take(batchRecordsMax, batchBytesMax);
      this.#sendingRecords += entries.length;
      this.#sendingBytes += bytes;
      const send = this.#sendBatch(entries).finally(() => {
        this.#sends.delete(send);
        this.#sendingRecords -= entries.length;
        this.#sendingBytes -= bytes;
        this.#memory.shrink(bytes, this);
        if (this.#isEnding) this.#ship();
        else this.#wake();
      });
      this.#sends.add(send);
    }
  }

  /**
   * Calls at once. Beside one that failed there is one that tells whether the sink takes others; all that is taken from the queue could
   * not give way to newer records.
   */
  get #sendsMax(): number {
    const { sendsMax } = this.#limits;
    return this.#isDown && !this.#isEnding ? Math.min(sendsMax, PROBES_MAX) : sendsMax;
  }

  /** Never rejects. */
  async #sendBatch(batch: readonly Entry[]): Promise<void> {
    const { sender, timeoutMs } = this.#options;
    const { timers, clock } = this.#services;
    let failedSinceMs: number | undefined;
    for (let tries = 1; ; tries += 1) {
      try {
        await timedSend(sender, batch, timeoutMs, timers, this.#end.signal);
        return this.#took(batch.length);
      } catch (error) {
        const said = error instanceof SendError ? error : undefined;
        if (said?.isTooLarge === true && batch.length > 1) return this.#sendHalves(batch);
        if (said?.isRetryable === false) return this.#figures.lost(batch.length, 'refused', error);
        if (this.#end.signal.aborted) return this.#figures.lost(batch.length, 'ended', error);
        this.#isDown = true;
        failedSinceMs ??= clock.monotonicMs();
        if (this.#givesUp(tries, failedSinceMs)) return this.#figures.lost(batch.length, 'gave_up', error);
        await this.#pauseAfter(tries, said);
        if (this.#end.signal.aborted) return this.#figures.lost(batch.length, 'ended', error);
      }
    }
  }

  async #sendHalves(batch: readonly Entry[]): Promise<void> {
    const middle = Math.ceil(batch.length / 2);
    await this.#sendBatch(batch.slice(0, middle));
    await this.#sendBatch(batch.slice(middle));
  }

  #took(records: number): void {
    this.#isDown = this.#isTold = false;
    this.#tookMs = this.#services.clock.monotonicMs();
    this.#figures.sent(records);
  }

  /** A batch that others pass is refused in the end; while nothing passes, it waits for the sink. */
  #givesUp(tries: number, failedSinceMs: number): boolean {
    const { triesMax, outageMsMax } = this.#limits;
    if (tries >= triesMax && this.#tookMs >= failedSinceMs) return true;
    return this.#services.clock.monotonicMs() - failedSinceMs >= outageMsMax;
  }

  /** Waits before a further try, or less when the sink ends. */
  #pauseAfter(tries: number, said: SendError | undefined): Promise<void> {
    const { timers, random, log } = this.#services;
    const details = { tries, said: said?.message ?? 'it failed' };
    log.debug('a batch is sent again', details);
    if (tries >= this.#limits.triesMax && !this.#isTold) {
      this.#isTold = true;
      log.warn('the sink takes nothing: what it is to be sent waits', details);
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = timers.set(
      resolve,
      backOffMs(this.#isEnding ? 1 : tries, this.#limits, random(), said?.retryAfterMs),
    );
    this.#wakes.add(resolve);
    return promise.finally(() => {
      timers.clear(timer);
      this.#wakes.delete(resolve);
    });
  }

  #wakeAll(): void {
    for (const wake of this.#wakes) wake();
  }
}
