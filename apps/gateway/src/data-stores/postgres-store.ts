import { isIP } from 'node:net';
import type { SqlStore } from '@portcullis/plugin-runtime';
import pg from 'pg';
import { BoundedCalls } from './bounded-call.ts';
import type { ConnectionWatch } from './connection-watch.ts';
import type { PostgresAddress } from './data-store-address.ts';

/** Connections of one process. */
const connectionsMax = 8;

/** How long a connection may take to come about. */
const connectTimeoutMs = 2000;

/** How long one that nothing uses stays open. */
const idleMs = 30_000;

/**
 * PostgreSQL for caches. Nothing is said to the server that a pooler between would refuse: no settings of the session, no prepared statements. It connects when it is asked first, and again when a connection
 * broke.
 */
export class PostgresStore implements SqlStore {
  readonly #pool: pg.Pool;
  readonly #calls: BoundedCalls;

  constructor(address: PostgresAddress, watch: ConnectionWatch) {
    const { host, port, user, password, database, isTls } = address;
    this.#pool = new pg.Pool({
      host,
      port,
      user,
      database,
      ...(password === undefined ? {} : { password }),
      ssl: isTls ? (isIP(host) === 0 ? { servername: host } : true) : false,
      max: connectionsMax,
      connectionTimeoutMillis: connectTimeoutMs,
      idleTimeoutMillis: idleMs,
      application_name: 'portcullis-gateway',
      keepAlive: true,
      allowExitOnIdle: true,
    });
    // A connection that breaks while nothing uses it: without a listener it would end the process.
    this.#pool.on('error', () => undefined);
    this.#calls = new BoundedCalls((error) => watch.note(error));
  }

  query(
    text: string,
    values: readonly unknown[],
    options: Parameters<SqlStore['query']>[2],
  ): ReturnType<SqlStore['query']> {
    // A query that is late gives up its connection: nobody knows when it will be free.
    const query = { text, values: [...values], query_timeout: options.timeoutMs };
    return this.#calls.run(async () => {
      const { rows } = await this.#pool.query<Record<string, unknown>>(query);
      return { rows };
    }, options);
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}
