import { DueQueue, type Due } from './due-queue.ts';

/** Bounds of all probes of a process, so that checks never crowd out traffic. */
export const probeLimits = {
  runningMax: 256,
  /** Endpoints that are seen to in one turn. When more are due, the next turn is after `turnMs`: 1000 a second. */
  perTurnMax: 10,
  turnMs: 10,
} as const;

/** Calls back once after some milliseconds, unless what it returns is called before. Must keep no process alive. */
export type SetTimer = (callback: () => void, delayMs: number) => () => void;

/** Probes of one upstream: they wait for one another. */
export interface ProbeLane {
  /** Probes at once. */
  concurrency: number;
  running: number;
  readonly waiting: Set<ProbedItem>;
}

/** Something that is probed from time to time. */
export interface ProbedItem extends Due {
  readonly lane: ProbeLane;
  /** Its time has come. @returns whether it wants to be probed; else it has been seen to */
  onDue(): boolean;
  /** Sends the probe. Settles when it is over, and never rejects. */
  probe(): Promise<void>;
}

/**
 * Says when each endpoint is probed: one queue and one timer for all of them, and bounds on what runs at once, for each
 * upstream and for the process. An upstream whose probes hang holds up no other's: lanes take turns.
 */
export class ProbeScheduler {
  readonly #queue = new DueQueue<ProbedItem>();
  readonly #ready = new Set<ProbeLane>();
  readonly #nowMs: () => number;
  readonly #setTimer: SetTimer;
  #running = 0;
  #cancel: (() => void) | undefined;
  #timerDueMs = Infinity;
  #nextTurnMs = 0;
  #isStopped = false;

  /** @param nowMs monotonic milliseconds */
  constructor(nowMs: () => number, setTimer: SetTimer) {
    this.#nowMs = nowMs;
    this.#setTimer = setTimer;
  }

  /** Sets when an item is due; `Infinity`: never. */
  schedule(item: ProbedItem, dueMs: number): void {
    if (this.#isStopped) return;
    this.#queue.set(item, dueMs);
    this.#arm();
  }

  /** The item is gone. A probe of it that runs is the item's to give up. */
  remove(item: ProbedItem): void {
    this.#queue.remove(item);
    item.lane.waiting.delete(item);
    this.#arm();
  }

  /** Nothing is probed any more. */
  stop(): void {
    this.#isStopped = true;
    this.#cancel?.();
    this.#ready.clear();
  }

  #arm(): void {
    const dueMs = Math.max(this.#queue.first()?.dueMs ?? Infinity, this.#nextTurnMs);
    if (dueMs === this.#timerDueMs || this.#isStopped) return;
    this.#cancel?.();
    this.#cancel = undefined;
    this.#timerDueMs = dueMs;
    if (dueMs === Infinity) return;
    this.#cancel = this.#setTimer(() => this.#onTimer(), Math.max(0, dueMs - this.#nowMs()));
  }

  #onTimer(): void {
    this.#cancel = undefined;
    this.#timerDueMs = Infinity;
    const nowMs = this.#nowMs();
    for (let seenTo = 0; seenTo < probeLimits.perTurnMax; seenTo += 1) {
      const item = this.#queue.first();
      if (item === undefined || item.dueMs > nowMs) break;
      this.#queue.remove(item);
      if (item.onDue()) this.#admit(item);
      if (seenTo === probeLimits.perTurnMax - 1) this.#nextTurnMs = nowMs + probeLimits.turnMs;
    }
    this.#start();
    this.#arm();
  }

  #admit(item: ProbedItem): void {
    item.lane.waiting.add(item);
    this.#ready.add(item.lane);
  }

  /** Sends what there is room for, lane by lane. */
  #start(): void {
    for (const lane of this.#ready) {
      if (this.#running >= probeLimits.runningMax || this.#isStopped) return;
      // At the end again, behind the lanes that have not had their turn: a set goes on to what is added meanwhile.
      this.#ready.delete(lane);
      const [item] = lane.waiting;
      if (item === undefined || lane.running >= lane.concurrency) continue;
      lane.waiting.delete(item);
      this.#ready.add(lane);
      this.#run(item);
    }
  }

  #run(item: ProbedItem): void {
    const { lane } = item;
    lane.running += 1;
    this.#running += 1;
    void item.probe().then(() => {
      lane.running -= 1;
      this.#running -= 1;
      if (lane.waiting.size > 0) this.#ready.add(lane);
      this.#start();
    });
  }
}
