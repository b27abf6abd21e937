import { ACQUIRE_TIMEOUT_MS, WAITING_TRANSACTIONS_MAX } from '../database-limits.ts';
import { DatabaseUnavailableError } from '../database-errors.ts';
import type { SqliteThread } from './sqlite-thread.ts';

/** A place for a thread. It outlives the thread: after a crash the next holder gets a new one in it. */
interface Place {
  thread: SqliteThread | undefined;
}

/** A thread that one holder has to itself until it is released. */
export interface ThreadLease {
  readonly thread: SqliteThread;
  release(): void;
}

interface Waiter {
  readonly grant: (place: Place) => void;
  readonly refuse: (error: DatabaseUnavailableError) => void;
}

/** Hands out threads, each to one holder at a time, in the order of asking. Waiting is bounded in number and time. */
export class ThreadPool {
  readonly #idle: Place[];
  readonly #places: readonly Place[];
  readonly #waiters = new Set<Waiter>();
  readonly #start: () => Promise<SqliteThread>;
  #closing = false;
  #drained: (() => void) | undefined;

  constructor(size: number, start: () => Promise<SqliteThread>) {
    this.#places = Array.from({ length: size }, () => ({ thread: undefined }));
    this.#idle = [...this.#places];
    this.#start = start;
  }

  /**
   * Waits for a thread; starts one where there is none or the last one crashed.
   * @throws DatabaseUnavailableError when too many wait, the wait is too long, or the pool closes
   */
  async acquire(): Promise<ThreadLease> {
    const place = await this.#takePlace();
    try {
      if (place.thread?.alive !== true) place.thread = await this.#start();
    } catch (error) {
      this.#giveBack(place);
      throw error;
    }
    return { thread: place.thread, release: () => this.#giveBack(place) };
  }

  /** Refuses whoever waits, lets holders finish, then closes all threads. */
  async close(): Promise<void> {
    this.#closing = true;
    for (const waiter of this.#waiters) waiter.refuse(new DatabaseUnavailableError('the database is closing'));
    if (this.#idle.length < this.#places.length) await new Promise<void>((resolve) => (this.#drained = resolve));
    await Promise.all(this.#places.map(async (place) => place.thread?.close()));
  }

  #takePlace(): Promise<Place> {
    if (this.#closing) return Promise.reject(new DatabaseUnavailableError('the database is closing'));
    const place = this.#idle.pop();
    if (place !== undefined) return Promise.resolve(place);
    if (this.#waiters.size >= WAITING_TRANSACTIONS_MAX) {
      return Promise.reject(new DatabaseUnavailableError(`${WAITING_TRANSACTIONS_MAX} others wait for the database`));
    }
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        this.#waiters.delete(waiter);
      };
      const waiter: Waiter = {
        grant: (granted) => (leave(), resolve(granted)),
        refuse: (error) => (leave(), reject(error)),
      };
      const timer = setTimeout(() => {
        waiter.refuse(new DatabaseUnavailableError(`no database connection within ${ACQUIRE_TIMEOUT_MS} ms`));
      }, ACQUIRE_TIMEOUT_MS);
      this.#waiters.add(waiter);
    });
  }

  #giveBack(place: Place): void {
    const [next] = this.#waiters;
    if (next !== undefined) {
      next.grant(place);
      return;
    }
    this.#idle.push(place);
    if (this.#idle.length === this.#places.length) this.#drained?.();
  }
}
