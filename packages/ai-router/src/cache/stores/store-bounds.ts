import type { CacheEntry } from '../answer-store.ts';

/** Bytes of one entry, its prompt and its vector taken together. A longer one is not kept. */
export const ENTRY_BYTES_MAX: number = 1024 * 1024;

/** Entries of one partition: as many as one search may compare. The oldest go first. */
export const PARTITION_ENTRIES_MAX = 2000;

/** Entries of one space. */
export const SPACE_ENTRIES_MAX = 20_000;

/** Bytes of one space in a database. */
export const SPACE_BYTES_MAX: number = 256 * 1024 * 1024;

/** Bytes of answers that one search brings back; the likest is always among them. */
export const RESULT_BYTES_MAX: number = 4 * 1024 * 1024;

/** How long a search or a look-up may take: a request waits for it. */
export const READ_TIMEOUT_MS = 500;

/** How long keeping an answer may take: nobody waits for it. */
export const WRITE_TIMEOUT_MS = 2000;

/** What keys, times and names add to an entry. */
const ENTRY_OVERHEAD_BYTES = 512;

/** Bytes that an entry counts as: close to, and not below, what a store takes for it. */
export function entryBytes({ prompt, vector, answer }: CacheEntry): number {
  const texts = Buffer.byteLength(prompt) + Buffer.byteLength(answer.body);
  return texts + (vector?.byteLength ?? 0) + ENTRY_OVERHEAD_BYTES;
}

/** Bounds of one space; tests make them small. */
export interface StoreBounds {
  readonly spaceEntriesMax: number;
  readonly spaceBytesMax: number;
  readonly partitionEntriesMax: number;
}

/** What holds where nobody says otherwise. */
export const databaseBounds: StoreBounds = {
  spaceEntriesMax: SPACE_ENTRIES_MAX,
  spaceBytesMax: SPACE_BYTES_MAX,
  partitionEntriesMax: PARTITION_ENTRIES_MAX,
};
