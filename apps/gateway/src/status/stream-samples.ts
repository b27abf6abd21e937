import type { StreamMetrics, StreamSeries } from '../streams/stream-metrics.ts';
import { durationSamples, labelsOf, type Sample } from './metric-samples.ts';

/** A metric of connections that are carried byte by byte. */
export interface StreamFamily {
  readonly name: string;
  readonly type: 'counter' | 'histogram' | 'gauge';
  readonly help: string;
  readonly samples: () => readonly Sample[];
}

/** Metrics of connections by route, apart from those of requests: they last for days, and have no method. Source: ADR 0064. */
export function streamMetricFamilies(
  streams: () => Pick<StreamMetrics, 'all'> | undefined,
  gateway: () => string,
): readonly StreamFamily[] {
  const each = (make: (series: StreamSeries, labels: Record<string, string>) => readonly Sample[]) => () =>
    (streams()?.all() ?? []).flatMap((series) => make(series, labelsOf(series.over, gateway())));
  const single = (
    name: string,
    type: 'counter' | 'gauge',
    help: string,
    read: (series: StreamSeries) => number,
  ): StreamFamily => ({
    name,
    type,
    help,
    samples: each((series, labels) => [{ labels, value: read(series), metricName: name }]),
  });
  const durations = (
    name: string,
    help: string,
    read: (series: StreamSeries) => StreamSeries['lasted'],
  ): StreamFamily => ({
    name,
    type: 'histogram',
    help,
    samples: each((series, labels) => durationSamples(name, labels, read(series))),
  });
  const total = 'gateway_stream_connections_total';
  return [
    {
      name: total,
      type: 'counter',
      help: 'Connections that are over, by what became of them',
      samples: each((series, labels) =>
        series.over.requests().map(({ statusClass, source, count }) => ({
          labels: { ...labels, status_class: statusClass, source },
          value: count,
          metricName: total,
        })),
      ),
    },
    single('gateway_stream_connections_open', 'gauge', 'Connections under way', ({ open }) => open),
    single('gateway_stream_received_bytes_total', 'counter', 'Bytes from clients', (one) => one.receivedBytes),
    single('gateway_stream_sent_bytes_total', 'counter', 'Bytes to clients', (one) => one.sentBytes),
    durations(
      'gateway_stream_connect_duration_seconds',
      'From client to upstream, or a refusal',
      (one) => one.over.total,
    ),
    durations('gateway_stream_duration_seconds', 'From first to last byte', ({ lasted }) => lasted),
  ];
}
