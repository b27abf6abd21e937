import { readFile } from 'node:fs/promises';
import { eventually, freePort, temporaryFolder } from '@portcullis/testkit';
import { expect, it } from 'vitest';
import { startTestGateway } from '../testing/test-gateway.test-support.ts';
import { ask, openClient, startRaw } from './streams.test-support.ts';

it('a connection is in metrics of its own, in the access log, and in a record and a counter as one request', async () => {
  await using upstream = await startRaw((socket) => void socket.pipe(socket));
  const folder = await temporaryFolder();
  const [port, wrongPort] = [await freePort(), await freePort()];
  await using gateway = await startTestGateway(
    {
      services: [{ id: 's1', name: 'echo', url: `tcp://127.0.0.1:${upstream.port}` }],
      routes: [{ id: 'r1', name: 'echo', service_id: 's1', protocols: ['tcp'], destinations: [{ port }] }],
    },
    { PORTCULLIS_STREAM_PORTS: `${port},${wrongPort}`, PORTCULLIS_ACCESS_LOG: folder.join('access.log') },
  );
  expect(await ask(port, 'hello')).toBe('hello');
  expect(await openClient(wrongPort).ended).toBe('ECONNRESET');
  const open = openClient(port);
  open.socket.write('stay');
  await eventually(() => open.received() === 'stay');

  const scrape = async (): Promise<string> => (await fetch(`${gateway.statusUrl}/metrics`)).text();
  const labels = 'gateway="gateway-1",service="s1",route="r1"';
  const text = await eventually(async () => {
    const now = await scrape();
    return now.includes(`gateway_stream_connections_open{${labels}} 1\n`) && now;
  });
  expect(text).toContain(`gateway_stream_connections_total{${labels},status_class="2xx",source="upstream"} 1\n`);
  expect(text).toMatch(/gateway_stream_connections_total\{[^}]*route="",status_class="4xx",source="gateway"\} 1\n/);
  expect(text).toContain(`gateway_stream_received_bytes_total{${labels}} 9\n`);
  expect(text).toContain(`gateway_stream_sent_bytes_total{${labels}} 9\n`);
  expect(text).toContain(`gateway_stream_connect_duration_seconds_count{${labels}} 1\n`);
  expect(text).toContain(`gateway_stream_duration_seconds_count{${labels}} 1\n`);
  expect(text).not.toContain('gateway_http_requests_total{');

  open.socket.resetAndDestroy();
  await eventually(async () => (await scrape()).includes(`gateway_stream_connections_open{${labels}} 0\n`));
  await gateway.stop();
  const lines = (await readFile(folder.join('access.log'), 'utf8')).trim().split('\n');
  const parsed = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const first = { method: 'TCP', path: '', status: 200, status_source: 'upstream', route_id: 'r1', port };
  expect(parsed).toMatchObject([
    { ...first, request_bytes: 5, response_bytes: 5, duration_ms: expect.any(Number), client_ip: '127.0.0.1' },
    { method: 'TCP', status: 404, status_source: 'gateway', failure: 'no_route', port: wrongPort },
    { ...first, request_bytes: 4, failure: 'client_left' },
  ]);
  const batches = gateway.controlPlane.batches;
  expect(batches.flatMap(({ records }) => records ?? []).map(({ method, status }) => [method, status])).toEqual([
    ['TCP', 200],
    ['TCP', 404],
    ['TCP', 200],
  ]);
  const counted = batches.flatMap(({ counters }) => counters).filter(({ route_id: id }) => id === 'r1');
  expect(counted.reduce((sum, { requests }) => sum + requests, 0)).toBe(2);
  await folder.remove();
});

it('a connection that a service would lead back to the gateway is refused at once', async () => {
  const port = await freePort();
  await using gateway = await startTestGateway(
    {
      services: [{ id: 's1', name: 'round', url: `tcp://localhost:${port}`, retries: 0 }],
      routes: [{ id: 'r1', name: 'round', service_id: 's1', protocols: ['tcp'], destinations: [{ port }] }],
    },
    { PORTCULLIS_STREAM_PORTS: `${port}` },
  );
  expect(await openClient(port).ended).toBe('ECONNRESET');
  await gateway.stop();
  const counters = gateway.controlPlane.batches.flatMap((batch) => batch.counters);
  expect(counters).toMatchObject([{ route_id: 'r1', requests: 1, statuses: [[502, 1]] }]);
});
