import type { Clock, PluginServices } from '@portcullis/plugin-runtime';
import { ProcessSpaces } from '../process-spaces.ts';
import { calendarClock } from './calendar-clock.ts';
import { Counters } from './counters.ts';
import { HeldUnits } from './held-units.ts';

/** Counters with what belongs to them: all who count in them read one time. */
export interface CounterSpace {
  readonly counters: Counters;
  readonly held: HeldUnits;
  /** See {@link calendarClock}. */
  readonly nowMs: () => number;
}

/** The counters that an instance uses. */
export interface JoinedSpace extends CounterSpace {
  /** Ends the use; the counters go with their last user. Call it once. */
  readonly leave: () => void;
}

/**
 * The counters of a name, shared by all instances of a plugin and tenant in this process that give it, and kept while there is one;
 * see {@link ProcessSpaces}. Without a name they are the instance's alone.
 * Source: spec, advanced_rate_limiter and response_rate_limiter.
 */
export function joinNamespace(
  plugin: string,
  name: string | undefined,
  { clock, instance }: Pick<PluginServices, 'clock' | 'instance'>,
): JoinedSpace {
  if (name === undefined) return { ...spaceOf(clock), leave: () => undefined };
  const { space, release } = spaces.hold(clock, [plugin, instance.tenantId, name], () => spaceOf(clock));
  return { ...space, leave: release };
}

const spaces = new ProcessSpaces<CounterSpace>();

function spaceOf(clock: Clock): CounterSpace {
  return { counters: new Counters(), held: new HeldUnits(), nowMs: calendarClock(clock) };
}
