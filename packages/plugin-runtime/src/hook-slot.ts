import { STAGES, type ResolvedPolicy } from './execution-policy.ts';
import type { Stage } from './plugin.ts';

/** What the execution policy counts and allows for one hook of an instance, in all chains that the instance is in. */
export class HookSlot {
  readonly timeoutMs: number;
  readonly #waitingMax: number;
  /** Calls that wait. Sync calls never wait. */
  #waiting = 0;
  #isCircuitClosed = true;
  /**
   * Whether a call is free to go: the circuit is closed without a failure, and the cap is not reached. Kept up to date when
   * one of them changes, so that a call has one thing to look at.
   */
  isClear = true;

  constructor(waitingMax: number, timeoutMs: number) {
    this.#waitingMax = waitingMax;
    this.timeoutMs = timeoutMs;
  }

  /** Whether as many calls wait as may. */
  get isFull(): boolean {
    return this.#waiting >= this.#waitingMax;
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
  }

  /** Whether the instance's circuit is closed without a failure from now on. */
  setCircuit(isClosed: boolean): void {
    this.#isCircuitClosed = isClosed;
    this.#update();
  }

  #update(): void {
    this.isClear = this.#isCircuitClosed && !this.isFull;
  }
}

/** The slots of an instance. */
export function slotsOf(policy: ResolvedPolicy): Readonly<Record<Stage, HookSlot>> {
  const slots = STAGES.map((stage) => [stage, new HookSlot(policy.concurrencyMax, policy.timeoutMs[stage])] as const);
  return Object.fromEntries(slots) as Record<Stage, HookSlot>;
}
