import type { Database, Statement } from 'better-sqlite3';

/** Most prepared statements kept by a thread. */
const STATEMENTS_MAX = 256;
/** Longest text that is worth keeping, characters: above it are bulk statements, whose shape seldom returns. */
const STATEMENT_CHARACTERS_MAX = 16_384;

/** Prepared statements by text; the one that was not used for longest goes first. */
export class StatementCache {
  readonly #database: Database;
  readonly #statements = new Map<string, Statement<unknown[], Record<string, unknown>>>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** The statement for a text, prepared if it is not at hand. Throws SQLite's error for a text that is wrong. */
  prepare(text: string): Statement<unknown[], Record<string, unknown>> {
    const known = this.#statements.get(text);
    if (known !== undefined) {
      this.#statements.delete(text);
      this.#statements.set(text, known);
      return known;
    }
    const statement = this.#database.prepare<unknown[], Record<string, unknown>>(text);
    if (text.length > STATEMENT_CHARACTERS_MAX) return statement;
    this.#statements.set(text, statement);
    if (this.#statements.size > STATEMENTS_MAX) {
      const [oldest] = this.#statements.keys();
      if (oldest !== undefined) this.#statements.delete(oldest);
    }
    return statement;
  }
}
