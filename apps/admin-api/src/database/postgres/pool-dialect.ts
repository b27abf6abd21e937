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
import { DEFERRED_STATEMENTS_MAX, isDeferred } from '../deferred-statement.ts';
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
  /** What each connection that was prepared holds back until its next statement. */
  readonly #heldBack = new WeakMap<DatabaseConnection, CompiledQuery[]>();
  /** Connections whose last statement failed: the server may have ended them, and the end be still on its way. */
  readonly #doubtful = new WeakSet<DatabaseConnection>();

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
      if (!this.#heldBack.has(connection)) {
        const heldBack: CompiledQuery[] = [];
        this.#heldBack.set(connection, heldBack);
        adaptConnection(connection, heldBack, this.#doubtful);
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
    this.#heldBack.get(connection)?.splice(0);
    try {
      await super.rollbackTransaction(connection);
    } catch {
      // The connection is broken, so the server rolls back, and the driver discards it. What broke it is already on its
      // way to the caller and must not be hidden by this.
    }
  }

  override async releaseConnection(connection: Parameters<PostgresDriver['releaseConnection']>[0]): Promise<void> {
    // Nobody else is to find out. A rollback is what the driver takes for a reason to discard a connection.
    if (this.#doubtful.has(connection)) await this.rollbackTransaction(connection);
    await super.releaseConnection(connection);
  }
}

/** Kysely's driver keeps private state on its connection objects, so they are changed in place and not wrapped. */
function adaptConnection(
  connection: DatabaseConnection,
  heldBack: CompiledQuery[],
  doubtful: WeakSet<DatabaseConnection>,
): void {
  const execute = connection.executeQuery.bind(connection);
  connection.executeQuery = async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
    if (isDeferred(query) && heldBack.length < DEFERRED_STATEMENTS_MAX) {
      heldBack.push(query);
      return { rows: [] };
    }
    // Sent one behind the other. After the first that fails the server refuses the rest, a commit too.
    const before = heldBack.splice(0).map((deferred) => execute(deferred));
    const [result, ...outcomes] = await Promise.allSettled([execute<Row>(query), ...before]);
    const failed = [...outcomes, result].find((outcome) => outcome.status === 'rejected');
    if (result.status === 'rejected' || failed) {
      doubtful.add(connection);
      throw postgresError(failed?.reason);
    }
    doubtful.delete(connection);
    if (result.value.rows.length > RESULT_ROWS_MAX) {
      throw new DatabaseStatementError('RESULT_TOO_LARGE', `a statement gave more than ${RESULT_ROWS_MAX} rows`);
    }
    return result.value;
  };
}
