import type { Clock } from '@portcullis/plugin-runtime';
import { PROCESS_SINK_BYTES_MAX } from './sink-limits.ts';

/** A sink, as the memory of all of them sees it. */
export interface Holding {
  readonly tenantId: string;
  /** What it holds. */
  readonly bytes: number;
  /** Drops the oldest record that waits. @returns `false` when none does */
  dropOldest(): boolean;
}

/** The sinks of a tenant. */
interface Share {
  bytes: number;
  readonly sinks: Set<Holding>;
}

/**
 * What the sinks of a process may hold together. Above it the tenant that holds most gives way, its largest sink first: whose sinks are
 * gone loses its own records and nobody else's, however many sinks it has.
 */
export class SinkMemory {
  readonly #shares = new Map<string, Share>();
  readonly #bytesMax: number;
  #bytes = 0;

  constructor(bytesMax: number = PROCESS_SINK_BYTES_MAX) {
    this.#bytesMax = bytesMax;
  }

  add(sink: Holding): void {
    const share = this.#shares.get(sink.tenantId) ?? { bytes: 0, sinks: new Set() };
    share.sinks.add(sink);
    this.#shares.set(sink.tenantId, share);
  }

  /** Call it when the sink holds nothing any more. */
  remove(sink: Holding): void {
    const share = this.#shares.get(sink.tenantId);
    share?.sinks.delete(sink);
    if (share?.sinks.size === 0) this.#shares.delete(sink.tenantId);
  }

  /** A sink has so many bytes more. Where nothing of the largest tenant waits, the sink itself gives way. */
  grow(bytes: number, sink: Holding): void {
    this.#change(bytes, sink);
    while (this.#bytes > this.#bytesMax && (this.#giveWay() || sink.dropOldest()));
  }

  /** A sink has so many bytes less. */
  shrink(bytes: number, sink: Holding): void {
    this.#change(-bytes, sink);
  }

  #change(bytes: number, { tenantId }: Holding): void {
    this.#bytes += bytes;
    const share = this.#shares.get(tenantId);
    if (share !== undefined) share.bytes += bytes;
  }

  /** @returns `false` when nothing waits there */
  #giveWay(): boolean {
    const sinks = largestOf(this.#shares.values())?.sinks ?? [];
    if (largestOf(sinks)?.dropOldest() === true) return true;
    for (const sink of sinks) if (sink.dropOldest()) return true;
    return false;
  }
}

function largestOf<Sized extends { readonly bytes: number }>(all: Iterable<Sized>): Sized | undefined {
  let largest: Sized | undefined;
  for (const one of all) if (largest === undefined || one.bytes > largest.bytes) largest = one;
  return largest;
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
