import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
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

  it.each([
    ['does not count bodies that it refuses by closing the connection', 'POST', 5000, 200],
    ['does not count them when they are still on their way', 'POST', 5_000_000, 200],
    ['counts connections that it closes on requests without one', 'GET', 0, 503],
  ])('%s', async (_name, method, length, after) => {
    const stream = (req: IncomingMessage, res: ServerResponse): void => {
      let bytes = 0;
      if (req.url === '/closes') req.destroy();
      req.on('data', (chunk: Buffer) => (bytes += chunk.length) > 1000 && req.destroy());
      req.on('end', () => res.end('ok')).on('error', () => undefined);
    };
    await using upstream = await startUpstream({ stream });
    const plugins = [protection({ failure_threshold: 3, cooldown_seconds: 3600 })];
    await using gateway = await startTestGateway(everythingTo(upstream.url, { plugins }));
    const codes: unknown[] = [];
    for (let nth = 0; nth < 3; nth += 1) {
      const body = length === 0 ? null : Buffer.alloc(length, 'x');
      const answer = await fetch(`${gateway.url}/${length === 0 ? 'closes' : ''}`, { method, body });
      codes.push(((await answer.json()) as { code: string }).code);
    }
    expect(codes).toEqual(['upstream_reset', 'upstream_reset', 'upstream_reset']);
    expect((await fetch(gateway.url)).status).toBe(after);
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
