import { eventually, freePort, startUpstream } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { everythingTo, openRaw, startTestGateway } from '../testing/test-gateway.test-support.ts';
import { startOtlpReceiver } from './otlp-receiver.test-support.ts';

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const span = '00f067aa0ba902b7';

describe('telemetry over OTLP', () => {
  it('sends a span of each request and one of each try, which the upstream has as its parent', async () => {
    await using receiver = await startOtlpReceiver();
    await using upstream = await startUpstream((_req, res) => void res.writeHead(201).end('made'));
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20secret',
      OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
      OTEL_SERVICE_NAME: 'edge',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=another',
    };
    await using gateway = await startTestGateway(everythingTo(upstream.url, { paths: ['/orders'] }), env);
    const headers = { traceparent: `00-${trace}-${span}-01`, tracestate: 'a=1', 'user-agent': 'test' };
    await fetch(`${gateway.url}/orders/7?token=hidden`, { method: 'POST', body: 'four', headers });
    await gateway.stop();
    const [server, client, ...more] = receiver.spans();
    expect(more).toEqual([]);
    expect(server).toMatchObject({
      ...{ service: 'edge', traceId: trace, parentId: span, state: 'a=1', kind: 2, status: 0, name: 'POST /orders' },
      attributes: {
        ...{ 'http.request.method': 'POST', 'http.response.status_code': 201, 'http.route': '/orders' },
        ...{
          'url.path': '/orders/7',
          'url.scheme': 'http',
          'server.address': '127.0.0.1',
          'server.port': gateway.port,
        },
        ...{ 'user_agent.original': 'test', 'client.address': '127.0.0.1', 'network.protocol.version': '1.1' },
        ...{ 'portcullis.route.id': 'route-1', 'portcullis.service.id': 'service-1' },
        ...{ 'http.request.body.size': 4, 'http.response.body.size': 4 },
      },
    });
    const port = Number(new URL(upstream.url).port);
    expect(client).toMatchObject({
      ...{ traceId: trace, parentId: server?.spanId, kind: 3, status: 0, name: 'POST' },
      attributes: {
        ...{ 'http.response.status_code': 201, 'server.address': '127.0.0.1', 'server.port': port },
        'url.full': `${upstream.url}/7`,
      },
    });
    expect(upstream.requests[0]?.headers['traceparent']).toBe(`00-${trace}-${client?.spanId}-01`);
    expect(JSON.stringify([server, client])).not.toContain('hidden');
    const [outer, inner] = [server, client].map((one) => [one?.startNs ?? 0, one?.endNs ?? 0] as const);
    expect(inner?.[0]).toBeGreaterThanOrEqual(outer?.[0] ?? Number.POSITIVE_INFINITY);
    expect(inner?.[1]).toBeLessThanOrEqual((outer?.[1] ?? 0) + 1000);
    expect(receiver.headers[0]).toMatchObject({ 'x-key': 'a secret', 'content-type': 'application/x-protobuf' });
  });

  it('tells of failures: tries that came to nothing, refusals, clients that left', async () => {
    await using receiver = await startOtlpReceiver();
    let hangs = 0;
    await using hanging = await startUpstream({ stream: () => void (hangs += 1) });
    const gone = `http://127.0.0.1:${await freePort()}`;
    const services = [
      { id: 'gone', name: 'gone', url: gone, retries: 1 },
      { id: 'slow', name: 'slow', url: hanging.url },
    ];
    const routes = services.map(({ id }) => ({ id, name: id, service_id: id, paths: [`/${id}`] }));
    await using gateway = await startTestGateway({ services, routes }, { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
    expect((await fetch(`${gateway.url}/gone`)).status).toBe(502);
    expect((await fetch(`${gateway.url}/nowhere`)).status).toBe(404);
    const { socket } = openRaw(gateway.port);
    socket.write('PROPFIND /slow HTTP/1.1\r\nHost: a:8080\r\n\r\n');
    await eventually(() => hangs > 0);
    socket.destroy();
    await eventually(() => receiver.spans().some(({ attributes }) => attributes['error.type'] === 'client_left'));
    await gateway.stop();
    const told = (path: string) => {
      const all = receiver.spans();
      const server = all.find(({ attributes }) => attributes['url.path'] === path);
      return all.filter(({ traceId }) => traceId === server?.traceId);
    };
    const [server, ...tries] = told('/gone');
    expect(server).toMatchObject({ status: 2, attributes: { 'error.type': '502', 'http.response.status_code': 502 } });
    expect(tries.map(({ attributes }) => attributes['error.type'])).toEqual(tries.map(() => 'upstream_connect_failed'));
    expect(tries.map(({ attributes }) => attributes['http.request.resend_count'])).toEqual([undefined, 1]);
    expect(new Set(tries.map(({ spanId }) => spanId)).size).toBe(2);
    expect(told('/nowhere')).toMatchObject([
      { name: 'GET', status: 0, attributes: { 'http.response.status_code': 404 } },
    ]);
    const [left, cancelled] = told('/slow');
    expect(left).toMatchObject({
      name: 'HTTP /slow',
      attributes: { 'http.request.method': '_OTHER', 'http.request.method_original': 'PROPFIND', 'server.port': 8080 },
    });
    expect(left?.attributes['http.response.status_code']).toBeUndefined();
    expect(cancelled).toMatchObject({ status: 2, attributes: { 'error.type': 'aborted' } });
  });

  it('tells of an answer that the upstream broke off, whose status is that of a good one', async () => {
    await using receiver = await startOtlpReceiver();
    await using upstream = await startUpstream({ stream: (_req, res) => res.write('begun', () => res.destroy()) });
    await using gateway = await startTestGateway(everythingTo(upstream.url), {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    });
    await expect((await fetch(gateway.url)).text()).rejects.toThrow('terminated');
    await gateway.stop();
    const [server, client] = receiver.spans();
    const attributes = { 'error.type': 'upstream_reset', 'http.response.status_code': 200 };
    expect([server, client]).toMatchObject([
      { kind: 2, status: 2, attributes },
      { kind: 3, status: 2, attributes },
    ]);
  });

  it.each<[string, Readonly<Record<string, string>>, string | undefined, RegExp, number]>([
    ['a caller that records nothing', {}, `00-${trace}-${span}-00`, new RegExp(`^00-${trace}-${span}-00$`), 0],
    [
      'a sampler that wants none',
      { OTEL_TRACES_SAMPLER: 'always_off' },
      `00-${trace}-${span}-01`,
      new RegExp(`^00-${trace}-(?!${span})[0-9a-f]{16}-00$`),
      0,
    ],
    [
      'a sampler that wants all',
      { OTEL_TRACES_SAMPLER: 'always_on' },
      `00-${trace}-${span}-00`,
      new RegExp(`^00-${trace}-(?!${span})[0-9a-f]{16}-01$`),
      2,
    ],
    ['no caller', {}, undefined, /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/, 2],
    [
      'no traces',
      { OTEL_TRACES_EXPORTER: 'none' },
      `00-${trace}-${span}-01`,
      new RegExp(`^00-${trace}-${span}-01$`),
      0,
    ],
    [
      'everything off',
      { OTEL_SDK_DISABLED: 'true' },
      `00-${trace}-${span}-01`,
      new RegExp(`^00-${trace}-${span}-01$`),
      0,
    ],
  ])('records as it is decided: %s', async (_name, env, sent, passed, spans) => {
    await using receiver = await startOtlpReceiver();
    await using upstream = await startUpstream((_req, res) => void res.end());
    const all = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${receiver.url}/v1/traces`, ...env };
    await using gateway = await startTestGateway(everythingTo(upstream.url), all);
    await fetch(gateway.url, sent === undefined ? {} : { headers: { traceparent: sent } });
    await gateway.stop();
    expect(upstream.requests[0]?.headers['traceparent']).toMatch(passed);
    expect(receiver.spans()).toHaveLength(spans);
  });

  it('sends the metrics of the status port, histograms too', async () => {
    await using receiver = await startOtlpReceiver();
    await using upstream = await startUpstream((_req, res) => void res.end());
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_METRIC_EXPORT_INTERVAL: '100',
      OTEL_TRACES_EXPORTER: 'none',
    };
    await using gateway = await startTestGateway(everythingTo(upstream.url), env);
    for (let time = 0; time < 3; time += 1) await fetch(gateway.url);
    const latest = (name: string) =>
      receiver
        .metrics()
        .filter((metric) => metric.name === name)
        .at(-1);
    await eventually(() => latest('gateway_http_requests_total')?.points[0]?.value === 3);
    expect(latest('gateway_http_requests_total')).toMatchObject({
      kind: 'sum',
      points: [{ attributes: { route: 'route-1', method: 'GET', status_class: '2xx', source: 'upstream' } }],
    });
    const durations = latest('gateway_http_request_duration_seconds');
    const [point] = durations?.points ?? [];
    expect([durations?.kind, durations?.unit, point?.count]).toEqual(['histogram', 's', 3]);
    expect([point?.counts.length, point?.counts.reduce((sum, count) => sum + count, 0)]).toEqual([
      (point?.bounds.length ?? 0) + 1,
      3,
    ]);
    expect(point?.bounds).toEqual(point?.bounds.toSorted((one, other) => one - other));
    expect(latest('process_resident_memory_bytes')).toMatchObject({ kind: 'gauge', unit: 'By' });
    await gateway.stop();
  });

  it('carries on without a collector, and counts what that did not take', async () => {
    await using receiver = await startOtlpReceiver();
    receiver.status = 400;
    await using upstream = await startUpstream((_req, res) => void res.end());
    const env = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${receiver.url}/v1/traces`, OTEL_BSP_MAX_QUEUE_SIZE: '4' };
    await using gateway = await startTestGateway(everythingTo(upstream.url), env);
    const answers = await Promise.all(Array.from({ length: 10 }, async () => (await fetch(gateway.url)).status));
    expect(answers).toEqual(answers.map(() => 200));
    const lost = await eventually(async () => {
      const metrics = await (await fetch(`${gateway.statusUrl}/metrics`)).text();
      const of = (outcome: string) =>
        Number(new RegExp(`gateway_otel_spans_total\\{outcome="${outcome}"\\} (\\d+)`).exec(metrics)?.[1] ?? 0);
      return of('failed') + of('dropped') === 20 ? { failed: of('failed'), sent: of('sent') } : undefined;
    });
    expect(lost).toMatchObject({ failed: expect.toSatisfy((count: number) => count >= 4) as number, sent: 0 });
    receiver.status = 200;
    await fetch(gateway.url);
    await gateway.stop();
    expect(receiver.spans()).toHaveLength(2);
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ['an address that is none', { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' }],
    ['another protocol', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }],
    ['an unknown exporter', { OTEL_TRACES_EXPORTER: 'zipkin' }],
    ['an unknown sampler', { OTEL_TRACES_SAMPLER: 'jaeger_remote' }],
    ['a ratio beyond one', { OTEL_TRACES_SAMPLER_ARG: '1.5' }],
    ['headers without values', { OTEL_EXPORTER_OTLP_HEADERS: 'key' }],
    ['headers with line feeds', { OTEL_EXPORTER_OTLP_HEADERS: 'key=a%0Ab' }],
    ['an unknown compression', { OTEL_EXPORTER_OTLP_COMPRESSION: 'zstd' }],
    ['an unknown mode of trace contexts', { PORTCULLIS_TRACE_CONTEXT: 'yes' }],
  ])('does not start with %s', async (_name, env) => {
    const [name = ''] = Object.keys(env).slice(-1);
    await expect(startTestGateway(undefined, env)).rejects.toThrow(name);
  });
});
