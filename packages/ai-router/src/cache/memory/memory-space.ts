import type { AnswerStore, CacheEntry, KeptAnswer, LikeEntry, VectorQuery } from '../answer-store.ts';
import { ENTRY_BYTES_MAX, entryBytes } from '../stores/store-bounds.ts';
import { TABLE_ROWS_MAX, type TableRow, VectorTable } from './vector-table.ts';

/** What an entry takes beside its texts and its vector. */
const ENTRY_OVERHEAD_BYTES = 1024;

/** Of each put, entries that are looked at for what is past its time, the longest unused first. */
const LOOKED_AT = 4;

/** What a space is made of. */
export interface MemorySpaceOptions {
  readonly clock: { nowMs(): number };
  readonly bytesMax: number;
  /** Told by how much what it takes has changed. */
  readonly onBytes: (change: number) => void;
  readonly onPut: () => void;
  readonly onDispose: () => void;
}

interface Slot extends TableRow {
  readonly entry: CacheEntry;
  readonly bytes: number;
  used: number;
}

/** One tenant's answers: see `AnswerMemory`. */
export class MemorySpace implements AnswerStore {
  readonly #options: MemorySpaceOptions;
  /** The longest unused first. */
  readonly #slots = new Map<string, Slot>();
  readonly #tables = new Map<string, VectorTable<Slot>>();
  #bytes = 0;
  #uses = 0;

  constructor(options: MemorySpaceOptions) {
    this.#options = options;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): KeptAnswer | undefined {
    const slot = this.#slots.get(key);
    if (slot === undefined) return undefined;
    if (slot.entry.answer.expiresAtMs <= this.#options.clock.nowMs()) {
      this.#drop(slot);
      return undefined;
    }
    this.#use(slot);
    return slot.entry.answer;
  }

  findLike(query: VectorQuery): readonly LikeEntry[] {
    const nowMs = this.#options.clock.nowMs();
    const found = this.#tables.get(query.partition)?.find(query, ({ entry }) => entry.answer.expiresAtMs > nowMs);
    return (found ?? []).map(({ item, similarity }) => {
      const { key, prompt, answer } = item.entry;
      return { key, prompt, similarity: Math.min(1, similarity), answer };
    });
  }

  put(entry: CacheEntry): void {
    const before = this.#slots.get(entry.key);
    if (before !== undefined) this.#drop(before);
    const bytes = bytesOf(entry);
    const isLate = entry.answer.expiresAtMs <= this.#options.clock.nowMs();
    if (isLate || entryBytes(entry) > ENTRY_BYTES_MAX || bytes > this.#options.bytesMax) return;
    const slot: Slot = { entry, bytes, vector: entry.vector ?? NO_VECTOR, row: -1, used: 0 };
    this.#slots.set(entry.key, slot);
    this.#use(slot);
    this.#count(bytes);
    if (entry.vector !== undefined) this.#compareBy(slot);
    this.#dropExpired();
    while (this.#bytes > this.#options.bytesMax && this.dropOldest());
    this.#options.onPut();
  }

  /** @returns whether there was one */
  dropOldest(): boolean {
    const { value: oldest } = this.#slots.values().next();
    if (oldest === undefined) return false;
    this.#drop(oldest);
    return true;
  }

  dispose(): void {
    this.#slots.clear();
    this.#tables.clear();
    this.#count(-this.#bytes);
    this.#options.onDispose();
  }

  #use(slot: Slot): void {
    this.#uses += 1;
    slot.used = this.#uses;
    this.#slots.delete(slot.entry.key);
    this.#slots.set(slot.entry.key, slot);
  }

  #compareBy(slot: Slot): void {
    const { partition } = slot.entry;
    let table = this.#tables.get(partition);
    if (table === undefined) this.#tables.set(partition, (table = new VectorTable(slot.vector.length)));
    if (table.dimensions !== slot.vector.length) return;
    if (table.rows.length >= TABLE_ROWS_MAX) {
      const oldest = table.rows.reduce((one, other) => (one.used <= other.used ? one : other));
      this.#drop(oldest);
      // What was dropped may have been the last of it.
      this.#tables.set(partition, table);
    }
    table.add(slot);
  }

  #drop(slot: Slot): void {
    const { key, partition } = slot.entry;
    this.#slots.delete(key);
    this.#count(-slot.bytes);
    const table = slot.row === -1 ? undefined : this.#tables.get(partition);
    if (table === undefined) return;
    table.remove(slot);
    if (table.rows.length === 0) this.#tables.delete(partition);
  }

  #dropExpired(): void {
    const nowMs = this.#options.clock.nowMs();
    let looked = 0;
    for (const slot of this.#slots.values()) {
      if (looked >= LOOKED_AT) return;
      looked += 1;
      if (slot.entry.answer.expiresAtMs <= nowMs) this.#drop(slot);
    }
  }

  #count(change: number): void {
    this.#bytes += change;
    this.#options.onBytes(change);
  }
}

const NO_VECTOR = new Float32Array(0);

/** At most: two bytes for each character, and of the vector its own, and up to three times as much in its table, which grows in steps. */
function bytesOf({ key, partition, prompt, vector, answer }: CacheEntry): number {
  const { body, provider, model } = answer;
  const characters = key.length + partition.length + prompt.length + body.length + provider.length + model.length;
  return 2 * characters + 4 * (vector?.byteLength ?? 0) + ENTRY_OVERHEAD_BYTES;
}
