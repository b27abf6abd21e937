import type { DatabaseLog } from './database-log.ts';

/** Hands notices to the listeners of this process. A listener that throws is logged and stops no other. */
export class NoticeBoard<Notice> {
  readonly #listeners = new Set<(notice: Notice) => void>();
  readonly #log: DatabaseLog;

  constructor(log: DatabaseLog) {
    this.#log = log;
  }

  /** Adds a listener; the function that comes back removes it. The same function may be added twice. */
  subscribe(listener: (notice: Notice) => void): () => void {
    const own = (notice: Notice): void => listener(notice);
    this.#listeners.add(own);
    return () => {
      this.#listeners.delete(own);
    };
  }

  /** Calls every listener. */
  deliver(notice: Notice): void {
    for (const listener of this.#listeners) {
      try {
        listener(notice);
      } catch (error) {
        this.#log.error({ err: error }, 'a listener for notices failed');
      }
    }
  }
}
