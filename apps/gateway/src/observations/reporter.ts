import { setTimeout as delay } from 'node:timers/promises';
import { observationLimits, type ObservationBatch } from '@portcullis/resources';
import { Backoff } from '../control-plane/backoff.ts';
import type { PostOutcome } from '../control-plane/control-plane-client.ts';
import { CounterTurns } from './counter-turns.ts';
import type { MinuteCounters } from './minute-counters.ts';
import { recordOf } from './observer.ts';
import type { RecordRing } from './record-ring.ts';

/** Time between two batches. A batch has room for as many raw records as may be kept in that time. */
const flushMs = 1000;

/** What the reporter works on. */
export interface ReporterPorts {
  readonly counters: MinuteCounters;
  readonly records: RecordRing;
  /** @param signal ends the attempt, which then is `unavailable` */
  readonly post: (batch: ObservationBatch, signal: AbortSignal) => Promise<PostOutcome>;
  readonly random: () => number;
  /** UUID of this run of the process: with the sequence it names a batch. */
  readonly bootId: string;
  /** The control plane does not take a batch. When it has records, its counters are sent again without them. */
  readonly onRefused: (batch: ObservationBatch) => void;
}

/**
 * Sends observations in batches, one at a time. A batch is sent again under the same number until it is taken. One that is
 * refused goes once more as a new batch without its raw records: counters are not lost to a record that is wrong.
 */
export class Reporter {
  readonly #ports: ReporterPorts;
  readonly #turns = new CounterTurns();
  readonly #stop = new AbortController();
  readonly #deadline = new AbortController();
  #sequence = 0;
  #pending: ObservationBatch | undefined;
  #running: Promise<void> | undefined;

  constructor(ports: ReporterPorts) {
    this.#ports = ports;
  }

  start(): void {
    this.#running = this.#run();
  }

  /**
   * Ends the loop and makes one more attempt to hand over everything that waits. All of that takes at most `timeoutMs`, the
   * attempt that is under way included.
   */
  async stop(timeoutMs: number): Promise<void> {
    this.#stop.abort();
    const timer = setTimeout(() => this.#deadline.abort(), timeoutMs);
    await this.#running;
    while (!this.#deadline.signal.aborted) {
      this.#pending ??= this.#nextBatch(true);
      if (this.#pending === undefined || !(await this.#sendPending())) break;
    }
    clearTimeout(timer);
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    const backoff = new Backoff(this.#ports.random);
    while (!signal.aborted) {
      await delay(flushMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      this.#pending ??= this.#nextBatch(false);
      if (this.#pending === undefined) continue;
      if (await this.#sendPending()) backoff.reset();
      else await delay(backoff.next(), undefined, { signal }).catch(() => undefined);
    }
  }

  /** @returns whether the control plane answered for good: the batch is taken or refused */
  async #sendPending(): Promise<boolean> {
    const batch = this.#pending;
    if (batch === undefined) return true;
    const outcome = await this.#ports.post(batch, this.#deadline.signal);
    if (outcome === 'unavailable') return false;
    if (outcome === 'dropped') this.#ports.onRefused(batch);
    this.#pending = outcome === 'dropped' && batch.records.length > 0 ? this.#withoutRecords(batch) : undefined;
    return true;
  }

  #withoutRecords(batch: ObservationBatch): ObservationBatch {
    this.#sequence += 1;
    const dropped = batch.dropped_records + batch.records.length;
    return { ...batch, sequence: this.#sequence, dropped_records: dropped, records: [] };
  }

  /** @param last whether the process ends: no counter waits for its turn then */
  #nextBatch(last: boolean): ObservationBatch | undefined {
    const counters = this.#turns.take(this.#ports.counters, last);
    const { records, dropped } = this.#ports.records.take(observationLimits.recordsMax);
    if (counters.length === 0 && records.length === 0 && dropped === 0) return undefined;
    this.#sequence += 1;
    return {
      boot_id: this.#ports.bootId,
      sequence: this.#sequence,
      dropped_records: dropped,
      counters,
      records: records.map((record) => recordOf(record)),
    };
  }
}
