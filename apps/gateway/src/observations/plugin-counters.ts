import { noMetrics, type InstanceIdentity, type PluginCounter, type PluginMetrics } from '@portcullis/plugin-runtime';
import { SeriesTable, type TableEntry } from './series-table.ts';

/** Kinds of counters that plugins have together; one more is counted nowhere. */
export const pluginCountersMax = 200;

/** Instances with a series of their own of each kind; further ones are counted together. */
export const countedInstancesMax = 1000;

/** What a plugin may call a counter. */
const nameForm = /^[a-z][a-z0-9_]{0,63}$/;

const helpLengthMax = 200;

/** One kind of counter, of all instances that have it. */
export interface PluginCounterFamily {
  /** As it is shown. */
  readonly name: string;
  readonly help: string;
  /** Labels: plugin, instance. */
  readonly entries: () => readonly TableEntry<PluginCount>[];
}

interface PluginCount {
  count: number;
}

interface Family {
  readonly help: string;
  readonly table: SeriesTable<PluginCount>;
}

/**
 * What instances of plugins count of their own since the process began. Their number is bounded, because configurations come and go and
 * packages are not all ours. What an instance counted stays when it goes: a counter never falls.
 */
export class PluginCounters {
  readonly #families = new Map<string, Family>();

  /** The figures of one instance. */
  metricsOf({ name: plugin, id }: InstanceIdentity): PluginMetrics {
    return {
      counter: (name, help) => {
        const family = this.#familyOf(name, help);
        return family === undefined ? noMetrics.counter(name, help) : counterOf(family.table.of(plugin, id));
      },
    };
  }

  families(): readonly PluginCounterFamily[] {
    return [...this.#families].map(([name, { help, table }]) => ({ name, help, entries: () => table.entries() }));
  }

  #familyOf(name: string, help: string): Family | undefined {
    if (!nameForm.test(name)) return undefined;
    const shown = `gateway_plugin_${name}_total`;
    const known = this.#families.get(shown);
    if (known !== undefined) return known;
    if (this.#families.size >= pluginCountersMax) return undefined;
    const made = {
      help: help.slice(0, helpLengthMax),
      table: new SeriesTable(countedInstancesMax, () => ({ count: 0 })),
    };
    this.#families.set(shown, made);
    return made;
  }
}

function counterOf(series: PluginCount): PluginCounter {
  return {
    add: (count) => {
      // What would make a counter fall, or no number of it, is a mistake of the plugin's and nothing for an operator's alarm.
      if (count > 0 && Number.isFinite(count)) series.count += count;
    },
  };
}
