import type { ChainEntry, HookEnd } from './chain-entry.ts';
import { callHook } from './hook-call.ts';
import type { HookSubject } from './hook-subject.ts';
import type { HookOutcome } from './plugin-step.ts';

/** Whether somebody listens to the ends of these hooks, whatever they are called for. */
export function isListenedTo(entries: readonly ChainEntry<never, unknown>[]): boolean {
  return entries.some(({ instance }) => instance.host.events.onHookEnd !== undefined);
}

/** Begins to take the time of hooks that are called one after the other: one reading of the clock per hook, and this one. */
export function beginWatch(entry: ChainEntry<never, unknown> | undefined, subject: HookSubject): void {
  if (entry !== undefined) subject.noteReading(entry.instance.host.clock.monotonicMs());
}

/** Calls a hook and tells how long it took, from the end of the one before. */
export function callWatched<Subject extends HookSubject, Applied>(
  entry: ChainEntry<Subject, Applied>,
  subject: Subject,
  argument: unknown,
): HookEnd<Applied> | Promise<HookEnd<Applied>> {
  const startMs = subject.readMs;
  const end = callHook(entry, subject, argument);
  if (end instanceof Promise) return end.then((late) => tell(entry, subject, late, startMs));
  return tell(entry, subject, end, startMs);
}

function tell<Subject extends HookSubject, Applied>(
  entry: ChainEntry<Subject, Applied>,
  subject: Subject,
  end: HookEnd<Applied>,
  startMs: number,
): HookEnd<Applied> {
  const { host, identity } = entry.instance;
  const endMs = host.clock.monotonicMs();
  subject.noteReading(endMs);
  const outcome = outcomeOf(end);
  subject.noteStep(entry.slot, identity.name, entry.stage, outcome, endMs - startMs);
  host.events.onHookEnd?.(identity, entry.stage, outcome, endMs - startMs, subject);
  return end;
}

/** Bytes in place of others let the message go on; all else that was applied ended it. */
function outcomeOf(end: unknown): HookOutcome {
  if (end === 'continue' || end === 'skipped' || end === 'failed') return end;
  return end instanceof Uint8Array ? 'continue' : 'respond';
}
