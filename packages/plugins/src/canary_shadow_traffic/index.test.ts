import { FakeClock } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { exchangeOf, PluginBench, type TestRequest } from '../testing/plugin-bench.ts';
import { bucketOfText } from './buckets.ts';
import { canaryShadowTraffic } from './index.ts';

const least = { canary_percentage: 50, canary_upstream_url: 'https://canary.test/v2', bucket_by: 'random' };

/** A bench whose draws come from a list: 0.1 is canary at 50 percent, 0.9 is not. */
function benchOf(config: object): PluginBench {
  return new PluginBench(canaryShadowTraffic, { ...least, ...config }, { clock: new FakeClock() });
}

/** Of the path /a. */
const bucketOfA = String(bucketOfText('0:0:4:path/a'));

const all = { canary_percentage: 100 };
const none = { canary_percentage: 0 };

/** `canary` or `primary`. */
async function sideOf(config: object, request: TestRequest = {}): Promise<string> {
  const { result, exchange } = await benchOf(config).request(request);
  expect(result).toBe('continue');
  return exchange.request.destination === undefined ? 'primary' : 'canary';
}

describe('canary_shadow_traffic', () => {
  it('sends canaries to the upstream’s host and path, and the others to their service', async () => {
    const exchange = exchangeOf({ path: '/orders/7', query: 'x=1', strippedLength: 7 });
    await benchOf(all).chain.runRequest(exchange);
    const { destination, path, query } = exchange.request;
    expect([destination?.origin, path, query]).toEqual(['https://canary.test', '/v2/7', 'x=1']);
    const { exchange: other } = await benchOf(none).request({ path: '/orders/7' });
    expect([other.request.destination, other.request.path]).toEqual([undefined, '/orders/7']);
  });

  const always = { canary_header_name: 'X-Canary' };
  const valued = { ...always, canary_header_value: 'yes' };
  it.each<[string, object, readonly string[], string]>([
    ['any value', { ...none, ...always }, ['x-canary', 'always'], 'canary'],
    ['an empty value', { ...none, ...always }, ['x-canary', ''], 'canary'],
    ['never', { ...all, ...always }, ['x-canary', 'never'], 'primary'],
    ['Never', { ...all, ...always }, ['x-canary', 'Never'], 'primary'],
    ['no header, in the bucket', { ...all, ...always }, [], 'canary'],
    ['no header, out of it', { ...none, ...always }, [], 'primary'],
    ['the value', { ...none, ...valued }, ['X-CANARY', 'yes'], 'canary'],
    ['another value, in the bucket', { ...all, ...valued }, ['x-canary', 'no'], 'canary'],
    ['another value, out of it', { ...none, ...valued }, ['x-canary', 'Yes'], 'primary'],
    ['never beside a value', { ...all, ...valued }, ['x-canary', 'never'], 'primary'],
    ['two values', { ...none, ...valued }, ['x-canary', 'yes', 'x-canary', 'no'], 'primary'],
    ['a header that is not asked for', none, ['x-canary', 'always'], 'primary'],
  ])('with %s: %j and %j is %s', async (_name, config, headers, side) => {
    expect(await sideOf(config, { headers })).toBe(side);
  });

  it.each<[string, object, Record<string, string>]>([
    ['nothing by default', all, {}],
    ['canary', { ...all, include_decision_headers: true }, { 'X-Canary-Decision': 'canary' }],
    ['primary', { ...none, decision_headers: true }, { 'X-Canary-Decision': 'primary' }],
    ['canary in a header of its own', { ...all, decision_header_name: 'X-Side' }, { 'X-Side': 'canary' }],
    ['nothing where that is said', { ...all, decision_header_name: 'X-Side', include_decision_headers: false }, {}],
    ['the bucket', { ...none, bucket_by: 'path', bucket_header_output_name: 'X-Bucket' }, { 'X-Bucket': bucketOfA }],
    [
      'both',
      { ...none, bucket_by: 'path', bucket_header_output_name: 'X-Bucket', include_decision_headers: true },
      { 'X-Canary-Decision': 'primary', 'X-Bucket': bucketOfA },
    ],
  ])('tells upstream and client %s', async (_name, config, told) => {
    const { exchange } = await benchOf(config).request({ path: '/a' });
    exchange.setResponse({ status: 200, headers: ['x-bucket', 'the upstream’s'], source: 'upstream' });
    for (const headers of [exchange.request.headers, exchange.response.headers]) {
      expect(Object.fromEntries(Object.keys(told).map((name) => [name, headers.get(name)]))).toEqual(told);
      if (Object.keys(told).length === 0) expect(headers.get('x-canary-decision')).toBeUndefined();
    }
  });

  it('lets no client say what was decided', async () => {
    const config = {
      ...none,
      bucket_by: 'path',
      include_decision_headers: true,
      bucket_header_output_name: 'X-Bucket',
    };
    const claims = ['x-canary-decision', 'canary', 'x-bucket', '1', 'X-Bucket', '2'];
    const { exchange } = await benchOf(config).request({ path: '/a', headers: claims });
    expect(exchange.request.headers.toPairs()).toEqual(['X-Canary-Decision', 'primary', 'X-Bucket', bucketOfA]);
  });

  it('sends as many of the buckets to the canary as the percentage says', async () => {
    const bench = benchOf({ canary_percentage: 12.34, bucket_by: 'header', header_name: 'x-user' });
    let canaries = 0;
    const clients = 20_000;
    for (let client = 0; client < clients; client += 1) {
      const exchange = exchangeOf({ headers: ['x-user', `user-${client}`] });
      // Without a body and a shadow nothing is waited for.
      expect(bench.chain.runRequest(exchange)).toBe('continue');
      if (exchange.request.destination !== undefined) canaries += 1;
    }
    // Five standard deviations of as many draws.
    expect(Math.abs(canaries - clients * 0.1234)).toBeLessThan(5 * Math.sqrt(clients * 0.1234 * 0.8766));
  });
});
