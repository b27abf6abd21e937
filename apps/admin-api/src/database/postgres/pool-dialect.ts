import {
  PostgresAdapter,
  PostgresDialect,
  PostgresDriver,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import type { Pool } from 'pg';
import { DatabaseStatementError, DatabaseUnavailableError } from '../database-errors.ts';
import { RESULT_ROWS_MAX, WAITING_TRANSACTIONS_MAX } from '../database-limits.ts';
import { connectionError, postgresError } from './postgres-error.ts';
import { postgresTraits } from './postgres-traits.ts';

/** Kysely's PostgreSQL with our errors, our bounds, and consistent snapshots for transactions that only read. */
export class PoolDialect extends PostgresDialect {
  readonly #pool: Pool;
  readonly #access: 'write' | 'read';

  constructor(pool: Pool, access: 'write' | 'read') {
    super({ pool });
    this.#pool = pool;
    this.#access = access;
  }

  override createDriver(): Driver {
    return new PoolDriver(this.#pool, this.#access);
  }

  override createAdapter(): PostgresAdapter {
    return new TraitsAdapter();
  }
}

class TraitsAdapter extends PostgresAdapter {
  readonly traits = postgresTraits;
}

class PoolDriver extends PostgresDriver {
  readonly #pool: Pool;
  readonly #settings: TransactionSettings;
  readonly #prepared = new WeakSet<DatabaseConnection>();

  constructor(pool: Pool, access: 'write' | 'read') {
    super({ pool });
    this.#pool = pool;
    this.#settings =
      access === 'read'
        ? { accessMode: 'read only', isolationLevel: 'repeatable read' }
        : { isolationLevel: 'read committed' };
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#pool.waitingCount >= WAITING_TRANSACTIONS_MAX) {
      throw new DatabaseUnavailableError(`${WAITING_TRANSACTIONS_MAX} others wait for the database`);
    }
    try {
      const connection = await super.acquireConnection();
      if (!this.#prepared.has(connection)) {
        this.#prepared.add(connection);
        translateErrors(connection);
      }
      return connection;
    } catch (error) {
      throw connectionError(error);
    }
  }

  override async beginTransaction(
    connection: Parameters<PostgresDriver['beginTransaction']>[0],
    settings: TransactionSettings,
  ): Promise<void> {
    const { accessMode = this.#settings.accessMode, isolationLevel = this.#settings.isolationLevel } = settings;
    await super.beginTransaction(connection, {
      ...(accessMode === undefined ? {} : { accessMode }),
      ...(isolationLevel === undefined ? {} : { isolationLevel }),
    });
  }

  override async rollbackTransaction(connection: Parameters<PostgresDriver['rollbackTransaction']>[0]): Promise<void> {
    try {
      await super.rollbackTransaction(connection);
    } catch {
      // The connection is broken, so the server rolls back, and the driver discards it. What broke it is already on its
      // way to the caller and must not be hidden by this.
    }
  }
}

/** Kysely's driver keeps private state on its connection objects, so they are changed in place and not wrapped. */
function translateErrors(connection: DatabaseConnection): void {
  const execute = connection.executeQuery.bind(connection);
  connection.executeQuery = async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
    let result: QueryResult<Row>;
    try {
      result = await execute<Row>(query);
    } catch (error) {
      throw postgresError(error);
    }
    if (result.rows.length > RESULT_ROWS_MAX) {
      throw new DatabaseStatementError('RESULT_TOO_LARGE', `a statement gave more than ${RESULT_ROWS_MAX} rows`);
    }
    return result;
  };
}
