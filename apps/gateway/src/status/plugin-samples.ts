import type { InstanceStatus } from '@portcullis/plugin-runtime';
import type { PluginCounterFamily } from '../observations/plugin-counters.ts';
import type { FaultSeries } from '../observations/plugin-metrics.ts';
import type { Sample } from './metric-samples.ts';

/** Instances whose circuits have series of their own; of further ones only open circuits are counted, together. */
const circuitSeriesMax = 1000;

/** As numbers: what is worse is more, so that the worst of several processes is the greatest. */
const phases: Readonly<Record<InstanceStatus['circuit'], number>> = { closed: 0, half_open: 1, open: 2 };

/** State of each instance's circuit: 0 closed, 1 half open, 2 open. */
export function circuitSamples(name: string, instances: readonly InstanceStatus[]): readonly Sample[] {
  const sampleOf = ({ instance, circuit }: InstanceStatus): Sample => ({
    labels: { plugin: instance.name, instance: instance.id },
    value: phases[circuit],
    metricName: name,
  });
  const rest = instances.slice(circuitSeriesMax);
  const worst = rest.reduce((most, { circuit }) => Math.max(most, phases[circuit]), 0);
  const overflow = { labels: { plugin: '', instance: '', overflow: 'true' }, value: worst, metricName: name };
  return [
    ...instances.slice(0, circuitSeriesMax).map((one) => sampleOf(one)),
    ...(rest.length === 0 ? [] : [overflow]),
  ];
}

/** What instances count of their own. */
export function pluginCountSamples({ name, entries }: PluginCounterFamily): readonly Sample[] {
  return entries().map(({ labels: [plugin = '', instance = ''], isOverflow, value }) => ({
    labels: { plugin, instance, ...(isOverflow ? { overflow: 'true' } : undefined) },
    value: value.count,
    metricName: name,
  }));
}

/** Hooks that did not do their work, by plugin, hook and reason. */
export function faultSamples(name: string, faults: readonly FaultSeries[]): readonly Sample[] {
  return faults.map(({ plugin, hook, reason, count }) => ({
    labels: { plugin, hook, reason, ...(plugin === '' ? { overflow: 'true' } : undefined) },
    value: count,
    metricName: name,
  }));
}
