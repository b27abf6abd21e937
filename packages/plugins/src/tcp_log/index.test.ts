import { createEgress } from '@portcullis/egress';
import { eventually, freePort } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { EmitterBench } from '../testing/emitter-bench.ts';
import { startLineServer } from '../testing/line-server.ts';
import { tcpLog } from './index.ts';

const paths = (lines: readonly string[]): string[] => lines.map((line) => (JSON.parse(line) as { path: string }).path);

describe('tcp_log', () => {
  it('writes one line of JSON for each request, in order, on one connection', async () => {
    await using server = await startLineServer();
    const bench = new EmitterBench(tcpLog, { host: 'logs.test', port: server.port });
    for (const path of ['/a', '/b%0Ab', '/ü']) await bench.send({ path, status: 201, figures: { latencyMs: 12.5 } });
    await eventually(() => server.lines().length === 3);
    expect(paths(server.lines())).toEqual(['/a', '/b%0Ab', '/ü']);
    expect(JSON.parse(server.lines()[0] ?? '')).toMatchObject({
      request_id: 'r1',
      tenant_id: 't1',
      gateway_id: 'g1',
      method: 'POST',
      status: 201,
      latency_ms: 12.5,
      complete: true,
    });
    await bench.dispose();
    await eventually(() => server.open() === 0);
    expect([server.accepted(), server.rests(), bench.count('records_sent')]).toEqual([1, [], 3]);
  });

  it('sends what it has when it ends', async () => {
    await using server = await startLineServer();
    const bench = new EmitterBench(tcpLog, { host: 'logs.test', port: server.port });
    for (let index = 0; index < 2500; index += 1) await bench.send({ path: `/${index}` });
    await bench.dispose();
    await eventually(() => server.lines().length === 2500);
    expect(paths(server.lines())).toEqual(Array.from({ length: 2500 }, (_, index) => `/${index}`));
  });

  it.each(['cut', 'halfClose'] as const)('connects anew after the server closed (%s)', async (how) => {
    await using server = await startLineServer();
    const bench = new EmitterBench(tcpLog, { host: 'logs.test', port: server.port });
    await bench.send({ path: '/before' });
    await eventually(() => server.lines().length === 1);
    server[how]();
    await eventually(() => server.open() === 0);
    await bench.send({ path: '/after' });
    await eventually(() => server.lines().length === 2);
    expect([paths(server.lines()), server.accepted()]).toEqual([['/before', '/after'], 2]);
    await bench.dispose();
  });

  it('holds what a server that is away cannot take, and sends it when it is back', async () => {
    const port = await freePort();
    const bench = new EmitterBench(tcpLog, { host: 'logs.test', port });
    await bench.send({ path: '/early' });
    await using server = await startLineServer(port);
    await eventually(() => server.lines().length === 1);
    expect([paths(server.lines()), bench.count('records_failed')]).toEqual([['/early'], 0]);
    await bench.dispose();
  });

  it('makes no request wait for a server that reads nothing, and stays within its bound', async () => {
    await using server = await startLineServer();
    server.pause();
    const bench = new EmitterBench(tcpLog, { host: 'logs.test', port: server.port, include_headers: true });
    const headers = ['x-padding', 'p'.repeat(1000)];
    for (let index = 0; index < 12_000; index += 1) await bench.send({ path: `/${index}`, headers });
    expect(bench.count('records_dropped')).toBeGreaterThan(1000);
    server.resume();
    await eventually(() => paths(server.lines()).includes('/11999'));
    const got = paths(server.lines());
    expect(new Set(got).size).toBe(got.length);
    await bench.dispose();
    expect(bench.count('records_sent') + bench.count('records_dropped')).toBe(12_000);
  });

  it('begins a new connection where the server takes a batch too slowly, and never goes on within a line', async () => {
    await using server = await startLineServer();
    server.pause();
    const bench = new EmitterBench(tcpLog, {
      host: 'logs.test',
      port: server.port,
      timeout: 0.2,
      include_headers: true,
    });
    const headers = Array.from({ length: 40 }, (_, index) => [`x-${index}`, 'p'.repeat(1000)]).flat();
    // Until more is under way than the system holds for a connection whose other end does not read.
    for (let index = 0; server.accepted() < 2; index += 1) {
      await bench.send({ path: `/${index}`, headers });
      await new Promise(setImmediate);
    }
    server.resume();
    await bench.send({ path: '/last' });
    await eventually(() => server.lines().at(-1)?.includes('"/last"'));
    // Every line is a whole one.
    expect(paths(server.lines())).toContain('/last');
    await bench.dispose();
  });

  it('with fail_on_error answers only what was taken', async () => {
    const port = await freePort();
    const bench = new EmitterBench(tcpLog, { host: 'logs.test', port, fail_on_error: true });
    expect((await bench.send({ path: '/lost' })).response.status).toBe(502);
    await using server = await startLineServer(port);
    const sent = await Promise.all(['/a', '/b', '/c'].map((path) => bench.send({ path })));
    expect(sent.map(({ response }) => response.status)).toEqual([200, 200, 200]);
    await eventually(() => server.lines().length === 3);
    expect([paths(server.lines()).toSorted(), server.accepted()]).toEqual([['/a', '/b', '/c'], 1]);
    await bench.dispose();
  });

  it('calls no address that the operator does not allow, and tells nobody which', async () => {
    await using server = await startLineServer();
    const outbound = createEgress({ lookup: () => Promise.resolve(['127.0.0.1']) });
    const bench = new EmitterBench(
      tcpLog,
      { host: 'inside.test', port: server.port, fail_on_error: true },
      { outbound },
    );
    expect((await bench.send()).response.status).toBe(502);
    // The record is tried again until the instance ends.
    await bench.dispose();
    expect([server.accepted(), bench.count('records_sent'), bench.count('records_dropped')]).toEqual([0, 0, 1]);
    expect(JSON.stringify(bench.warnings)).toContain('cannot be reached');
    expect(JSON.stringify(bench.warnings)).not.toMatch(/127|inside|\d{4}/);
  });

  it('leaves a server alone that says more than it is asked', async () => {
    await using server = await startLineServer();
    const bench = new EmitterBench(tcpLog, { host: '127.0.0.1', port: server.port });
    await bench.send();
    await eventually(() => server.lines().length === 1);
    await bench.dispose();
    await eventually(() => server.open() === 0);
    expect(server.rests()).toEqual([]);
  });

  it.each([
    ['host', {}],
    ['host', { host: '' }],
    ['host', { host: 'a b' }],
    ['host', { host: 'logs.test/path' }],
    ['host', { host: 'http://logs.test' }],
    ['host', { host: 'logs.test\n' }],
    ['host', { host: 'user@logs.test' }],
    ['host', { host: '[::1' }],
    ['host', { host: 'a'.repeat(300) }],
    ['port', { port: 0 }],
    ['port', { port: 65_536 }],
    ['port', { port: '9000' }],
    ['timeout', { timeout: 0 }],
    ['timeout', { timeout: 1e9 }],
    ['include_headers', { include_headers: ['a b'] }],
    ['request_id_header', { request_id_header: 'a\r\nb' }],
  ])('refuses a config with a bad %s: %j', (field, config) => {
    const base = field === 'host' ? { port: 9000 } : { host: 'logs.test', port: 9000 };
    const compiled = tcpLog.plugin.compile({ ...base, ...config });
    expect(compiled).toMatchObject({
      ok: false,
      issues: [{ pointer: expect.stringContaining(`/${field}`) as string }],
    });
  });

  it.each(['logs', 'logs.example.com.', '192.0.2.1', '2001:db8::1', '[2001:db8::1]', 'log_host'])(
    'takes the host %j',
    (host) => expect(tcpLog.plugin.compile({ host, port: 9000 })).toMatchObject({ ok: true }),
  );
});
