import { latencyBin, observationLimits } from '@portcullis/resources';
import { eventually, startUpstream } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { everythingTo, openRaw, startTestGateway } from '../testing/test-gateway.test-support.ts';
import { countersMax, MinuteCounters } from './minute-counters.ts';
import type { FinishedRequest } from './observer.ts';
import { RecordRing } from './record-ring.ts';

describe('observations', () => {
  it('count exactly the requests that were sent, with their statuses, and keep a record of each', async () => {
    await using upstream = await startUpstream(
      (req, res) => void res.writeHead(Number(req.url?.slice(1, 4))).end('12345'),
    );
    await using gateway = await startTestGateway(everythingTo(upstream.url, { paths: ['/s'] }));
    const { controlPlane } = gateway;
    const paths = ['/s/200', '/s/200', '/s/404', '/s/500', '/elsewhere', '/elsewhere'];
    for (const path of paths)
      await (await fetch(`${gateway.url}${path}?secret=1`, { method: 'POST', body: 'abc' })).text();
    await eventually(() => controlPlane.countedRequests() === paths.length);
    const counters = controlPlane.batches.flatMap((batch) => batch.counters);
    const matched = counters.filter(({ route_id: id }) => id === 'route-1');
    expect(matched.reduce((sum, one) => sum + one.errors_4xx * 10 + one.errors_5xx, 0)).toBe(11);
    expect(matched.flatMap(({ statuses }) => statuses).reduce((sum, [, count]) => sum + count, 0)).toBe(4);
    expect(matched.flatMap(({ histogram }) => histogram).reduce((sum, [, count]) => sum + count, 0)).toBe(4);
    expect(matched.reduce((sum, one) => sum + one.request_bytes, 0)).toBe(12);
    expect(matched.reduce((sum, one) => sum + one.response_bytes, 0)).toBe(20);
    const records = controlPlane.batches.flatMap((batch) => batch.records);
    expect(records.map(({ path, status, status_source: source }) => [path, status, source])).toEqual([
      ['/s/200', 200, 'upstream'],
      ['/s/200', 200, 'upstream'],
      ['/s/404', 404, 'upstream'],
      ['/s/500', 500, 'upstream'],
      ['/elsewhere', 404, 'gateway'],
      ['/elsewhere', 404, 'gateway'],
    ]);
    expect(new Set(records.map(({ id }) => id)).size).toBe(paths.length);
    expect(JSON.stringify(records)).not.toContain('secret');
    for (const { latency_us: total, upstream_latency_us: upstreamUs = 0, gateway_latency_us: own } of records) {
      expect(own + upstreamUs).toBe(total);
    }
  });

  it('are sent again under the same number until they are taken, and add up', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    const { controlPlane } = gateway;
    controlPlane.failures.set('observations', 503);
    for (let index = 0; index < 5; index += 1) await (await fetch(gateway.url)).text();
    await eventually(async () => (await fetch(`${gateway.statusUrl}/metrics`)).ok);
    controlPlane.failures.set('observations', 0);
    for (let index = 0; index < 5; index += 1) await (await fetch(gateway.url)).text();
    controlPlane.failures.delete('observations');
    await eventually(() => controlPlane.countedRequests() === 10, { timeoutMs: 12_000 });
    expect(controlPlane.batches.map(({ sequence }) => sequence)).toEqual(
      controlPlane.batches.map((_, index) => index + 1),
    );
    expect(new Set(controlPlane.batches.map(({ boot_id: id }) => id)).size).toBe(1);
  });

  it('are handed over when the gateway stops', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    for (let index = 0; index < 3; index += 1) await (await fetch(gateway.url)).text();
    await gateway.stop();
    expect(gateway.controlPlane.countedRequests()).toBe(3);
  });

  it.each([
    [404, 'text/html'],
    [403, 'text/html'],
    [413, 'text/html'],
    [301, 'application/problem+json'],
  ])('are kept while a proxy before the control plane answers %d', async (status, type) => {
    await using upstream = await startUpstream();
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    const { controlPlane } = gateway;
    controlPlane.failureType = type;
    controlPlane.failures.set('observations', status);
    await (await fetch(gateway.url)).text();
    const failed = /gateway_reports_failed_total\{report="observations"\} [1-9]/;
    await eventually(async () => failed.test(await (await fetch(`${gateway.statusUrl}/metrics`)).text()));
    controlPlane.failures.delete('observations');
    const isCounted = await eventually(() => controlPlane.countedRequests() === 1, { timeoutMs: 12_000 });
    expect(isCounted).toBe(true);
  });

  it('keep their counters when the control plane refuses a raw record', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    const { controlPlane } = gateway;
    controlPlane.refusesRecords = true;
    for (let index = 0; index < 3; index += 1) await (await fetch(gateway.url)).text();
    await gateway.stop();
    expect(controlPlane.countedRequests()).toBe(3);
    expect(controlPlane.batches.reduce((sum, { dropped_records: dropped }) => sum + dropped, 0)).toBe(3);
  });

  it('count what the allowance of raw records leaves out', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startTestGateway(everythingTo(upstream.url), { PORTCULLIS_RECORDS_PER_SECOND: '0' });
    const { controlPlane } = gateway;
    for (let index = 0; index < 3; index += 1) await (await fetch(gateway.url)).text();
    const metrics = await (await fetch(`${gateway.statusUrl}/metrics`)).text();
    expect(metrics).toMatch(/^gateway_dropped_records_total(\{.*\})? 3$/m);
    await gateway.stop();
    expect(controlPlane.countedRequests()).toBe(3);
    expect(controlPlane.batches.flatMap(({ records }) => records)).toEqual([]);
    expect(controlPlane.batches.reduce((sum, { dropped_records: dropped }) => sum + dropped, 0)).toBe(3);
  });

  it('do not keep a gateway from stopping when the control plane does not answer', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    for (const path of ['observations', 'heartbeat', 'config']) gateway.controlPlane.silent.add(path);
    await (await fetch(gateway.url)).text();
    const startedMs = performance.now();
    await gateway.stop();
    expect(performance.now() - startedMs).toBeLessThan(12_000);
  });

  it('say of a client that left before its answer that it left', async () => {
    let hasBegun = false;
    await using upstream = await startUpstream({ stream: () => void (hasBegun = true) });
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    const client = openRaw(gateway.port);
    client.socket.write('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n');
    await eventually(() => hasBegun);
    client.socket.destroy();
    const record = await eventually(() => gateway.controlPlane.batches.flatMap(({ records }) => records)[0]);
    expect(record).toMatchObject({ path: '/slow', status: 499, status_source: 'gateway' });
  });

  it('show in the metrics with IDs as labels', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    await (await fetch(gateway.url, { method: 'PROPFIND' })).text();
    await (await fetch(gateway.url)).text();
    const text = await (await fetch(`${gateway.statusUrl}/metrics`)).text();
    const labels = 'gateway="gateway-1",service="service-1",route="route-1"';
    expect(text).toContain(
      `gateway_http_requests_total{${labels},method="GET",status_class="2xx",source="upstream"} 1`,
    );
    expect(text).toContain(
      `gateway_http_requests_total{${labels},method="OTHER",status_class="2xx",source="upstream"} 1`,
    );
    expect(text).toContain(`gateway_http_request_duration_seconds_count{${labels}} 2`);
    expect(text).toContain('gateway_config_revision 1');
    expect(text).toContain('gateway_control_plane_connected 1');
  });
});

describe('bounds', () => {
  it('keeps totals exact when there are too many counters: the oldest minute goes into the next', () => {
    const counters = new MinuteCounters();
    const routes = countersMax / 2;
    for (const minute of [1, 2, 3]) {
      for (let route = 0; route < routes; route += 1) {
        counters.count(minute, {
          ...{ routeId: `r${route}`, serviceId: '', status: 200, latencyUs: 7, requestBytes: 1, responseBytes: 1 },
        });
      }
    }
    expect(counters.size).toBe(countersMax);
    const taken = counters.take(observationLimits.countersMax);
    expect(taken).toHaveLength(observationLimits.countersMax);
    expect(taken[0]).toMatchObject({ minute: 2, requests: 2, statuses: [[200, 2]], histogram: [[latencyBin(7), 2]] });
    const all = [...taken, ...counters.take(Number.POSITIVE_INFINITY)];
    expect(all.reduce((sum, { requests }) => sum + requests, 0)).toBe(3 * routes);
  });

  it('counts the records that it has no room for', () => {
    const ring = new RecordRing(3);
    const record = (id: string): FinishedRequest => ({ requestId: id }) as FinishedRequest;
    for (const id of ['a', 'b', 'c', 'd', 'e']) ring.push(record(id));
    expect(ring.take(2)).toEqual({ records: [record('a'), record('b')], dropped: 2 });
    ring.push(record('f'));
    expect(ring.take(9)).toEqual({ records: [record('c'), record('f')], dropped: 0 });
  });
});
