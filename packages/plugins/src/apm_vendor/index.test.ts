import type { Outbound, OutboundRequest } from '@portcullis/plugin-runtime';
import { noOutbound } from '@portcullis/plugin-runtime';
import { eventually, FakeClock } from '@portcullis/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { secretPathsOf } from '../index.ts';
import { EmitterBench, type TestExchange } from '../testing/emitter-bench.ts';
import { startHttpSink, type HttpSink } from '../testing/http-sink.ts';
import { apmVendor } from './index.ts';
import { SITES } from './sites.ts';

let sink: HttpSink;
beforeEach(async () => {
  sink = await startHttpSink();
});
afterEach(() => sink.close());

async function logsOf(
  config: object,
  ...exchanges: readonly TestExchange[]
): Promise<readonly Record<string, unknown>[]> {
  const bench = new EmitterBench(apmVendor, { endpoint: sink.url, ...config });
  for (const exchange of exchanges) await bench.send(exchange);
  await bench.dispose();
  return sink.records();
}

/** The vendor's intakes, of which only the host's name differs here. */
function intakes(calls: OutboundRequest[]): Outbound {
  const answer = { status: 202, header: () => undefined, body: new Uint8Array() };
  return { ...noOutbound, request: (call) => Promise.resolve((calls.push(call), answer)) };
}

describe('apm_vendor', () => {
  it("sends the vendor's attributes and the record", async () => {
    const [log] = await logsOf(
      { api_key: 'canary', env: 'prod', version: '1.2', tags: { team: 'orders' }, service_name: 'edge' },
      {
        method: 'GET',
        path: '/a',
        headers: ['user-agent', 'curl/8'],
        facts: { service: { id: 's', name: 'shop' } },
        figures: { latencyMs: 12.5, upstreamLatencyMs: 10, requestBytes: 1, responseBytes: 2 },
      },
    );
    expect(sink.requests[0]?.headers['dd-api-key']).toBe('canary');
    expect(String(sink.requests[0]?.body).startsWith('[{')).toBe(true);
    expect(log).toMatchObject({
      ddsource: 'portcullis',
      ddtags: 'env:prod,version:1.2,team:orders',
      hostname: 'g1',
      service: 'edge',
      status: 'info',
      message: 'GET /a 200',
      duration: 12_500_000,
      http: { method: 'GET', status_code: 200, useragent: 'curl/8', url_details: { host: 'api.test', path: '/a' } },
      upstream_service: { id: 's', name: 'shop' },
      request_id: 'r1',
      latency_ms: 12.5,
    });
    expect(JSON.stringify(log)).not.toContain('canary');
    expect(log).not.toHaveProperty('metrics');
    // It would be a machine's name in the vendor's account, of a client's choice.
    expect(log).not.toHaveProperty('host');
  });

  it.each([
    [200, 'info'],
    [404, 'warn'],
    [503, 'error'],
  ])('says how bad status %d is: %s', async (status, severity) => {
    expect(await logsOf({}, { status })).toMatchObject([{ status: severity, http: { status_code: status } }]);
  });

  it.each([
    [['team:orders', 'canary'], 'team:orders,canary'],
    [{ team: 'orders', tier: 'gold' }, 'team:orders,tier:gold'],
    [[], ''],
  ])('takes tags as %j', async (tags, ddtags) => {
    expect(await logsOf({ tags }, {})).toMatchObject([{ ddtags }]);
  });

  it("is filed under the route's service where nothing is configured, and has figures where they are wanted", async () => {
    const figures = { latencyMs: 3, responseBytes: 7 };
    const logs = await logsOf(
      { metric_prefix: 'edge' },
      { status: 500, figures, facts: { service: { id: 's', name: 'shop' } } },
      {},
    );
    expect(logs).toMatchObject([
      {
        service: 'shop',
        metrics: { 'edge.requests': 1, 'edge.errors': 1, 'edge.latency_ms': 3, 'edge.response_bytes': 7 },
      },
      { service: 'gateway', metrics: { 'edge.requests': 1, 'edge.errors': 0 } },
    ]);
  });

  it("calls the site's intakes with the key and over TLS, and sums figures up for 10 s", async () => {
    const calls: OutboundRequest[] = [];
    const clock = new FakeClock();
    const config = { api_key: 'canary', site: 'datadoghq.eu', metric_prefix: 'edge', env: 'prod' };
    const bench = new EmitterBench(apmVendor, config, { outbound: intakes(calls), clock });
    for (const status of [200, 200, 500]) await bench.send({ status, method: 'GET', figures: { latencyMs: 2 } });
    await eventually(() => {
      clock.advance(1000);
      return bench.count('figures_sent') === 1;
    });
    expect(calls.map(({ url, requiresTls }) => [url, requiresTls])).toEqual([
      ['https://http-intake.logs.datadoghq.eu/api/v2/logs', true],
      ['https://api.datadoghq.eu/api/v2/series', true],
    ]);
    expect(calls.map(({ headers = [] }) => headers.includes('canary'))).toEqual([true, true]);
    const { series } = JSON.parse(String(calls[1]?.body)) as {
      series: { metric: string; tags: string[]; points: { value: number }[] }[];
    };
    const sumOf = (metric: string, tag: string) =>
      series.find((one) => one.metric === metric && one.tags.includes(tag))?.points[0]?.value;
    expect([sumOf('edge.requests', 'status_class:2xx'), sumOf('edge.latency_ms', 'status_class:2xx')]).toEqual([2, 4]);
    expect([sumOf('edge.errors', 'status_class:5xx'), sumOf('edge.errors', 'status_class:2xx')]).toEqual([1, 0]);
    expect(series.every(({ tags }) => tags[0] === 'env:prod')).toBe(true);
    await bench.dispose();
  });

  it('refuses to send a key in the clear to an address that nobody allowed by name', async () => {
    const calls: OutboundRequest[] = [];
    for (const [config, requiresTls] of [
      [{ api_key: 'k' }, true],
      [{}, false],
    ] as const) {
      calls.length = 0;
      const bench = new EmitterBench(
        apmVendor,
        { endpoint: 'http://agent.test/', ...config },
        { outbound: intakes(calls) },
      );
      await bench.send();
      await bench.dispose();
      expect(calls.map((call) => call.requiresTls)).toEqual([requiresTls]);
    }
  });

  it.each([
    ['neither key nor endpoint', {}, ''],
    ['a key without a site', { api_key: 'k' }, ''],
    ['a site without a key', { site: 'datadoghq.com' }, ''],
    ['two endpoints', { endpoint: 'https://a.test/', intake_url: 'https://b.test/' }, '/intake_url'],
    ['two other endpoints', { intake_url: 'https://a.test/', apm_endpoint: 'https://b.test/' }, '/apm_endpoint'],
    ['a tag with a comma', { endpoint: 'https://a.test/', tags: ['a,b'] }, '/tags'],
    ['an environment with a comma', { endpoint: 'https://a.test/', env: 'a,b' }, '/env'],
    ['a prefix that is none', { endpoint: 'https://a.test/', metric_prefix: 'a..b' }, '/metric_prefix'],
    ['a key twice', { site: 'datadoghq.com', api_key: 'k', headers: { 'dd-api-key': 'other' } }, '/headers'],
    ['a key with a line break', { site: 'datadoghq.com', api_key: 'a\nb' }, '/api_key'],
  ])('may not have %s', (_name, config, pointer) => {
    const compiled = apmVendor.plugin.compile(config);
    expect(compiled.ok ? [] : compiled.issues.map((issue) => issue.pointer.startsWith(pointer))).toContain(true);
  });

  it.each(['us-east-1.evil.test/#', 'evil.test', 'datadoghq.com@evil.test', 'DATADOGHQ.COM', ''])(
    'may not have the site %j, which would become part of a host',
    (site) => {
      const compiled = apmVendor.plugin.compile({ api_key: 'k', site });
      expect(compiled).toMatchObject({ ok: false, issues: [{ pointer: '/site' }] });
    },
  );

  it.each(SITES)('may have the site %s; the key is a secret', (site) => {
    expect(apmVendor.plugin.compile({ api_key: 'k', site })).toMatchObject({ ok: true });
    expect(secretPathsOf('apm_vendor', { api_key: 'k', site })).toEqual(['/api_key']);
  });
});
