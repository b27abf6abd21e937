import type { ChainEntry, HookEnd } from './chain-entry.ts';
import { fault } from './hook-result.ts';
import type { QueuedCall } from './hook-slot.ts';
import type { HookSubject, Leaver } from './hook-subject.ts';

/**
 * How long a call beyond the cap waits for a place, in milliseconds: longer than a burst of calls to a dependency that is well, shorter
 * than clients notice, so that one that is stuck still sheds load.
 */
export const PLACE_WAIT_MS = 25;

/**
 * The wait's parts. A timer of the whole fires before answers are read that came while the process was busy for as long; of a busy
 * time only one part is taken.
 */
const PARTS = 5;

/** Calls a hook, or refuses to: what is done when a call's turn has come. */
export type CallNow<Subject extends HookSubject, Applied> = (
  entry: ChainEntry<Subject, Applied>,
  subject: Subject,
  argument: unknown,
) => HookEnd<Applied> | Promise<HookEnd<Applied>>;

/**
 * A call for which there is no place: it waits for one, or is refused when too many do, its time is over or its client leaves. None of
 * that is a failure of the plugin.
 */
export function waitForPlace<Subject extends HookSubject, Applied>(
  entry: ChainEntry<Subject, Applied>,
  subject: Subject,
  argument: unknown,
  callNow: CallNow<Subject, Applied>,
): HookEnd<Applied> | Promise<HookEnd<Applied>> {
  if (entry.slot.isCrowded) return fault(entry, subject, 'at_capacity', undefined);
  if (subject.aborted) return fault(entry, subject, 'given_up', undefined);
  return new Promise((resolve) => new PlaceWait(entry, subject, argument, callNow, resolve).begin());
}

/** One call that waits for a place. */
class PlaceWait<Subject extends HookSubject, Applied> implements QueuedCall, Leaver {
  readonly #entry: ChainEntry<Subject, Applied>;
  readonly #subject: Subject;
  readonly #argument: unknown;
  readonly #callNow: CallNow<Subject, Applied>;
  readonly #resolve: (end: HookEnd<Applied> | Promise<HookEnd<Applied>>) => void;
  #timer: unknown;
  #partsLeft = PARTS;

  constructor(
    entry: ChainEntry<Subject, Applied>,
    subject: Subject,
    argument: unknown,
    callNow: CallNow<Subject, Applied>,
    resolve: (end: HookEnd<Applied> | Promise<HookEnd<Applied>>) => void,
  ) {
    this.#entry = entry;
    this.#subject = subject;
    this.#argument = argument;
    this.#callNow = callNow;
    this.#resolve = resolve;
  }

  begin(): void {
    this.#entry.slot.enqueue(this);
    this.#subject.watchLeaver(this);
    this.#setTimer();
  }

  start(): void {
    this.#end();
    const subject = this.#subject;
    subject.beginHooks();
    try {
      this.#resolve(this.#callNow(this.#entry, subject, this.#argument));
    } finally {
      subject.endHooks();
    }
  }

  /** The client left. */
  abort(): void {
    this.#refuse('given_up');
  }

  readonly #onPart = (): void => {
    this.#partsLeft -= 1;
    if (this.#partsLeft > 0) this.#setTimer();
    else this.#refuse('at_capacity');
  };

  #setTimer(): void {
    this.#timer = this.#entry.instance.host.timers.set(this.#onPart, PLACE_WAIT_MS / PARTS);
  }

  #refuse(reason: 'given_up' | 'at_capacity'): void {
    this.#entry.slot.leave(this);
    this.#end();
    this.#resolve(fault(this.#entry, this.#subject, reason, undefined));
  }

  #end(): void {
    this.#entry.instance.host.timers.clear(this.#timer);
    this.#subject.unwatchLeaver(this);
  }
}
