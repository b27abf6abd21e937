import type { ChainPlace } from './chain-place.ts';
import type { HookSlot } from './hook-slot.ts';
import type { HookSubject } from './hook-subject.ts';
import type { Stage } from './plugin.ts';
import type { RunningInstance } from './running-instance.ts';
import type { ConsumerGuard } from './scope-matching.ts';

/** A hook with its types erased: the chain knows what its stage calls it with. */
export type AnyHook = (subject: HookSubject, argument: unknown) => unknown;

/**
 * Applies what a hook returned, or says what is to be done about it.
 * @throws when it is no result that a hook may have; nothing has changed then
 */
export type ApplyResult<Subject, Applied> = (subject: Subject, result: unknown, argument: unknown) => Applied;

/** How a call of a hook ended: without a result, as its result was applied, or by the execution policy. */
export type HookEnd<Applied> = Applied | 'continue' | 'skipped' | 'failed';

/** One hook in its place, with all that a call of it needs at hand. One shape for all stages. */
export class ChainEntry<Subject extends HookSubject, Applied> {
  readonly instance: RunningInstance;
  readonly stage: Stage;
  readonly hook: AnyHook;
  /** Present when the hook runs for certain consumers only. */
  readonly guard: ConsumerGuard | undefined;
  readonly apply: ApplyResult<Subject, Applied>;
  readonly slot: HookSlot;
  /** Whether a failure of the hook fails what it runs for. Where all is lost already, it never does. */
  readonly failClosed: boolean;
  /** Of request hooks, which get it as their second argument; `undefined` in other stages. */
  readonly place: ChainPlace | undefined;

  constructor(
    instance: RunningInstance,
    stage: Stage,
    hook: AnyHook,
    guard: ConsumerGuard | undefined,
    apply: ApplyResult<Subject, Applied>,
    mayFail = true,
    place?: ChainPlace,
  ) {
    this.instance = instance;
    this.stage = stage;
    this.hook = hook;
    this.guard = guard;
    this.apply = apply;
    this.slot = instance.slots[stage];
    this.failClosed = mayFail && instance.policy.failClosed;
    this.place = place;
  }
}
