import { createFetchHandler } from '@portcullis/plugin-runtime/fetch';
import type { InlinePlugin } from '@portcullis/plugin-runtime';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { apiKeyAuth } from '../api_key_auth/index.ts';
import { correlationId } from '../correlation_id/index.ts';
import { sampling } from '../sampling/index.ts';
import { loopback } from '../testing/emitter-bench.ts';
import { startHttpSink, type HttpSink } from '../testing/http-sink.ts';
import { httpLog } from './index.ts';

let sink: HttpSink;
beforeEach(async () => {
  sink = await startHttpSink();
});
afterEach(() => sink.close());

/** The records of requests to a host with these plugins and `http_log`. */
async function recordsOf(
  before: readonly InlinePlugin[],
  upstream: () => Response,
  ...requests: readonly Request[]
): Promise<readonly Record<string, unknown>[]> {
  const handle = createFetchHandler({
    plugins: [apiKeyAuth.plugin, correlationId.plugin, sampling.plugin, httpLog.plugin],
    inline: [...before, { name: 'http_log', trigger: 'all', config: { endpoint: sink.url } }],
    tenantId: 'acme',
    route: { id: 'r1', name: 'orders' },
    outbound: loopback,
    upstream,
  });
  for (const request of requests) await (await handle(request)).text();
  await handle.close();
  return sink.records();
}

const hello = () => new Response('hello');

describe('http_log in a chain of a real host', () => {
  it('tells what the host measured, and whom another plugin found', async () => {
    const auth = { name: 'api_key_auth', config: { valid_keys: [{ key: 'canary', consumer: 'ann' }] } };
    const request = new Request('http://api.test/orders?q=canary', { headers: { 'X-API-Key': 'canary' } });
    const [record, ...more] = await recordsOf([auth], hello, request);
    expect(more).toEqual([]);
    expect(record).toMatchObject({
      tenant_id: 'acme',
      route: { id: 'r1', name: 'orders' },
      method: 'GET',
      path: '/orders',
      query: 'q=***',
      status: 200,
      status_source: 'upstream',
      complete: true,
      response_bytes: 5,
      latency_ms: expect.any(Number) as unknown,
    });
    expect(JSON.stringify(record)).not.toContain('canary');
  });

  it('tells of a request that another plugin refused before, and of one whose service failed', async () => {
    const auth = { name: 'api_key_auth', config: { valid_keys: ['k'] } };
    const fails = () => {
      throw new Error('canary');
    };
    const known = new Request('http://api.test/', { headers: { 'X-API-Key': 'k' } });
    const records = await recordsOf([auth], fails, new Request('http://api.test/'), known);
    expect(records).toMatchObject([
      { status: 401, status_source: 'plugin', failure: null },
      { status_source: 'gateway', failure: { code: expect.any(String) as unknown } },
    ]);
    expect(JSON.stringify(records)).not.toContain('canary');
  });

  it('has the ID that correlation_id gave, whatever header it travels in', async () => {
    const ids = { name: 'correlation_id', config: { header_name: 'X-Trace' } };
    const request = new Request('http://api.test/', { headers: { 'X-Trace': 'mine' } });
    expect(await recordsOf([ids], hello, request)).toMatchObject([{ correlation_id: 'mine' }]);
  });

  it.each([
    [0, 0],
    [1, 3],
  ])('heeds sampling at rate %d, also where that runs after it', async (rate, records) => {
    const requests = [1, 2, 3].map(() => new Request('http://api.test/'));
    const decides = { name: 'sampling', priority: -1, config: { rate } };
    expect(await recordsOf([decides], hello, ...requests)).toHaveLength(records);
  });
});
