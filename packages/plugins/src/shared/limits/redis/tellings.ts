import type { SharedStore, StoreScript, Timers } from '@portcullis/plugin-runtime';
import type { LimitWindow } from '../limit-window.ts';
import { limitKeys, type LimitKeys } from './limit-keys.ts';
import type { SyncedClient } from './synced-client.ts';
import { tellScript } from './tell-script.ts';

/** How long a call may take. */
const CALL_TIMEOUT_MS = 1000;

/** Calls that are repeated at a time once the store is back. */
const REPEATED_AT_A_TIME = 8;

/** Between two tries while calls fail; each time twice as long. */
const RETRY_MS_MIN = 250;
const RETRY_MS_MAX = 5000;

/** Failures in a row, the tries among them, from which on what is known is not trusted any more. */
const FAILURES_OUT_OF_TOUCH = 2;

/** What calls to the store are made of. */
export interface TellingsOptions {
  readonly windows: readonly LimitWindow[];
  readonly isSliding: boolean;
  readonly store: SharedStore;
  readonly instanceId: string;
  /** Names this instance's set-up among all processes: nobody else has it. */
  readonly processId: string;
  readonly nowMs: () => number;
  readonly timers: Timers;
  /** Lua of another clock, for tests. */
  readonly clock?: string;
}

interface Telling {
  readonly clients: readonly SyncedClient[];
  /** For each client and window: its beginning and the units. */
  readonly told: readonly (readonly [number, number])[];
  readonly sinceMs: number;
  /** 0 tells nothing. */
  readonly number: number;
  readonly lane: number;
}

/** Tells the store what was counted and hears what it knows; what fails is repeated until it succeeds, and counts once. */
export class Tellings {
  readonly #options: TellingsOptions;
  readonly #keys: LimitKeys;
  readonly #script: StoreScript;
  readonly #freeLanes: number[] = [];
  #lanes = 0;
  #numbers = 0;
  #failures = 0;
  #failed: Telling[] = [];
  #retry: unknown;
  #isStopped = false;

  constructor(options: TellingsOptions) {
    const { windows, isSliding, instanceId, clock } = options;
    this.#options = options;
    this.#keys = limitKeys(windows, isSliding, instanceId, false);
    this.#script = tellScript(isSliding, this.#keys.hasCalendar, clock);
  }

  /** Whether the last call failed. */
  get isFailing(): boolean {
    return this.#failures > 0;
  }

  /** Whether what is known may be trusted. One failure may be a lost packet. */
  get isInTouch(): boolean {
    return this.#failures < FAILURES_OUT_OF_TOUCH;
  }

  /**
   * Tells of clients that no other call is under way for. Rejects when the first try fails; then it is tried again, and the clients stay in
   * this call.
   */
  tell(clients: readonly SyncedClient[]): Promise<void> {
    const told = clients.flatMap(({ usages }) => usages.map((usage) => usage.send()));
    const isEmpty = told.every(([, units]) => units === 0);
    const number = isEmpty ? 0 : (this.#numbers += 1);
    const lane = isEmpty ? 0 : (this.#freeLanes.pop() ?? (this.#lanes += 1));
    const telling: Telling = { clients, told, sinceMs: this.#options.nowMs(), number, lane };
    const sent = this.#send(telling).catch((error: unknown) => {
      this.#onFailure([telling], this.#failures === 0);
      throw error;
    });
    sent.catch(() => undefined); // Whoever waits hears of it too.
    for (const client of clients) client.telling = sent;
    return sent;
  }

  /** Repeats what failed at once, and from now on nothing more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#repeat();
  }

  async #send({ clients, told, sinceMs, number, lane }: Telling): Promise<void> {
    const { windows, isSliding, store, instanceId, processId, nowMs } = this.#options;
    const askedMs = nowMs();
    const keys = [`limits:${encodeURIComponent(instanceId)}:told:${processId}:${lane}`];
    const args = [number, windows.length, ...this.#keys.args];
    for (const { name } of clients) keys.push(...this.#keys.of(name));
    for (const [index, [startMs, units]] of told.entries()) {
      const lengthMs = (windows[index % windows.length]?.nominalSeconds ?? 0) * 1000;
      // What is told late counts late; what slid out of its window meanwhile does not count.
      args.push(startMs, isSliding && askedMs - sinceMs >= lengthMs ? 0 : units);
    }
    const answer = await store.run(this.#script, keys, args, { timeoutMs: CALL_TIMEOUT_MS });
    if (!isAnswer(answer, 1 + 3 * told.length))
      throw new TypeError(`${this.#script.name} gave another answer than it does`);
    const aheadMs = (answer[0] ?? 0) - nowMs();
    let place = 1;
    for (const client of clients) {
      for (const usage of client.usages) {
        usage.hear(answer[place] ?? 0, answer[place + 1] ?? 0, answer[place + 2] ?? 0, aheadMs);
        place += 3;
      }
      client.heardMs = askedMs;
      client.aheadMs = aheadMs;
      client.telling = undefined;
    }
    if (number > 0) this.#freeLanes.push(lane);
    this.#failures = 0;
  }

  #onFailure(tellings: readonly Telling[], isNews: boolean): void {
    if (isNews) this.#failures += 1;
    if (this.#isStopped) return;
    this.#failed.push(...tellings);
    const waitMs = Math.min(RETRY_MS_MAX, RETRY_MS_MIN * 2 ** (this.#failures - 1));
    this.#retry ??= this.#options.timers.set(() => void this.#repeat(), waitMs);
  }

  async #repeat(): Promise<void> {
    this.#options.timers.clear(this.#retry);
    const failed = this.#failed;
    this.#failed = [];
    let size = 1; // The first alone finds out whether the store is back.
    while (failed.length > 0) {
      const some = failed.splice(0, size);
      const ends = await Promise.allSettled(some.map((telling) => this.#send(telling)));
      const again = some.filter((_, index) => ends[index]?.status === 'rejected');
      if (again.length > 0) {
        this.#retry = undefined;
        this.#onFailure([...again, ...failed], true);
        return;
      }
      size = REPEATED_AT_A_TIME;
    }
    this.#retry = undefined;
    if (this.#failed.length > 0) this.#onFailure([], false);
  }
}

function isAnswer(answer: unknown, length: number): answer is readonly number[] {
  return Array.isArray(answer) && answer.length === length && answer.every(Number.isFinite);
}
