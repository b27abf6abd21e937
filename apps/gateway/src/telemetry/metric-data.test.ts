import { DataPointType } from '@opentelemetry/sdk-metrics';
import { expect, it } from 'vitest';
import type { MetricList } from '../status/metrics.ts';
import { metricData } from './adapters/metric-data.ts';
import { hrTimeOf } from './adapters/readable-spans.ts';

const times = { startTime: hrTimeOf(1000.5), endTime: hrTimeOf(2000) };

it('puts histograms together again, each series by itself', () => {
  const name = 'gateway_overhead_duration_seconds';
  const series = (route: string, [first, second, all]: readonly [number, number, number], sum: number) => [
    { labels: { route, le: 0.1 }, value: first, metricName: `${name}_bucket` },
    { labels: { route, le: 0.5 }, value: second, metricName: `${name}_bucket` },
    { labels: { route, le: '+Inf' }, value: all, metricName: `${name}_bucket` },
    { labels: { route }, value: sum, metricName: `${name}_sum` },
    { labels: { route }, value: all, metricName: `${name}_count` },
  ];
  const values = [...series('a', [1, 3, 6], 4.5), ...series('b', [0, 0, 0], 0)];
  const list = [{ name, help: 'h', type: 'histogram', aggregator: 'sum', values }] as unknown as MetricList;
  const [metric] = metricData(list, times);
  expect(metric).toMatchObject({
    dataPointType: DataPointType.HISTOGRAM,
    descriptor: { name, description: 'h', unit: 's' },
  });
  expect(metric?.dataPoints).toEqual([
    {
      ...times,
      attributes: { route: 'a' },
      value: { buckets: { boundaries: [0.1, 0.5], counts: [1, 2, 3] }, sum: 4.5, count: 6 },
    },
    {
      ...times,
      attributes: { route: 'b' },
      value: { buckets: { boundaries: [0.1, 0.5], counts: [0, 0, 0] }, sum: 0, count: 0 },
    },
  ]);
});

it.each([
  ['gateway_http_request_bytes_total', 'counter', DataPointType.SUM, 'By'],
  ['process_cpu_seconds_total', 'counter', DataPointType.SUM, 's'],
  ['gateway_config_revision', 'gauge', DataPointType.GAUGE, ''],
])('%s is a %s of its unit', (name, type, kind, unit) => {
  const list = [
    { name, help: 'h', type, aggregator: 'sum', values: [{ labels: { a: 'b' }, value: 7 }] },
  ] as unknown as MetricList;
  expect(metricData(list, times)).toMatchObject([
    { dataPointType: kind, descriptor: { unit }, dataPoints: [{ attributes: { a: 'b' }, value: 7 }] },
  ]);
});

it.each([
  [0, [0, 0]],
  [1500.25, [1, 500_250_000]],
  [999.999_999_9, [0, 999_999_999]],
  [1_790_000_000_123.5, [1_790_000_000, 123_500_000]],
])('%d ms are seconds and nanoseconds', (milliseconds, time) => expect(hrTimeOf(milliseconds)).toEqual(time));
