import { LRUCache } from 'lru-cache';

/** How long what was found out about a credential may be used again. Source: wire contract: ends work within 5 s. */
export const credentialCacheMs = 4_000;

/** How many credentials are remembered. */
const entriesMax = 10_000;

/** Remembers answers for a short while. Failures to find anything are not remembered. */
export interface TimedCache<Value> {
  get(key: string, find: () => Promise<Value | undefined>): Promise<Value | undefined>;
  /** Forgets all, also what is being looked for at this moment. */
  clear(): void;
}

/** A bounded cache over a clock that never goes back, in milliseconds. */
export function createTimedCache<Value extends object>(monotonicMs: () => number): TimedCache<Value> {
  const entries = new LRUCache<string, { value: Value; untilMs: number }>({ max: entriesMax });
  let generation = 0;
  return {
    async get(key, find) {
      const entry = entries.get(key);
      if (entry && entry.untilMs > monotonicMs()) return entry.value;
      entries.delete(key);
      // The clock is read before the search: what is found may already be old when it arrives.
      const untilMs = monotonicMs() + credentialCacheMs;
      const foundIn = generation;
      const value = await find();
      if (value && foundIn === generation) entries.set(key, { value, untilMs });
      return value;
    },
    clear() {
      generation += 1;
      entries.clear();
    },
  };
}
