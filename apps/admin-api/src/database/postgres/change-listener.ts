import pg from 'pg';
import type { ArrivalNotice, ChangeNotice } from '../database.ts';
import type { DatabaseLog } from '../database-log.ts';
import { columnTypes } from './column-types.ts';
import { postgresError } from './postgres-error.ts';

/** The channel of configuration notices. */
export const CHANGE_CHANNEL = 'portcullis_changes';
/** The channel of notices of new records. */
export const ARRIVAL_CHANNEL = 'portcullis_arrivals';
/** First and longest pause before connecting again, milliseconds. */
const RECONNECT_FIRST_MS = 100;
const RECONNECT_MAX_MS = 5_000;
/** How often the connection is asked for a sign of life, and how long that may take, milliseconds. */
const PING_INTERVAL_MS = 10_000;
const PING_TIMEOUT_MS = 5_000;

/** What the listener needs. */
export interface ChangeListenerOptions {
  readonly url: string;
  readonly log: DatabaseLog;
  readonly deliver: (notice: ChangeNotice) => void;
  readonly deliverArrival: (notice: ArrivalNotice) => void;
}

/**
 * One connection of this process's own that waits for notices. When it is lost it connects again, and then tells where
 * every tenant stands, since what was announced meanwhile did not reach it.
 */
export class ChangeListener {
  readonly #options: ChangeListenerOptions;
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: ChangeListenerOptions) {
    this.#options = options;
  }

  /** Connects and listens. @throws DatabaseUnavailableError when the first connection cannot be had */
  async start(): Promise<void> {
    try {
      await this.#connect();
    } catch (error) {
      throw postgresError(error);
    }
  }

  /** Ends the connection and connects no more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#client?.end().catch(() => undefined);
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#options.url,
      application_name: 'portcullis-notices',
      connectionTimeoutMillis: PING_TIMEOUT_MS,
      query_timeout: PING_TIMEOUT_MS,
      keepAlive: true,
      types: columnTypes(),
    });
    client.on('notification', (message) => this.#receive(message.channel, message.payload));
    client.on('error', (error) => this.#lose(client, error));
    client.on('end', () => this.#lose(client, new Error('the connection ended')));
    try {
      await client.connect();
      await client.query(`listen ${CHANGE_CHANNEL}; listen ${ARRIVAL_CHANNEL}`);
    } catch (error) {
      // A connection that does not listen is of no use, and would stay open beside the next one.
      client.end().catch(() => undefined);
      throw error;
    }
    if (this.#stopped) {
      await client.end();
      return;
    }
    this.#client = client;
    this.#schedulePing(client);
  }

  #receive(channel: string, payload: string | undefined): void {
    const notice = payload === undefined ? undefined : parseNotice(payload);
    if (notice === undefined) this.#options.log.warn({ channel }, 'ignored a notice of an unknown form');
    else if (channel === ARRIVAL_CHANNEL) {
      this.#options.deliverArrival({ tenantId: notice.tenantId, arrival: notice.revision });
    } else this.#options.deliver(notice);
  }

  #lose(client: pg.Client, error: Error): void {
    if (this.#client !== client || this.#stopped) return;
    this.#client = undefined;
    clearTimeout(this.#timer);
    this.#options.log.warn({ err: error }, 'lost the connection for configuration notices; connecting again');
    client.end().catch(() => undefined);
    this.#scheduleReconnect(RECONNECT_FIRST_MS);
  }

  #scheduleReconnect(pauseMs: number): void {
    this.#timer = setTimeout(() => {
      this.#connect()
        .then(() => this.#tellAll())
        .catch((error: unknown) => {
          if (this.#stopped) return;
          this.#options.log.warn({ err: error }, 'no connection for configuration notices yet');
          this.#scheduleReconnect(Math.min(pauseMs * 2, RECONNECT_MAX_MS));
        });
    }, pauseMs);
  }

  #schedulePing(client: pg.Client): void {
    this.#timer = setTimeout(() => {
      client.query('select 1').then(
        () => {
          if (this.#client === client && !this.#stopped) this.#schedulePing(client);
        },
        (error: Error) => this.#lose(client, error),
      );
    }, PING_INTERVAL_MS);
  }

  async #tellAll(): Promise<void> {
    const client = this.#client;
    if (client === undefined) return;
    try {
      const { rows } = await client.query<{ tenant_id: string; revision: number }>(
        'select tenant_id, revision from tenant_revisions',
      );
      for (const row of rows) this.#options.deliver({ tenantId: row.tenant_id, revision: row.revision });
    } catch (error) {
      this.#lose(client, error instanceof Error ? error : new Error(String(error)));
    }
  }
}

/** The text that goes through the channel. */
export function formatNotice(notice: ChangeNotice): string {
  return JSON.stringify([notice.tenantId, notice.revision]);
}

/** The text of a notice of new records; of the same form. */
export function formatArrival({ tenantId, arrival }: ArrivalNotice): string {
  return JSON.stringify([tenantId, arrival]);
}

function parseNotice(payload: string): ChangeNotice | undefined {
  try {
    const parsed: unknown = JSON.parse(payload);
    if (!Array.isArray(parsed)) return undefined;
    const [tenantId, revision]: unknown[] = parsed;
    return typeof tenantId === 'string' && typeof revision === 'number' ? { tenantId, revision } : undefined;
  } catch {
    return undefined;
  }
}
