import type { CacheSql } from '../data-ports.ts';
import { WRITE_TIMEOUT_MS } from '../store-bounds.ts';
import { unavailable } from '../store-error.ts';
import { addVectors, hasTable, hasVectors, makeTable } from './sql-texts.ts';

/** How long it is believed that the extension for vectors is missing: somebody may add it. */
export const ASK_AGAIN_MS = 60_000;

/** Making a table may wait for others that do so. */
const SETUP_TIMEOUT_MS = 10_000;

/** Makes what the store needs, once for each process, and again after it failed. */
export class PostgresSetup {
  readonly #sql: CacheSql;
  readonly #clock: { monotonicMs(): number };
  #table: Promise<void> | undefined;
  #vectors: Promise<boolean> | undefined;
  #askedAtMs = -Infinity;

  constructor(sql: CacheSql, clock: { monotonicMs(): number }) {
    this.#sql = sql;
    this.#clock = clock;
  }

  /** The table is there. */
  ready(): Promise<void> {
    this.#table ??= this.#makeTable().catch((error: unknown) => {
      this.#table = undefined;
      throw unavailable(error);
    });
    return this.#table;
  }

  /** Whether pgvector is there, or could be added. */
  hasVectors(): Promise<boolean> {
    const nowMs = this.#clock.monotonicMs();
    if (this.#vectors !== undefined && nowMs - this.#askedAtMs < ASK_AGAIN_MS) return this.#vectors;
    this.#askedAtMs = nowMs;
    this.#vectors = this.#askForVectors().catch((error: unknown) => {
      this.#vectors = undefined;
      throw unavailable(error);
    });
    return this.#vectors;
  }

  async #makeTable(): Promise<void> {
    // Who may write to the table need not be who may make tables.
    if (await this.#says(hasTable, 'there')) return;
    await this.#sql.query(makeTable, [], { timeoutMs: SETUP_TIMEOUT_MS });
  }

  async #askForVectors(): Promise<boolean> {
    if (await this.#hasRow(hasVectors)) return true;
    // Whether this was allowed is seen by asking again.
    await this.#sql.query(addVectors, [], { timeoutMs: SETUP_TIMEOUT_MS }).catch(() => undefined);
    return this.#hasRow(hasVectors);
  }

  async #hasRow(text: string): Promise<boolean> {
    return (await this.#sql.query(text, [], { timeoutMs: WRITE_TIMEOUT_MS })).rows.length > 0;
  }

  async #says(text: string, field: string): Promise<boolean> {
    return (await this.#sql.query(text, [], { timeoutMs: WRITE_TIMEOUT_MS })).rows[0]?.[field] === true;
  }
}
