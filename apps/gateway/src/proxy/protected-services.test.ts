import { request as httpRequest } from 'node:http';
import { eventually, freePort, startUpstream } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { everythingTo, startTestGateway } from '../testing/test-gateway.test-support.ts';

const protection = (config: object) => ({ name: 'service_protection', trigger: 'all', config });

describe('a protected service', () => {
  it('has no more requests at once than it may, and gets the next one however the last one ended', async () => {
    const held: (() => void)[] = [];
    await using upstream = await startUpstream((_req, res) => void held.push(() => void res.end('done')));
    const plugins = [protection({ max_concurrent_requests: 1, include_headers: true })];
    await using gateway = await startTestGateway(everythingTo(upstream.url, { plugins }));
    const first = fetch(gateway.url);
    await eventually(() => held.length === 1);
    const refused = await fetch(gateway.url);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(refused.headers.get('x-service-protection-concurrency')).toBe('1');
    held.splice(0).forEach((answer) => answer());
    expect(await (await first).text()).toBe('done');

    // Its client leaves before the answer: the place is free.
    const leaving = httpRequest(gateway.url, { agent: false }).on('error', () => undefined);
    leaving.end();
    await eventually(() => held.length === 1);
    leaving.destroy();
    const status = eventually(async () => {
      const answer = await fetch(gateway.url);
      if (answer.status === 503) throw new Error('the place is still taken');
      return answer.status;
    });
    await eventually(() => held.length === 2);
    held.splice(0).forEach((answer) => answer());
    expect(await status).toBe(200);
  });

  it('is left alone once it cannot be reached, with trigger all', async () => {
    const port = await freePort();
    const plugins = [protection({ failure_threshold: 2, cooldown_seconds: 3600 })];
    await using gateway = await startTestGateway(everythingTo(`http://127.0.0.1:${port}`, { plugins }));
    const codes: unknown[] = [];
    for (let nth = 0; nth < 3; nth += 1) {
      const answer = await fetch(gateway.url);
      codes.push([answer.status, ((await answer.json()) as { code: string }).code]);
    }
    expect(codes).toEqual([
      [502, 'upstream_connect_failed'],
      [502, 'upstream_connect_failed'],
      [503, 'circuit_open'],
    ]);
  });

  it('keeps its circuit when an unrelated part of the configuration changes', async () => {
    await using upstream = await startUpstream((_req, res) => void res.writeHead(500).end());
    const resources = (name: string) =>
      everythingTo(upstream.url, { name, plugins: [protection({ failure_threshold: 1, cooldown_seconds: 3600 })] });
    await using gateway = await startTestGateway(resources('one'));
    expect((await fetch(gateway.url)).status).toBe(500);
    await gateway.publish(resources('two'));
    expect((await fetch(gateway.url)).status).toBe(503);
  });
});
