import { createEgress } from '@portcullis/egress';
import { eventually, FakeClock, freePort } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { SINK_LIMITS } from '../shared/sinks/sink-limits.ts';
import { ADDRESS_MS } from '../shared/sockets/datagram-peer.ts';
import { startDatagramServer } from '../testing/datagram-server.ts';
import { EmitterBench, loopback } from '../testing/emitter-bench.ts';
import { DATAGRAM_BYTES_MAX } from './fitting-record.ts';
import { udpLog } from './index.ts';

const pathOf = (text: string): string => (JSON.parse(text) as { path: string }).path;

describe('udp_log', () => {
  it.each([
    [4, 'logs.test'],
    [4, '127.0.0.1'],
    [6, 'six.test'],
    [6, '[::1]'],
  ] as const)('sends one datagram for each request over IPv%i, to %s', async (family, host) => {
    await using server = await startDatagramServer(family);
    const bench = new EmitterBench(udpLog, { host, port: server.port });
    for (const path of ['/a', '/b', '/ü']) await bench.send({ path, status: 404 });
    await eventually(() => server.datagrams().length === 3);
    expect(server.datagrams().map(pathOf)).toEqual(['/a', '/b', '/ü']);
    expect(JSON.parse(server.datagrams()[0] ?? '')).toMatchObject({ request_id: 'r1', status: 404, tenant_id: 't1' });
    await bench.dispose();
    expect([bench.count('records_sent'), server.senders().length]).toEqual([3, 1]);
  });

  it('leaves headers out of a record that would be too long for a datagram, and says so', async () => {
    await using server = await startDatagramServer();
    const bench = new EmitterBench(udpLog, { host: 'logs.test', port: server.port, include_headers: true });
    const long = Array.from({ length: 10 }, (_, index) => [`x-${index}`, 'ü'.repeat(1000)]).flat();
    await bench.send({ path: '/long', headers: long });
    await bench.send({ path: '/short', headers: ['x-a', '1'] });
    await eventually(() => server.datagrams().length === 2);
    const [cut, whole] = server.datagrams().map((text) => JSON.parse(text) as Record<string, unknown>);
    expect([cut?.['truncated'], cut?.['path'], cut?.['request_headers']]).toEqual([true, '/long', undefined]);
    expect([whole?.['truncated'], whole?.['request_headers']]).toEqual([undefined, { 'x-a': '1' }]);
    await bench.dispose();
  });

  it('cuts texts where that is not enough', async () => {
    await using server = await startDatagramServer();
    const bench = new EmitterBench(udpLog, { host: 'logs.test', port: server.port });
    const headers = ['user-agent', '\u0001'.repeat(2000)];
    await bench.send({ path: `/${'p'.repeat(5000)}`, query: `${'ü'.repeat(500)}=1`, headers });
    await eventually(() => server.datagrams().length === 1);
    const [text = ''] = server.datagrams();
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(DATAGRAM_BYTES_MAX);
    expect(JSON.parse(text)).toMatchObject({ truncated: true, path: `/${'p'.repeat(127)}`, status: 200 });
    await bench.dispose();
  });

  it('counts a record that fits no datagram however it is cut', async () => {
    await using server = await startDatagramServer();
    const bench = new EmitterBench(udpLog, { host: 'logs.test', port: server.port });
    const wild = '\u0001'.repeat(1024);
    const named = { id: wild, name: wild };
    const facts = { requestId: wild, tenantId: wild, workspaceId: wild, gateway: named, route: named, service: named };
    await bench.send({
      facts,
      path: `/${wild}`,
      method: wild,
      query: wild,
      headers: ['user-agent', wild],
      clientIp: wild,
    });
    await bench.send({ path: '/next' });
    await eventually(() => server.datagrams().length === 1);
    expect([server.datagrams().map(pathOf), bench.count('records_dropped')]).toEqual([['/next'], 1]);
    expect(JSON.stringify(bench.warnings)).toContain('longer than a datagram');
    await bench.dispose();
  });

  it('notices that nobody listens, and goes on when somebody does', async () => {
    const port = await freePort();
    const bench = new EmitterBench(udpLog, { host: 'logs.test', port, fail_on_error: true });
    // The system says so after the first datagram, to whoever sends the next.
    const statuses: number[] = [];
    await eventually(async () => {
      statuses.push((await bench.send()).response.status);
      return statuses.at(-1) === 502;
    });
    await using server = await startDatagramServer(4, port);
    await eventually(async () => {
      await bench.send({ path: '/back' });
      return server.datagrams().length > 0;
    });
    expect(server.datagrams().map(pathOf)).toContain('/back');
    await bench.dispose();
  });

  it('sends a record when it is made, without waiting for others, once it knows where to', async () => {
    await using server = await startDatagramServer();
    const clock = new FakeClock();
    const bench = new EmitterBench(udpLog, { host: 'logs.test', port: server.port }, { clock });
    await bench.send({ path: '/first' });
    clock.advance(SINK_LIMITS.delayMs);
    await eventually(() => server.datagrams().length === 1);
    for (const path of ['/a', '/b']) await bench.send({ path });
    await eventually(() => bench.count('records_sent') === 3 && server.datagrams().length === 3);
    expect(server.datagrams().map(pathOf)).toEqual(['/first', '/a', '/b']);
    await bench.dispose();
  });

  it('counts what was lost before it heard that nobody listens, and keeps what comes then', async () => {
    const server = await startDatagramServer();
    const clock = new FakeClock();
    const bench = new EmitterBench(udpLog, { host: 'logs.test', port: server.port }, { clock });
    await bench.send({ path: '/first' });
    clock.advance(SINK_LIMITS.delayMs);
    await eventually(() => server.datagrams().length === 1);
    await server[Symbol.asyncDispose]();
    // In one turn: the system says so to whoever sends next.
    await Promise.all([bench.send({ path: '/lost' }), bench.send({ path: '/refused' })]);
    await eventually(() => bench.count('records_failed') === 1);
    await bench.send({ path: '/kept' });
    await using back = await startDatagramServer(4, server.port);
    await eventually(() => {
      clock.advance(SINK_LIMITS.backOffMs);
      return back.datagrams().length > 0;
    });
    expect([back.datagrams().map(pathOf), bench.warnings.length > 0]).toEqual([['/kept'], true]);
    await bench.dispose();
  });

  it('asks for the address again after a while, and follows the name', async () => {
    await using server = await startDatagramServer();
    const clock = new FakeClock();
    let asked = 0;
    const outbound = {
      ...loopback,
      resolve: (...args: Parameters<typeof loopback.resolve>) => {
        asked += 1;
        return loopback.resolve(...args);
      },
    };
    const bench = new EmitterBench(
      udpLog,
      { host: 'logs.test', port: server.port, fail_on_error: true },
      { outbound, clock },
    );
    await bench.send();
    await bench.send();
    expect(asked).toBe(1);
    clock.advance(ADDRESS_MS);
    await bench.send();
    expect(asked).toBe(2);
    await eventually(() => server.datagrams().length === 3);
    expect(server.senders()).toHaveLength(2);
    const ended = bench.dispose();
    await ended;
    expect(clock.pendingTimers).toBe(0);
  });

  it('sends nothing to an address that the operator does not allow, whatever a name leads to later', async () => {
    await using server = await startDatagramServer();
    const answers = [['203.0.113.1'], ['127.0.0.1'], ['::ffff:127.0.0.1'], ['169.254.169.254']];
    const outbound = createEgress({ lookup: () => Promise.resolve(answers.shift() ?? ['127.0.0.1']) });
    const clock = new FakeClock();
    const config = { host: 'flips.test', port: server.port, fail_on_error: true };
    const bench = new EmitterBench(udpLog, config, { outbound, clock });
    const statuses: number[] = [];
    for (let index = 0; index < 5; index += 1) {
      statuses.push((await bench.send()).response.status);
      clock.advance(ADDRESS_MS);
    }
    expect([statuses.slice(1), server.datagrams()]).toEqual([[502, 502, 502, 502], []]);
    // What was not taken is tried again until the instance has had its time.
    let isOver = false;
    const ended = bench.dispose().then(() => (isOver = true));
    await eventually(() => {
      clock.advance(1000);
      return isOver;
    });
    await ended;
    expect(server.datagrams()).toEqual([]);
  });

  it.each([
    ['host', { host: 'a b' }],
    ['port', { port: 1.5 }],
    ['timeout', { timeout: -1 }],
    ['fail_on_error', { fail_on_error: 'yes' }],
    ['correlation_id_header', { correlation_id_header: '' }],
  ])('refuses a config with a bad %s', (field, config) => {
    const compiled = udpLog.plugin.compile({ host: 'logs.test', port: 9000, ...config });
    expect(compiled).toMatchObject({ ok: false, issues: [{ pointer: `/${field}` }] });
  });
});
