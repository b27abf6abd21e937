/** Settlements that wait to be sent again, at most. Beyond, the newest is lost. */
export const SETTLEMENTS_WAITING_MAX = 10_000;

/** When a settlement that failed is sent again, in milliseconds after the failure. */
const RETRY_DELAYS_MS: readonly number[] = [250, 1000, 5000, 15_000, 60_000, 300_000];

/** Timers that keep no process from ending. */
export interface SettlementTimers {
  set(callback: () => void, delayMs: number): unknown;
  clear(timer: unknown): void;
}

/** Settings of {@link SettlementQueue}. */
export interface SettlementQueueOptions {
  readonly send: (keys: readonly string[], args: readonly (string | number)[]) => Promise<unknown>;
  readonly timers?: SettlementTimers;
  readonly onLost?: () => void;
}

/** One that failed. */
interface Waiting {
  readonly keys: readonly string[];
  readonly args: readonly (string | number)[];
  readonly tries: number;
  timer: unknown;
}

/** Tells a store in the background what requests used, and again where that failed: the store counts each once. */
export class SettlementQueue {
  readonly #options: SettlementQueueOptions;
  readonly #timers: SettlementTimers;
  readonly #sent = new Set<Promise<void>>();
  readonly #waiting = new Set<Waiting>();
  #isDisposed = false;

  constructor(options: SettlementQueueOptions) {
    this.#options = options;
    this.#timers = options.timers ?? processTimers;
  }

  add(keys: readonly string[], args: readonly (string | number)[]): void {
    this.#send(keys, args, 0);
  }

  /** Sends what waits once more, and waits for all answers. What fails then is lost. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    for (const waiting of this.#waiting) this.#sendAgain(waiting);
    // An answer may come while others are waited for, and no more is sent then.
    while (this.#sent.size > 0) await Promise.all(this.#sent);
  }

  #send(keys: readonly string[], args: readonly (string | number)[], tries: number): void {
    const sent: Promise<void> = this.#options
      .send(keys, args)
      .then(
        () => undefined,
        () => this.#failed(keys, args, tries + 1),
      )
      .finally(() => this.#sent.delete(sent));
    this.#sent.add(sent);
  }

  #failed(keys: readonly string[], args: readonly (string | number)[], tries: number): void {
    const delayMs = RETRY_DELAYS_MS[tries - 1];
    if (this.#isDisposed || delayMs === undefined || this.#waiting.size >= SETTLEMENTS_WAITING_MAX) {
      this.#options.onLost?.();
      return;
    }
    const waiting: Waiting = { keys, args, tries, timer: undefined };
    waiting.timer = this.#timers.set(() => this.#sendAgain(waiting), delayMs);
    this.#waiting.add(waiting);
  }

  #sendAgain(waiting: Waiting): void {
    this.#timers.clear(waiting.timer);
    this.#waiting.delete(waiting);
    this.#send(waiting.keys, waiting.args, waiting.tries);
  }
}

const processTimers: SettlementTimers = {
  set: (callback, delayMs) => setTimeout(callback, delayMs).unref(),
  clear: (timer) => clearTimeout(timer as NodeJS.Timeout | undefined),
};
