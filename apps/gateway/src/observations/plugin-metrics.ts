import type { HookFault, PluginStep, RuntimeEvents, Stage } from '@portcullis/plugin-runtime';
import { Durations } from './durations.ts';

/** Kinds of hooks and of faults with series of their own; further ones are counted together as `overflow`. */
const seriesMax = 500;

/** Durations of one plugin's hooks of one stage. */
export interface HookSeries {
  readonly plugin: string;
  readonly hook: string;
  readonly durations: Durations;
}

/** Hooks of one plugin and stage that did not do their work. */
export interface FaultSeries {
  readonly plugin: string;
  readonly hook: string;
  readonly reason: string;
  count: number;
}

/** What plugins' hooks took and where they failed, since the process began. */
export class PluginMetrics {
  readonly #hooks = new Map<string, HookSeries>();
  readonly #faults = new Map<string, FaultSeries>();

  /** What the runtime tells. Only faults: to be told of every hook would cost two clock readings for each. */
  readonly events: RuntimeEvents = {
    onHookFault: ({ name }, stage, fault) => {
      this.#faultsOf(name, stage, fault).count += 1;
    },
  };

  /** Takes the hooks of a request whose steps were recorded: the clock was read for its record already. */
  add(steps: readonly PluginStep[]): void {
    for (const { name, stage, duration_us: durationUs } of steps) this.#hooksOf(name, stage).durations.add(durationUs);
  }

  hooks(): readonly HookSeries[] {
    return [...this.#hooks.values()];
  }

  faults(): readonly FaultSeries[] {
    return [...this.#faults.values()];
  }

  #hooksOf(plugin: string, stage: Stage): HookSeries {
    const make = (name: string, hook: string): HookSeries => ({ plugin: name, hook, durations: new Durations() });
    const key = `${plugin} ${stage}`;
    const known = this.#hooks.get(key);
    if (known !== undefined) return known;
    if (this.#hooks.size >= seriesMax) return obtain(this.#hooks, '', () => make('', ''));
    return obtain(this.#hooks, key, () => make(plugin, stage));
  }

  #faultsOf(plugin: string, stage: Stage, fault: HookFault): FaultSeries {
    const key = `${plugin} ${stage} ${fault}`;
    if (this.#faults.has(key) || this.#faults.size < seriesMax) {
      return obtain(this.#faults, key, () => ({ plugin, hook: stage, reason: fault, count: 0 }));
    }
    return obtain(this.#faults, '', () => ({ plugin: '', hook: '', reason: '', count: 0 }));
  }
}

function obtain<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
