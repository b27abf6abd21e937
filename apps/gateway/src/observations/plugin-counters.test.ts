import { describe, expect, it } from 'vitest';
import { countedInstancesMax, PluginCounters, pluginCountersMax } from './plugin-counters.ts';

const instanceOf = (id: string) => ({ id, name: 'http_log', tenantId: 'acme' });

/** What is counted, by name, plugin and instance. */
function shown(counters: PluginCounters): readonly (readonly unknown[])[] {
  return counters
    .families()
    .flatMap(({ name, entries }) => entries().map(({ labels, value }) => [name, ...labels, value.count]));
}

describe('what plugins count', () => {
  it('is kept by counter and instance, and the same name is the same counter', () => {
    const counters = new PluginCounters();
    const one = counters.metricsOf(instanceOf('1'));
    one.counter('records_sent', 'Records that were sent').add(2);
    one.counter('records_sent', 'Records that were sent').add(3);
    counters.metricsOf(instanceOf('2')).counter('records_sent', 'Records that were sent').add(1);
    one.counter('records_dropped', 'Records that were dropped').add(0);
    expect(shown(counters)).toEqual([
      ['gateway_plugin_records_sent_total', 'http_log', '1', 5],
      ['gateway_plugin_records_sent_total', 'http_log', '2', 1],
      ['gateway_plugin_records_dropped_total', 'http_log', '1', 0],
    ]);
  });

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('takes no %d', (count) => {
    const counters = new PluginCounters();
    const counter = counters.metricsOf(instanceOf('1')).counter('sent', 'Sent');
    counter.add(1);
    counter.add(count);
    expect(shown(counters)).toEqual([['gateway_plugin_sent_total', 'http_log', '1', 1]]);
  });

  it.each(['', 'Sent', '1st', 'a-b', 'a b', 'a\nb', 'a{b="c"}', '__proto__', 'x'.repeat(65)])(
    'shows nothing under the name %j',
    (name) => {
      const counters = new PluginCounters();
      counters.metricsOf(instanceOf('1')).counter(name, 'Sent').add(1);
      expect(shown(counters)).toEqual([]);
    },
  );

  it('has bounds for instances and for names', () => {
    const counters = new PluginCounters();
    for (let id = 0; id <= countedInstancesMax + 1; id += 1) {
      counters
        .metricsOf(instanceOf(`${id}`))
        .counter('sent', 'Sent')
        .add(1);
    }
    const [family] = counters.families();
    const overflow = family?.entries().filter(({ isOverflow }) => isOverflow);
    expect([family?.entries().length, overflow?.map(({ value }) => value.count)]).toEqual([
      countedInstancesMax + 1,
      [2],
    ]);
    for (let at = 0; at < pluginCountersMax + 5; at += 1)
      counters.metricsOf(instanceOf('1')).counter(`c${at}`, 'C').add(1);
    expect(counters.families()).toHaveLength(pluginCountersMax);
  });
});
