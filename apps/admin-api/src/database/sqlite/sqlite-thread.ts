import { Worker } from 'node:worker_threads';
import { DatabaseUnavailableError } from '../database-errors.ts';
import { sqliteError } from './sqlite-error.ts';
import type {
  SqliteCommand,
  SqliteReply,
  SqliteRequest,
  SqliteResult,
  SqliteWorkerSettings,
} from './worker-protocol.ts';

interface Waiting {
  readonly resolve: (result: SqliteResult) => void;
  readonly reject: (error: Error) => void;
}

/** The main thread's end of a worker thread. It lives once: after a crash every request fails and another is started. */
export class SqliteThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #exited: Promise<void>;
  #nextId = 1;
  #closing = false;
  #end: DatabaseUnavailableError | undefined;

  private constructor(worker: Worker, onCrash: (error: Error) => void) {
    this.#worker = worker;
    worker.on('message', (reply: SqliteReply) => this.#settle(reply));
    const fail = (cause: Error): void => {
      if (this.#end === undefined && !this.#closing) onCrash(cause);
      this.#fail(cause);
    };
    worker.on('error', (error) => fail(error instanceof Error ? error : new Error(String(error))));
    this.#exited = new Promise((resolve) => {
      worker.once('exit', (exitCode) => {
        fail(new Error(`it ended with code ${exitCode}`));
        resolve();
      });
    });
  }

  /**
   * Starts a thread and waits until its connection is open.
   * @throws DatabaseUnavailableError that says why the file cannot be opened
   */
  static async start(settings: SqliteWorkerSettings, onCrash: (error: Error) => void): Promise<SqliteThread> {
    const worker = new Worker(workerUrl(), {
      workerData: settings,
      name: `sqlite-${settings.access}`,
      execArgv: [],
    });
    await new Promise<void>((resolve, reject) => {
      worker.once('message', (reply: SqliteReply) => {
        if (reply.kind === 'failed')
          reject(new DatabaseUnavailableError(`cannot open the SQLite file: ${reply.failure.message}`));
        else resolve();
      });
      worker.once('error', reject);
    });
    return new SqliteThread(worker, onCrash);
  }

  /** Whether requests still get an answer. */
  get alive(): boolean {
    return this.#end === undefined;
  }

  /** Sends commands in one request and gives the last one's answer. Rejects with a `DatabaseUnavailableError` when the thread is gone. */
  request(...commands: readonly SqliteCommand[]): Promise<SqliteResult> {
    if (this.#end !== undefined) return Promise.reject(this.#end);
    return new Promise((resolve, reject) => {
      const id = this.#nextId++;
      this.#waiting.set(id, { resolve, reject });
      try {
        this.#worker.postMessage({ id, commands } satisfies SqliteRequest);
      } catch (error) {
        // A parameter that cannot be sent (a function, a symbol) is a bug of the caller's and harms nobody else.
        this.#waiting.delete(id);
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
  }

  /** Closes the connection, which also moves the log into the file, and ends the thread. */
  async close(): Promise<void> {
    this.#closing = true;
    if (this.alive) await this.request({ kind: 'close' });
    await this.#exited;
  }

  #settle(reply: SqliteReply): void {
    if (reply.kind !== 'result' && reply.kind !== 'error') return;
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if (reply.kind === 'result') waiting?.resolve(reply.result);
    else waiting?.reject(sqliteError(reply.failure));
  }

  #fail(cause: Error): void {
    this.#end ??= new DatabaseUnavailableError(`the SQLite thread is gone: ${cause.message}`, { cause });
    for (const { reject } of this.#waiting.values()) reject(this.#end);
    this.#waiting.clear();
  }
}

/** The worker's file: a source file beside this one's folder, or a bundle beside the bundle that this became. */
function workerUrl(): URL {
  return import.meta.url.endsWith('.ts')
    ? new URL('../sqlite-worker.entry.ts', import.meta.url)
    : new URL('./sqlite-worker.js', import.meta.url);
}
