import { createHash } from 'node:crypto';
import { eventually, startUpstream } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import type { Resources } from '../testing/fake-control-plane.test-support.ts';
import { everythingTo, startTestGateway } from '../testing/test-gateway.test-support.ts';

const keyOf = (name: string): string => `key-of-${name}-0123456789`;
const credential = (name: string, parts: Record<string, unknown> = {}): Record<string, unknown> => ({
  id: `credential-${name}`,
  consumer_id: name,
  type: 'api_key',
  name,
  key_hash: createHash('sha256').update(keyOf(name)).digest('hex'),
  enabled: true,
  ...parts,
});

/** A route that wants a key, and consumers of every kind. */
function guarded(url: string): Resources {
  const apiKeys = { name: 'api_key_auth', priority: 1000, config: { header_name: 'X-API-Key', valid_keys: [] } };
  return {
    ...everythingTo(url, { plugins: [apiKeys] }),
    consumers: [
      { id: 'jo', username: 'jo', groups: ['gold', 'beta'] },
      { id: 'zoë', username: 'Zoë ✓', groups: [] },
      { id: 'off', username: 'off', groups: [], enabled: false },
      { id: 'foreign', username: 'foreign', groups: [], gateway_id: 'another' },
      { id: 'ours', username: 'ours', groups: ['a, b', '50%', 'two words', 'ü', ' edge'], gateway_id: 'gateway-1' },
      { id: 'revoked', username: 'revoked', groups: [] },
      { id: 'expired', username: 'expired', groups: [] },
    ],
    consumer_credentials: [
      ...['jo', 'zoë', 'off', 'foreign', 'ours'].map((name) => credential(name)),
      credential('revoked', { enabled: false }),
      credential('expired', { expires_at: '2020-01-01T00:00:00.000Z' }),
    ],
  };
}

describe('plugins in the proxy', () => {
  it('let in exactly the consumers of this gateway whose credential is good', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startTestGateway(guarded(upstream.url));
    const statusOf = async (name: string): Promise<number> =>
      (await fetch(gateway.url, { headers: { 'x-api-key': Buffer.from(keyOf(name)).toString('latin1') } })).status;
    const names = ['jo', 'ours', 'off', 'foreign', 'revoked', 'expired', 'nobody'];
    const statuses = await Promise.all(names.map(statusOf));
    expect(Object.fromEntries(names.map((name, index) => [name, statuses[index]]))).toEqual({
      ...{ jo: 200, ours: 200, off: 401, foreign: 401, revoked: 401, expired: 401, nobody: 401 },
    });
    expect((await fetch(gateway.url)).status).toBe(401);
    expect(upstream.requests).toHaveLength(2);
  });

  it('tell the upstream who the consumer is, and the records too', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startTestGateway(guarded(upstream.url));
    await (await fetch(gateway.url, { headers: { 'x-api-key': keyOf('jo'), 'x-consumer-id': 'root' } })).text();
    expect(upstream.requests[0]?.headers).toMatchObject({
      'x-consumer-id': 'jo',
      'x-consumer-username': 'jo',
      'x-consumer-groups': 'gold, beta',
      'x-credential-identifier': 'credential-jo',
    });
    const record = await eventually(() => gateway.controlPlane.batches.flatMap(({ records }) => records)[0]);
    expect(record).toMatchObject({ consumer_id: 'jo', status_source: 'upstream' });
    expect(record.plugins).toMatchObject([{ name: 'api_key_auth', stage: 'request', outcome: 'continue' }]);
  });

  it('tell the names of groups apart, whatever is in them', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startTestGateway(guarded(upstream.url));
    await fetch(gateway.url, { headers: { 'x-api-key': keyOf('ours') } });
    const groups = String(upstream.requests[0]?.headers['x-consumer-groups']);
    expect(groups).toBe('a%2C%20b, 50%25, two words, %C3%BC, %20edge');
  });

  it('answer in place of the upstream, and response plugins see that answer', async () => {
    await using gateway = await startTestGateway({
      routes: [
        {
          id: 'r',
          name: 'r',
          plugins: [
            {
              name: 'request_termination',
              config: { header_equals: { 'x-stop': '1' }, status_code: 410, message: 'gone' },
            },
            { name: 'response_header_setter', config: { set: { 'x-by': 'gateway' } } },
          ],
        },
      ],
    });
    const answer = await fetch(gateway.url, { method: 'POST', body: 'never read', headers: { 'x-stop': '1' } });
    expect([answer.status, answer.headers.get('x-by')]).toEqual([410, 'gateway']);
    expect(await answer.text()).toContain('gone');
    const record = await eventually(() => gateway.controlPlane.batches.flatMap(({ records }) => records)[0]);
    expect(record).toMatchObject({ status: 410, status_source: 'plugin', route_id: 'r' });
  });

  it('change what the client gets while the body streams through', async () => {
    await using upstream = await startUpstream((_req, res) => {
      res.writeHead(200, { server: 'secret', 'x-old': '1' });
      res.write('a');
      res.end('b');
    });
    const setter = { name: 'response_header_setter', config: { set: { 'x-new': '2' }, remove: ['server', 'x-old'] } };
    await using gateway = await startTestGateway(everythingTo(upstream.url, { plugins: [setter] }));
    const answer = await fetch(gateway.url);
    expect(['server', 'x-old', 'x-new'].map((name) => answer.headers.get(name))).toEqual([null, null, '2']);
    expect(await answer.text()).toBe('ab');
  });

  it('keep their counts when an unrelated part of the configuration changes', async () => {
    await using upstream = await startUpstream();
    const limiter = { id: 'limit', name: 'rate_limiter', config: { limit: 2, window_seconds: 3600, limit_by: 'ip' } };
    const resources = { ...everythingTo(upstream.url), plugins: [{ scope: 'tenant', ...limiter }] };
    await using gateway = await startTestGateway(resources);
    const statuses = [(await fetch(gateway.url)).status, (await fetch(gateway.url)).status];
    await gateway.publish({ ...resources, ...everythingTo(upstream.url, { name: 'renamed' }) });
    statuses.push((await fetch(gateway.url)).status);
    expect(statuses).toEqual([200, 200, 429]);
  });
});
