import type { KeptAnswer } from '../../answer-store.ts';
import type { CacheSql } from '../data-ports.ts';
import { FEED_PAGE_MAX, type FeedPage, type PartitionFeed } from '../scan/partition-feed.ts';
import { READ_TIMEOUT_MS, RESULT_BYTES_MAX } from '../store-bounds.ts';
import { unavailable } from '../store-error.ts';
import { answerOf, numberOf, promptOf, type Row, vectorOf } from './rows.ts';
import { readMany, readSince } from './sql-texts.ts';

/**
 * Partitions in PostgreSQL. Positions are drawn before a row is committed: of two that are put at once the one with the lower position may be
 * seen later, and is then not compared in this process until it is put again. That is a miss.
 */
export class PostgresFeed implements PartitionFeed {
  readonly #sql: CacheSql;
  readonly #space: string;
  readonly #clock: { nowMs(): number };

  constructor(sql: CacheSql, space: string, clock: { nowMs(): number }) {
    this.#sql = sql;
    this.#space = space;
    this.#clock = clock;
  }

  async since(partition: string, cursor: string): Promise<FeedPage> {
    const position = cursor === '' ? '0' : cursor;
    const rows = await this.#read(readSince, [this.#space, partition, position, this.#clock.nowMs()]);
    const entries = rows.map((row) => ({
      key: String(row['key']),
      prompt: promptOf(row),
      vector: vectorOf(String(row['embedding'])),
      expiresAtMs: numberOf(row, 'expires_at'),
    }));
    const last = rows.at(-1)?.['position'];
    return {
      entries,
      cursor: last === undefined ? cursor : `${Number(last)}`,
      hasMore: rows.length === FEED_PAGE_MAX,
      generation: '',
    };
  }

  async answers(keys: readonly string[]): Promise<ReadonlyMap<string, KeptAnswer>> {
    const values = [this.#space, JSON.stringify(keys), this.#clock.nowMs(), RESULT_BYTES_MAX];
    const rows = await this.#read(readMany, values);
    return new Map(rows.map((row) => [String(row['key']), answerOf(row)]));
  }

  async #read(text: string, values: readonly unknown[]): Promise<readonly Row[]> {
    try {
      return (await this.#sql.query(text, values, { timeoutMs: READ_TIMEOUT_MS })).rows;
    } catch (error) {
      throw unavailable(error);
    }
  }
}
