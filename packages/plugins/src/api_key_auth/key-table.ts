import { hash } from 'node:crypto';
import type { Config } from './config.ts';

/** What a configured key stands for. */
export interface KeyEntry {
  /** The consumer that the entry names. */
  readonly consumer: string | undefined;
}

/** Configured keys by their SHA-256. The keys themselves are not kept. */
export type KeyTable = ReadonlyMap<string, KeyEntry>;

/** Compiles configured keys. When a key stands there twice, the entry that names a consumer counts. */
export function compileKeys(keys: Config['valid_keys']): KeyTable {
  const table = new Map<string, KeyEntry>();
  for (const entry of keys) {
    const { key, consumer } = typeof entry === 'string' ? { key: entry, consumer: undefined } : entry;
    const digest = hash('sha256', key);
    table.set(digest, { consumer: consumer ?? table.get(digest)?.consumer });
  }
  return table;
}

/**
 * Finds what a client presented. Both sides are hashed first: how long the look-up takes tells nothing about how much of a
 * guess is right, because the guesser does not know the digests.
 */
export function findKey(table: KeyTable, presented: string): KeyEntry | undefined {
  return table.size === 0 ? undefined : table.get(hash('sha256', presented));
}
