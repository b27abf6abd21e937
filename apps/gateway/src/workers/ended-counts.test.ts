import { describe, expect, it } from 'vitest';
import type { MetricList } from '../status/metrics.ts';
import { EndedCounts } from './ended-counts.ts';

const list = (requests: number, open: number): MetricList =>
  [
    {
      name: 'requests_total',
      help: 'r',
      type: 'counter',
      aggregator: 'sum',
      values: [{ labels: { route: 'a' }, value: requests, metricName: 'requests_total' }],
    },
    { name: 'open', help: 'o', type: 'gauge', aggregator: 'sum', values: [{ labels: {}, value: open }] },
  ] as never;

describe('what ended workers counted', () => {
  it('stays, each worker added to those before it; gauges go', () => {
    const counts = new EndedCounts();
    counts.note(1, list(3, 9));
    counts.note(1, list(5, 9));
    counts.note(2, list(7, 9));
    expect(counts.list()).toEqual([]);
    counts.end(1);
    counts.note(1, list(1, 9));
    counts.end(1);
    counts.end(3);
    expect(counts.list()).toMatchObject([{ name: 'requests_total', values: [{ labels: { route: 'a' }, value: 6 }] }]);
    expect(counts.list()).toHaveLength(1);
  });
});
