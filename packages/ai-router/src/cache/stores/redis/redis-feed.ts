import type { LimitScript } from '../../../policy/limit-scripts.ts';
import type { LimitStore } from '../../../policy/shared-limits.ts';
import type { KeptAnswer } from '../../answer-store.ts';
import { readAnswerText, readComparedText } from '../kept-text.ts';
import { FEED_PAGE_MAX, type FedEntry, type FeedPage, type PartitionFeed } from '../scan/partition-feed.ts';
import { READ_TIMEOUT_MS, RESULT_BYTES_MAX } from '../store-bounds.ts';
import { unavailable } from '../store-error.ts';
import { followScript, readScript } from './redis-scripts.ts';

/** Where an answer is. */
export function entryKey(key: string): string {
  return `ai-cache:answer:${key}`;
}

/** In which order the entries of a partition were put. */
export function logKey(partition: string): string {
  return `ai-cache:log:${partition}`;
}

/** What of the entries of a partition is compared. */
export function vectorsKey(partition: string): string {
  return `ai-cache:vectors:${partition}`;
}

/** Partitions in Redis. */
export class RedisFeed implements PartitionFeed {
  readonly #store: LimitStore;
  readonly #clock: { nowMs(): number };

  constructor(store: LimitStore, clock: { nowMs(): number }) {
    this.#store = store;
    this.#clock = clock;
  }

  async since(partition: string, cursor: string): Promise<FeedPage> {
    const position = cursor === '' ? '0' : cursor;
    const keys = [logKey(partition), vectorsKey(partition)];
    const [generation = '', ...found] = await this.#run(followScript, keys, [position, FEED_PAGE_MAX]);
    const entries: FedEntry[] = [];
    for (let at = 0; at + 2 < found.length; at += 3) {
      const entry = readComparedText(found[at] ?? '', found[at + 2] ?? '');
      if (entry !== undefined) entries.push(entry);
    }
    const last = found.at(-2) ?? cursor;
    return { entries, cursor: last, hasMore: found.length === 3 * FEED_PAGE_MAX, generation };
  }

  async answers(keys: readonly string[]): Promise<ReadonlyMap<string, KeptAnswer>> {
    const texts = await this.#run(readScript, keys.map(entryKey), [RESULT_BYTES_MAX]);
    const answers = new Map<string, KeptAnswer>();
    const nowMs = this.#clock.nowMs();
    for (const [at, key] of keys.entries()) {
      const answer = readAnswerText(texts[at] ?? '');
      if (answer !== undefined && answer.expiresAtMs > nowMs) answers.set(key, answer);
    }
    return answers;
  }

  async #run(
    script: LimitScript,
    keys: readonly string[],
    args: readonly (string | number)[],
  ): Promise<readonly string[]> {
    try {
      const said = await this.#store.run(script, keys, args, { timeoutMs: READ_TIMEOUT_MS });
      return Array.isArray(said) ? said.map(String) : [];
    } catch (error) {
      throw unavailable(error);
    }
  }
}
