import { failureReason } from '../shared-store/failure-reason.ts';

/** What is told of a database. */
export interface WatchLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** Tells an operator when a database begins to fail and when it answers again: a line for each change, not for each call. */
export class ConnectionWatch {
  readonly #log: WatchLog;
  #isWell: boolean | undefined;
  #failedCalls = 0;

  constructor(log: WatchLog) {
    this.#log = log;
  }

  /** Since the process began. */
  get failedCalls(): number {
    return this.#failedCalls;
  }

  /** As far as the last call says; one that was never asked is taken to be well. */
  get isWell(): boolean {
    return this.#isWell !== false;
  }

  /** @param error of a call; `undefined` when it went well */
  note(error: unknown): void {
    if (error !== undefined && !isRefusal(error)) {
      this.#failedCalls += 1;
      if (this.#isWell !== false) {
        this.#log.warn({ reason: failureReason(error) }, 'the database of cached AI answers fails: nothing is cached');
      }
      this.#isWell = false;
      return;
    }
    if (this.#isWell !== true) this.#log.info({}, 'the database of cached AI answers answers');
    this.#isWell = true;
  }
}

/** Whether a database is well and says no to one statement: PostgreSQL's classes 08, 53, 57 and 58 are of the server, all others of the statement. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  if (typeof error.code === 'number') return error.name === 'MongoServerError';
  return typeof error.code === 'string' && /^(?!E|08|28|3D|53|57|58)[0-9A-Z]{5}$/.test(error.code);
}
