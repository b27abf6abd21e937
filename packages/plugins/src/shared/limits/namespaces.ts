import type { Clock, PluginServices } from '@portcullis/plugin-runtime';
import { calendarClock } from './calendar-clock.ts';
import { Counters } from './counters.ts';
import { HeldUnits } from './held-units.ts';

/** Counters with what belongs to them: all who count in them read one time. */
export interface Namespace {
  readonly counters: Counters;
  readonly held: HeldUnits;
  /** See {@link calendarClock}. */
  readonly nowMs: () => number;
  /** Ends the use; the counters go with their last user. Call it once. */
  readonly leave: () => void;
}

/**
 * The counters of a name, shared by all instances of a plugin and tenant in this process that give it, and kept while there is one.
 * A changed configuration sets the new instance up before it disposes the old one: the counters live on.
 * Without a name they are the instance's alone. Source: spec, advanced_rate_limiter and response_rate_limiter.
 */
export function joinNamespace(
  plugin: string,
  name: string | undefined,
  { clock, instance }: Pick<PluginServices, 'clock' | 'instance'>,
): Namespace {
  if (name === undefined) return { ...contentOf(clock), leave: () => undefined };
  // Hosts with clocks of their own do not share: the moments of two clocks cannot be compared.
  const shared = namespacesByClock.get(clock) ?? new Map<string, SharedNamespace>();
  namespacesByClock.set(clock, shared);
  const key = JSON.stringify([plugin, instance.tenantId, name]);
  const found = shared.get(key) ?? { ...contentOf(clock), users: 0 };
  shared.set(key, found);
  found.users += 1;
  const { counters, held, nowMs } = found;
  const leave = (): void => {
    found.users -= 1;
    if (found.users === 0) shared.delete(key);
  };
  return { counters, held, nowMs, leave };
}

interface SharedNamespace extends Omit<Namespace, 'leave'> {
  users: number;
}

/** The state that instances share in a process: bounded by the instances that run, since each holds one name at most. */
const namespacesByClock = new WeakMap<Clock, Map<string, SharedNamespace>>();

function contentOf(clock: Clock): Omit<Namespace, 'leave'> {
  return { counters: new Counters(), held: new HeldUnits(), nowMs: calendarClock(clock) };
}
