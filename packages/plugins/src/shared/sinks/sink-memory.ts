import type { Clock } from '@portcullis/plugin-runtime';
import { PROCESS_SINK_BYTES_MAX } from './sink-limits.ts';

/** A sink, as the memory of all of them sees it. */
export interface Holding {
  /** What it holds. */
  readonly bytes: number;
  /** Drops the oldest record that waits. @returns `false` when none does */
  dropOldest(): boolean;
}

/**
 * What the sinks of a process may hold together. Above it the largest gives way, so that a tenant whose sinks are gone loses its own
 * records and nobody else's.
 */
export class SinkMemory {
  readonly #sinks = new Set<Holding>();
  readonly #bytesMax: number;
  #bytes = 0;

  constructor(bytesMax: number = PROCESS_SINK_BYTES_MAX) {
    this.#bytesMax = bytesMax;
  }

  add(sink: Holding): void {
    this.#sinks.add(sink);
  }

  remove(sink: Holding): void {
    this.#sinks.delete(sink);
  }

  /** A sink has so many bytes more. The largest gives way to it; where that has nothing that waits, the sink itself does. */
  grow(bytes: number, sink: Holding): void {
    this.#bytes += bytes;
    while (this.#bytes > this.#bytesMax && (this.#largest()?.dropOldest() === true || sink.dropOldest()));
  }

  /** A sink has so many bytes less. */
  shrink(bytes: number): void {
    this.#bytes -= bytes;
  }

  #largest(): Holding | undefined {
    let largest: Holding | undefined;
    for (const sink of this.#sinks) if (largest === undefined || sink.bytes > largest.bytes) largest = sink;
    return largest;
  }
}

const memories = new WeakMap<Clock, SinkMemory>();

/** The memory of a process, which is told by its clock. */
export function sinkMemoryOf(clock: Clock): SinkMemory {
  const known = memories.get(clock);
  if (known !== undefined) return known;
  const memory = new SinkMemory();
  memories.set(clock, memory);
  return memory;
}
