import type { AnswerStore, CacheEntry, KeptAnswer, LikeEntry, VectorQuery } from '../../answer-store.ts';
import type { CacheSql } from '../data-ports.ts';
import type { FollowedCopies } from '../scan/followed-copies.ts';
import { PartitionScan } from '../scan/partition-scan.ts';
import {
  databaseBounds,
  ENTRY_BYTES_MAX,
  entryBytes,
  READ_TIMEOUT_MS,
  RESULT_BYTES_MAX,
  type StoreBounds,
  WRITE_TIMEOUT_MS,
} from '../store-bounds.ts';
import { noIndex, unavailable } from '../store-error.ts';
import { PostgresFeed } from './postgres-feed.ts';
import { PostgresSetup } from './postgres-setup.ts';
import { answerOf, numberOf, promptOf, type Row, vectorText } from './rows.ts';
import { deleteEnded, putOne, readLike, readOne, trimPartition, trimSpace } from './sql-texts.ts';

/** So many answers are put between two sweeps of a process: bounds may be passed by that many for each process. */
export const PUTS_PER_SWEEP = 32;

/** Settings of {@link PostgresAnswerStore}. */
export interface PostgresAnswerStoreOptions {
  readonly sql: CacheSql;
  readonly space: string;
  readonly clock: { nowMs(): number; monotonicMs(): number };
  /** Whether pgvector compares. */
  readonly usesIndex: boolean;
  /** Whether this process may compare where pgvector is not there. */
  readonly allowsScan: boolean;
  /** Default: its own. */
  readonly copies?: FollowedCopies | undefined;
  readonly bounds?: StoreBounds;
  readonly putsPerSweep?: number;
}

/** Answers in PostgreSQL, in a table of its own. Beyond the bounds the oldest go first. */
export class PostgresAnswerStore implements AnswerStore {
  readonly #options: PostgresAnswerStoreOptions;
  readonly #bounds: StoreBounds;
  readonly #setup: PostgresSetup;
  readonly #scan: PartitionScan;
  #puts = 0;

  constructor(options: PostgresAnswerStoreOptions) {
    const { sql, space, clock, copies, bounds = databaseBounds } = options;
    this.#options = options;
    this.#bounds = bounds;
    this.#setup = new PostgresSetup(sql, clock);
    const feed = new PostgresFeed(sql, space, clock);
    this.#scan = new PartitionScan({ feed, clock, copies, entriesMax: bounds.partitionEntriesMax });
  }

  async get(key: string): Promise<KeptAnswer | undefined> {
    const { space, clock } = this.#options;
    const [row] = await this.#read(readOne, [space, key, clock.nowMs()]);
    return row && answerOf(row);
  }

  async findLike(query: VectorQuery): Promise<readonly LikeEntry[]> {
    await this.#ready();
    const { usesIndex, allowsScan } = this.#options;
    if (!usesIndex) return this.#scan.findLike(query);
    if (await this.#setup.hasVectors()) return this.#searched(query);
    if (!allowsScan) throw noIndex();
    return this.#scan.findLike(query);
  }

  async put(entry: CacheEntry): Promise<void> {
    const { space, clock } = this.#options;
    const { key, partition, prompt, vector, answer } = entry;
    const bytes = entryBytes(entry);
    const nowMs = clock.nowMs();
    if (bytes > ENTRY_BYTES_MAX || answer.expiresAtMs <= nowMs) return;
    await this.#ready();
    const { provider, model, body, storedAtMs, expiresAtMs } = answer;
    const compared = [JSON.stringify(prompt), vector === undefined ? null : vectorText(vector, '{}')];
    await this.#write(putOne, [
      ...[space, key, partition, ...compared],
      ...[provider, model, body, storedAtMs, expiresAtMs, bytes],
    ]);
    // The first put sweeps, too: a process that lives for a few answers only would never do it else.
    if (this.#puts++ % (this.#options.putsPerSweep ?? PUTS_PER_SWEEP) === 0) await this.#sweep(partition, nowMs);
  }

  async #searched({ partition, vector, similarityMin, limit }: VectorQuery): Promise<readonly LikeEntry[]> {
    const { space, clock } = this.#options;
    const rows = await this.#read(readLike, [
      ...[space, partition, clock.nowMs(), vectorText(vector, '[]'), vector.length],
      ...[limit, similarityMin, RESULT_BYTES_MAX],
    ]);
    return rows.map((row) => ({
      key: String(row['key']),
      prompt: promptOf(row),
      similarity: numberOf(row, 'similarity'),
      answer: answerOf(row),
    }));
  }

  async #sweep(partition: string, nowMs: number): Promise<void> {
    const { space } = this.#options;
    const { partitionEntriesMax, spaceEntriesMax, spaceBytesMax } = this.#bounds;
    await this.#write(deleteEnded, [nowMs]);
    await this.#write(trimPartition, [space, partition, partitionEntriesMax]);
    await this.#write(trimSpace, [space, spaceEntriesMax, spaceBytesMax]);
  }

  async #ready(): Promise<void> {
    await this.#setup.ready();
  }

  async #read(text: string, values: readonly unknown[]): Promise<readonly Row[]> {
    await this.#ready();
    try {
      return (await this.#options.sql.query(text, values, { timeoutMs: READ_TIMEOUT_MS })).rows;
    } catch (error) {
      throw unavailable(error);
    }
  }

  async #write(text: string, values: readonly unknown[]): Promise<void> {
    try {
      await this.#options.sql.query(text, values, { timeoutMs: WRITE_TIMEOUT_MS });
    } catch (error) {
      throw unavailable(error);
    }
  }
}
