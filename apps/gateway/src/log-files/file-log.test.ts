import { readFile } from 'node:fs/promises';
import { eventually, startUpstream, temporaryFolder } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { everythingTo, startTestGateway } from '../testing/test-gateway.test-support.ts';

const fileLog = (config: object) => [{ id: 'log-1', name: 'file_log', trigger: 'both', config }];

/** Value of a metric of the gateway's status port. */
async function metric(statusUrl: string, name: string): Promise<string | undefined> {
  const text = await (await fetch(`${statusUrl}/metrics`)).text();
  return text.split('\n').find((line) => line.startsWith(`${name}{`));
}

describe('file_log on a gateway', () => {
  it('writes below the log folder of the gateway, shows what it counts, and ends with its last lines', async () => {
    await using upstream = await startUpstream((_req, res) => void res.writeHead(201).end('made'));
    const resources = { ...everythingTo(upstream.url), plugins: fileLog({ path: 'app/requests.log' }) };
    await using folder = await temporaryFolder();
    await using gateway = await startTestGateway(resources, { PORTCULLIS_LOG_DIR: folder.path });
    await fetch(`${gateway.url}/a`, { method: 'POST', body: 'four' });
    const sent = await eventually(async () => {
      const line = await metric(gateway.statusUrl, 'gateway_plugin_records_sent_total');
      return line?.endsWith(' 1') === true ? line : undefined;
    });
    expect(sent).toMatch(/^gateway_plugin_records_sent_total\{plugin="file_log",instance="log-1"\} 1$/);
    await fetch(`${gateway.url}/b`);
    await gateway.stop();
    const text = await readFile(folder.join('acme', 'app', 'requests.log'), 'utf8');
    const records = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(records).toMatchObject([
      { path: '/a', status: 201, request_bytes: 4, response_bytes: 4, tenant_id: 'acme', complete: true },
      { path: '/b', status: 201, request_bytes: 0 },
    ]);
    expect(records[0]?.['upstream_latency_ms']).toBeGreaterThan(0);
  });

  it('says whose fault an answer is that is not whole', async () => {
    await using upstream = await startUpstream({
      stream: (req, res) => res.write('begun', () => req.url === '/broken' && res.destroy()),
    });
    const resources = { ...everythingTo(upstream.url), plugins: fileLog({ path: 'x.log' }) };
    await using folder = await temporaryFolder();
    await using gateway = await startTestGateway(resources, { PORTCULLIS_LOG_DIR: folder.path });
    await expect((await fetch(`${gateway.url}/broken`)).text()).rejects.toThrow('terminated');
    const client = new AbortController();
    await fetch(`${gateway.url}/left`, { signal: client.signal });
    client.abort();
    const lines = await eventually(async () => {
      const text = await readFile(folder.join('acme', 'x.log'), 'utf8').catch(() => '');
      return text.split('\n').length === 3 ? text.trimEnd().split('\n') : undefined;
    });
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { path: '/broken', status: 200, complete: false, failure: { code: 'upstream_reset' } },
      { path: '/left', status: 200, complete: false, failure: { code: 'client_left' } },
    ]);
  });

  it('writes nothing where the operator gave no folder, and answers all the same', async () => {
    await using upstream = await startUpstream((_req, res) => void res.end('hello'));
    const resources = { ...everythingTo(upstream.url), plugins: fileLog({ path: 'x.log' }) };
    await using gateway = await startTestGateway(resources);
    expect((await fetch(gateway.url)).status).toBe(200);
    const failed = await eventually(async () => {
      const line = await metric(gateway.statusUrl, 'gateway_plugin_records_failed_total');
      return line?.endsWith(' 1') === true ? line : undefined;
    });
    expect(failed).toContain('instance="log-1"');
  });
});
