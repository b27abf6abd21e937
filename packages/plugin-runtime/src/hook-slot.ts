import { STAGES, type ResolvedPolicy } from './execution-policy.ts';
import type { Stage } from './plugin.ts';

/**
 * Most calls that wait for a place of one hook of an instance. In the time that they may wait, a dependency that answers within a
 * millisecond serves as many through the default of 32 places.
 */
export const CALLS_QUEUED_MAX = 1024;

/** A call that waits for a place. */
export interface QueuedCall {
  /** Its turn has come. Never throws. */
  start(): void;
}

/** What the execution policy counts and allows for one hook of an instance, in all chains that the instance is in. */
export class HookSlot {
  readonly timeoutMs: number;
  readonly #waitingMax: number;
  /** Calls that wait for what their hooks do. Sync calls never wait. */
  #waiting = 0;
  /** Calls that wait for one of those to end, the first to come first. While there are some, no other call goes past them. */
  readonly #queue = new Set<QueuedCall>();
  #isTurnDue = false;
  #isCircuitClosed = true;
  /**
   * Whether a call is free to go: the circuit is closed without a failure, and there is a place. Kept up to date when
   * one of them changes, so that a call has one thing to look at.
   */
  isClear = true;

  constructor(waitingMax: number, timeoutMs: number) {
    this.#waitingMax = waitingMax;
    this.timeoutMs = timeoutMs;
  }

  /** Whether a call has to wait for a place. */
  get isTaken(): boolean {
    return this.#isFull || this.#queue.size > 0;
  }

  /** Whether no further call may wait for a place. */
  get isCrowded(): boolean {
    return this.#queue.size >= CALLS_QUEUED_MAX;
  }

  /** A call waits for its turn from now on. */
  enqueue(call: QueuedCall): void {
    this.#queue.add(call);
    this.#update();
  }

  /** A call does not wait for its turn any more. */
  leave(call: QueuedCall): void {
    this.#queue.delete(call);
    this.#update();
  }

  /** A call began to wait. */
  beginWait(): void {
    this.#waiting += 1;
    this.#update();
  }

  /** A call's wait is over. */
  endWait(): void {
    this.#waiting -= 1;
    this.#update();
    if (this.#queue.size === 0 || this.#isFull || this.#isTurnDue) return;
    this.#isTurnDue = true;
    // Not at once: the circuit is yet to hear how this call ended, and this may be in the middle of a hook that reads a body.
    queueMicrotask(this.#giveTurns);
  }

  /** Whether the instance's circuit is closed without a failure from now on. */
  setCircuit(isClosed: boolean): void {
    this.#isCircuitClosed = isClosed;
    this.#update();
  }

  /** Calls that fail or end at once take no place, so that there may be more turns than places. */
  readonly #giveTurns = (): void => {
    this.#isTurnDue = false;
    for (const call of this.#queue) {
      if (this.#isFull) break;
      this.#queue.delete(call);
      call.start();
    }
    this.#update();
  };

  get #isFull(): boolean {
    return this.#waiting >= this.#waitingMax;
  }

  #update(): void {
    this.isClear = this.#isCircuitClosed && !this.isTaken;
  }
}

/** The slots of an instance. */
export function slotsOf(policy: ResolvedPolicy): Readonly<Record<Stage, HookSlot>> {
  const slots = STAGES.map((stage) => [stage, new HookSlot(policy.concurrencyMax, policy.timeoutMs[stage])] as const);
  return Object.fromEntries(slots) as Record<Stage, HookSlot>;
}
