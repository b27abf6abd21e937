import type { HookFault, InstanceIdentity, RuntimeEvents, Stage } from '@portcullis/plugin-runtime';
import { Durations } from './durations.ts';

/** Kinds of hooks and of faults with series of their own; further ones are counted together as `overflow`. */
const seriesMax = 500;

/** Durations of the calls of one plugin's hooks of one stage. */
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

  /** Series by instance, so that a hook that ends finds its own without a text being made. */
  readonly #ofInstances = new WeakMap<InstanceIdentity, Map<Stage, Durations>>();

  /** What the runtime tells: of every hook of every request, whether its raw record is kept or not. */
  readonly events: RuntimeEvents = {
    onHookEnd: (instance, stage, _outcome, durationMs) => {
      this.#durationsOf(instance, stage).add(Math.round(durationMs * 1000));
    },
    onHookFault: ({ name }, stage, fault) => {
      this.#faultsOf(name, stage, fault).count += 1;
    },
  };

  hooks(): readonly HookSeries[] {
    return [...this.#hooks.values()];
  }

  faults(): readonly FaultSeries[] {
    return [...this.#faults.values()];
  }

  #durationsOf(instance: InstanceIdentity, stage: Stage): Durations {
    const known = this.#ofInstances.get(instance);
    const series = known?.get(stage);
    if (series !== undefined) return series;
    const { durations } = this.#hooksOf(instance.name, stage);
    if (known === undefined) this.#ofInstances.set(instance, new Map([[stage, durations]]));
    else known.set(stage, durations);
    return durations;
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
