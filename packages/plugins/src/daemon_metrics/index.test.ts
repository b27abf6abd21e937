import { eventually } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { noteSampled } from '../shared/sinks/sampling-decision.ts';
import { startDatagramServer } from '../testing/datagram-server.ts';
import { EmitterBench, type TestExchange } from '../testing/emitter-bench.ts';
import { exchangeOf } from '../testing/plugin-bench.ts';
import { readStatsd, type StatsdMetric } from '../testing/statsd-lines.ts';
import { DATAGRAM_BYTES_MAX } from './datagrams.ts';
import { LINES_KEY, daemonMetrics } from './index.ts';

const request: TestExchange = {
  method: 'GET',
  status: 404,
  facts: { route: { id: 'r', name: 'Orders, all' }, service: { id: 's', name: 'orders' } },
  figures: { latencyMs: 12.3456, upstreamLatencyMs: 10, requestBytes: 5, responseBytes: 700 },
};

/** What a server reads of one request. */
async function metricsOf(config: object, dialect: string, sent = request): Promise<readonly StatsdMetric[]> {
  await using server = await startDatagramServer();
  const bench = new EmitterBench(daemonMetrics, { host: 'statsd.test', port: server.port, ...config });
  await bench.send(sent);
  await bench.dispose();
  await eventually(() => server.datagrams().length > 0);
  return server.datagrams().flatMap((datagram) => readStatsd(datagram, dialect));
}

const named = (metrics: readonly StatsdMetric[]) =>
  Object.fromEntries(metrics.map(({ name, value, type }) => [name, [value, type]]));

describe('daemon_metrics', () => {
  it.each([
    [undefined, 'dogstatsd', 'h'],
    ['dogstatsd', 'dogstatsd', 'h'],
    ['datadog', 'dogstatsd', 'h'],
    ['telegraf', 'telegraf', 'h'],
    ['influxdb', 'telegraf', 'h'],
    ['librato', 'librato', 'ms'],
    ['signalfx', 'signalfx', 'ms'],
    ['graphite', 'graphite', 'ms'],
  ])('says counts, times, sizes and tags in the form %s', async (tag_format, dialect, size) => {
    const metrics = await metricsOf({ ...(tag_format && { tag_format }), tags: ['env:prod', 'team:a/b.c-d'] }, dialect);
    expect(named(metrics)).toEqual({
      'portcullis.request.count': [1, 'c'],
      'portcullis.request.latency': [12.346, 'ms'],
      'portcullis.upstream.latency': [10, 'ms'],
      'portcullis.gateway.latency': [2.346, 'ms'],
      'portcullis.request.size': [5, size],
      'portcullis.response.size': [700, size],
    });
    const tags = {
      env: 'prod',
      team: 'a/b.c-d',
      method: 'GET',
      status: '404',
      status_class: '4xx',
      source: 'upstream',
    };
    const matched = { gateway: 'edge', service: 'orders', route: 'Orders__all' };
    expect(metrics.map((metric) => metric.tags)).toEqual(metrics.map(() => ({ ...tags, ...matched })));
  });

  it.each(['statsd', 'none'])('says the status in a name where there are no tags: %s', async (tag_format) => {
    const metrics = await metricsOf({ tag_format, namespace: 'acme.edge' }, 'statsd');
    expect(named(metrics)).toMatchObject({
      'acme.edge.request.count': [1, 'c'],
      'acme.edge.request.status.404': [1, 'c'],
      'acme.edge.response.size': [700, 'ms'],
    });
    expect(metrics.flatMap(({ tags }) => Object.keys(tags))).toEqual([]);
  });

  it('leaves out what is not known, and tags of routes when told to', async () => {
    const sent = { method: 'BREW', status: 200 };
    const metrics = await metricsOf({ include_route_tags: false, tags: { zone: 'eu-1' } }, 'dogstatsd', sent);
    expect(named(metrics)).toEqual({ 'portcullis.request.count': [1, 'c'] });
    expect(metrics[0]?.tags).toEqual({
      zone: 'eu-1',
      method: 'OTHER',
      status: '200',
      status_class: '2xx',
      source: 'upstream',
    });
  });

  it('packs many requests into few datagrams, none above what a frame holds', async () => {
    await using server = await startDatagramServer();
    const bench = new EmitterBench(daemonMetrics, { host: 'statsd.test', port: server.port, tag_format: 'statsd' });
    for (let index = 0; index < 500; index += 1) await bench.send({ ...request, status: 200 + index });
    await bench.dispose();
    await eventually(() => server.datagrams().flatMap((text) => text.split('\n')).length === 500 * 7);
    const sizes = server.datagrams().map((text) => Buffer.byteLength(text));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(DATAGRAM_BYTES_MAX);
    expect(sizes.length).toBeLessThan(500 / 4);
    const read = server.datagrams().flatMap((text) => readStatsd(text, 'statsd'));
    expect(new Set(read.map(({ name }) => name)).size).toBe(506);
    expect(bench.count('records_sent')).toBe(500);
  });

  it('sends a share of the requests, and says which', async () => {
    await using server = await startDatagramServer();
    const draws = [0.1, 0.25, 0.9, 0.2];
    const random = () => draws.shift() ?? 0;
    const config = { host: 'statsd.test', port: server.port, sample_rate: 0.25 };
    const bench = new EmitterBench(daemonMetrics, config, { random });
    for (const status of [201, 202, 203, 204]) await bench.send({ ...request, status });
    // The sink draws as well, but only where it failed.
    await bench.dispose();
    await eventually(() => server.datagrams().length > 0);
    const read = server.datagrams().flatMap((text) => readStatsd(text, 'dogstatsd'));
    expect([new Set(read.map(({ tags }) => tags['status'])), new Set(read.map(({ rate }) => rate))]).toEqual([
      new Set(['201', '204']),
      new Set([0.25]),
    ]);
  });

  it('sends nothing of a request that sampling left out', async () => {
    await using server = await startDatagramServer();
    const bench = new EmitterBench(daemonMetrics, { host: 'statsd.test', port: server.port, capture_to_state: true });
    const left = exchangeOf(request);
    noteSampled(left, false);
    await bench.sendExchange(left, request);
    await bench.send({ ...request, status: 299 });
    await bench.dispose();
    await eventually(() => server.datagrams().length > 0);
    const read = server.datagrams().flatMap((text) => readStatsd(text, 'dogstatsd'));
    expect(new Set(read.map(({ tags }) => tags['status']))).toEqual(new Set(['299']));
    expect(left.state.has(LINES_KEY)).toBe(false);
  });

  it('leaves the lines in the state of the request when told to, and sends none in a dry run', async () => {
    await using server = await startDatagramServer();
    const config = { host: 'statsd.test', port: server.port, tag_format: 'statsd', capture_to_state: true };
    const bench = new EmitterBench(daemonMetrics, { ...config, dry_run: true });
    const { state } = await bench.send({ status: 204 });
    expect(state.get(LINES_KEY)).toEqual(['portcullis.request.count:1|c', 'portcullis.request.status.204:1|c']);
    await bench.dispose();
    const live = new EmitterBench(daemonMetrics, { ...config, capture_to_state: false });
    const sent = await live.send({ status: 205 });
    await live.dispose();
    await eventually(() => server.datagrams().length > 0);
    expect([server.datagrams().join('\n').includes('204'), sent.state.has(LINES_KEY)]).toEqual([false, false]);
  });
});
