import type { ChainEntry, HookEnd } from './chain-entry.ts';
import { callHook } from './hook-call.ts';
import type { HookSubject } from './hook-subject.ts';
import { passesGuard } from './scope-matching.ts';
import { beginWatch, callWatched, isListenedTo } from './watched-call.ts';

/** What a hook wants instead of going on, told apart from bytes by its shape. */
export interface Stop {
  /** Why, in the plugin's words. */
  readonly reason: string;
}

/** How bytes came through: as they are to go on, or with the hook that stopped them; `failed` is the policy's word. */
export type PassEnd<Subject extends HookSubject> =
  | Uint8Array
  | 'failed'
  | { readonly stop: Stop; readonly by: BytesEntry<Subject> };

/** A hook that sees bytes pass. */
export type BytesEntry<Subject extends HookSubject> = ChainEntry<Subject, Uint8Array | Stop>;

/**
 * Passes bytes from hook to hook: what one returns in their place is what the next one sees. Sync as long as the hooks are.
 * @param argumentOf what a hook is called with for these bytes
 */
export function passBytes<Subject extends HookSubject>(
  entries: readonly BytesEntry<Subject>[],
  subject: Subject,
  bytes: Uint8Array,
  argumentOf: (bytes: Uint8Array) => unknown,
  start = 0,
): PassEnd<Subject> | Promise<PassEnd<Subject>> {
  let current = bytes;
  let argument: unknown;
  let hasArgument = false;
  const isWatched = subject.steps !== undefined || isListenedTo(entries);
  subject.beginHooks();
  try {
    if (isWatched) beginWatch(entries[start], subject);
    for (let index = start; index < entries.length; index += 1) {
      const entry = entries[index] as BytesEntry<Subject>;
      if (entry.guard !== undefined && !passesGuard(entry.guard, subject.consumer)) continue;
      if (!hasArgument) {
        argument = argumentOf(current);
        hasArgument = true;
      }
      const end = isWatched ? callWatched(entry, subject, argument) : callHook(entry, subject, argument);
      if (end === 'continue' || end === 'skipped') continue;
      if (end === 'failed') return end;
      if (end instanceof Promise) {
        // What the hook still holds, it may change at any time, also when it was given up: what goes on is ours.
        const passed = new Uint8Array(current);
        return end.then((late) => {
          const next = afterHook(entry, late, passed);
          return next instanceof Uint8Array ? passBytes(entries, subject, next, argumentOf, index + 1) : next;
        });
      }
      if (!(end instanceof Uint8Array)) return { stop: end, by: entry };
      current = end;
      hasArgument = false;
    }
  } finally {
    subject.endHooks();
  }
  return current;
}

function afterHook<Subject extends HookSubject>(
  entry: BytesEntry<Subject>,
  end: HookEnd<Uint8Array | Stop>,
  passed: Uint8Array,
): PassEnd<Subject> {
  if (end === 'continue' || end === 'skipped') return passed;
  return end === 'failed' || end instanceof Uint8Array ? end : { stop: end, by: entry };
}
