import type { DataCallOptions } from '@portcullis/plugin-runtime';

/** Calls of a database that are under way at a time; further ones fail at once. */
export const callsMax = 512;

/** Why a call came to no answer of the driver. */
export class DataCallError extends Error {
  override readonly name = 'DataCallError';
}

/** Bounds calls of a driver in number and time. What a driver answers later nobody hears. */
export class BoundedCalls {
  readonly #onOutcome: (error: unknown) => void;
  #calls = 0;

  /** @param onOutcome hears of each call: its error, or `undefined` when it went well */
  constructor(onOutcome: (error: unknown) => void) {
    this.#onOutcome = onOutcome;
  }

  run<Answer>(call: () => Promise<Answer>, { timeoutMs, signal }: DataCallOptions): Promise<Answer> {
    if (this.#calls >= callsMax) return Promise.reject(new DataCallError(`${callsMax} calls wait for the database`));
    if (signal?.aborted === true) return Promise.reject(new DataCallError('the call was ended before it began'));
    this.#calls += 1;
    return new Promise((resolve, reject) => {
      let isLate = false;
      const late = (): void => {
        isLate = true;
        const error = new DataCallError('the database did not answer in time');
        this.#onOutcome(error);
        reject(error);
      };
      const left = (): void => reject(new DataCallError('the call was ended'));
      const timer = setTimeout(late, timeoutMs);
      signal?.addEventListener('abort', left, { once: true });
      const end = (error: unknown): void => {
        // The place is given back when the driver has let go of the call, however late.
        this.#calls -= 1;
        clearTimeout(timer);
        signal?.removeEventListener('abort', left);
        if (!isLate) this.#onOutcome(error);
      };
      begun(call).then(
        (answer) => {
          end(undefined);
          resolve(answer);
        },
        (error: unknown) => {
          end(error);
          reject(error instanceof Error ? error : new DataCallError('the database failed'));
        },
      );
    });
  }
}

/** What a driver throws before it begins is a failure like any other. */
async function begun<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  return call();
}
