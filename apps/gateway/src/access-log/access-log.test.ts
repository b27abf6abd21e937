import { readFile, rename } from 'node:fs/promises';
import { eventually, temporaryFolder } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import type { FinishedRequest } from '../observations/observer.ts';
import { accessLine } from './access-line.ts';
import { AccessLog, accessLogLimits } from './access-log.ts';

const request = (path: string, more: Partial<FinishedRequest> = {}): FinishedRequest => ({
  figures: {
    occurredAtMs: Date.UTC(2026, 0, 2, 3, 4, 5, 6),
    routeId: 'r',
    serviceId: 's',
    method: 'GET',
    status: 200,
    statusSource: 'upstream',
    latencyUs: 1500,
    upstreamLatencyUs: 1000,
    requestBytes: 1,
    responseBytes: 2,
  },
  requestId: 'id',
  consumerId: undefined,
  path,
  pathTemplate: '/a',
  clientIp: '10.0.0.1',
  plugins: [],
  ai: undefined,
  ...more,
});

describe('a line of the access log', () => {
  it('has the fields of an observation record', () => {
    expect(JSON.parse(accessLine('g', request('/a/b')))).toEqual({
      occurred_at: '2026-01-02T03:04:05.006Z',
      gateway_id: 'g',
      id: 'id',
      request_id: 'id',
      route_id: 'r',
      service_id: 's',
      method: 'GET',
      path: '/a/b',
      path_template: '/a',
      status: 200,
      status_source: 'upstream',
      latency_ms: 1.5,
      upstream_latency_ms: 1,
      gateway_latency_ms: 0.5,
      request_bytes: 1,
      response_bytes: 2,
      client_ip: '10.0.0.1',
    });
  });

  it('says why an answer is not whole: its status is that of a good one', () => {
    expect(JSON.parse(accessLine('g', request('/', { failure: 'upstream_reset' })))).toMatchObject({
      status: 200,
      failure: 'upstream_reset',
    });
  });

  it('is one line of plain characters whatever is in its fields, and not long', () => {
    const controls = Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code)).join('');
    const path = `/${controls}\u2028\u2029\ud800"\\${'x'.repeat(100_000)}`;
    const line = accessLine('g', request(path));
    // oxlint-disable-next-line no-control-regex -- these are what must not be there
    expect(line.slice(0, -1)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800]/);
    expect(line.endsWith('}\n')).toBe(true);
    expect(line.length).toBeLessThan(16_384);
    expect((JSON.parse(line) as { path: string }).path).toBe(path.slice(0, 2048));
  });
});

describe('the access log', () => {
  it('writes every line in order, and goes on in a new file when the old one was moved away', async () => {
    await using folder = await temporaryFolder();
    const path = folder.join('access.log');
    const log = await AccessLog.open(path);
    const lines = Array.from({ length: 5000 }, (_, index) => `${index}\n`);
    for (const line of lines) log.push(line);
    await eventually(async () => (await readFile(path, 'utf8')) === lines.join(''));
    await rename(path, folder.join('access.log.1'));
    await log.reopen();
    log.push('after\n');
    await log.close();
    expect(await readFile(path, 'utf8')).toBe('after\n');
    expect(await readFile(folder.join('access.log.1'), 'utf8')).toBe(lines.join(''));
    expect([log.dropped, log.failure]).toEqual([0, '']);
  });

  it('drops and counts what does not fit into its buffer', async () => {
    await using folder = await temporaryFolder();
    const log = await AccessLog.open(folder.join('access.log'));
    const line = `${'x'.repeat(1023)}\n`;
    const room = accessLogLimits.waitingBytesMax / line.length;
    for (let at = 0; at < room + 3; at += 1) log.push(line);
    expect(log.dropped).toBe(3);
    await log.close();
    expect((await readFile(folder.join('access.log'))).length).toBe(accessLogLimits.waitingBytesMax);
  });

  it('counts what a full disk does not take, and says why', async () => {
    const log = await AccessLog.open('/dev/full');
    log.push('lost\n');
    await log.close();
    expect([log.dropped, log.failure]).toEqual([1, 'ENOSPC']);
  });
});
