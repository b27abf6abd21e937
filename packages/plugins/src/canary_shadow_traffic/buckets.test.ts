import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { exchangeOf, type TestRequest } from '../testing/plugin-bench.ts';
import { BUCKETS, bucketOfText, canaryBuckets, compileBucket } from './buckets.ts';
import { config as schema, type Config } from './config.ts';
import * as v from 'valibot';

const random = (): number => {
  throw new Error('nothing is left to chance');
};

function configOf(more: object = {}): Config {
  return v.parse(schema, { canary_percentage: 10, canary_upstream_url: 'https://canary.test', ...more });
}

function bucketOf(more: object, request: TestRequest & { consumer?: string } = {}): number {
  const exchange = exchangeOf(request);
  const { consumer } = request;
  if (consumer !== undefined)
    exchange.applyRequestEdits({ consumer: { id: consumer, groups: [], credentialId: `of ${consumer}` } });
  return compileBucket(configOf(more), random)(exchange);
}

/** Clients as they come: numbers, mail addresses, UUID-like texts, addresses. */
const forms: readonly ((index: number) => string)[] = [
  (index) => `${index}`,
  (index) => `user-${index}@example.com`,
  (index) => createHash('md5').update(`${index}`).digest('hex'),
  (index) => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`,
];

const keys = 100_000;

describe('buckets', () => {
  it.each(forms)('are filled evenly by whatever clients are called (%#)', (form) => {
    const counts = new Uint32Array(BUCKETS);
    for (let index = 0; index < keys; index += 1) {
      const bucket = bucketOfText(form(index));
      counts[bucket] = (counts[bucket] ?? 0) + 1;
    }
    // Of keys drawn at random: 10 in a bucket, and 1,000 in each hundred of buckets, off by less than five standard deviations.
    const mean = keys / BUCKETS;
    const chiSquared = counts.reduce((sum, count) => sum + (count - mean) ** 2 / mean, 0);
    expect(Math.abs(chiSquared - BUCKETS) / Math.sqrt(2 * BUCKETS)).toBeLessThan(5);
    for (let first = 0; first < BUCKETS; first += 100) {
      const inHundred = counts.subarray(first, first + 100).reduce((sum, count) => sum + count, 0);
      expect(Math.abs(inHundred - keys / 100)).toBeLessThan(5 * Math.sqrt(keys / 100));
    }
  });

  it.each([
    [0, 0],
    [0.01, 1],
    [0.29, 29],
    [5, 500],
    [33.33, 3333],
    [99.99, 9999],
    [100, 10_000],
  ])('of %d percent, %d are canary: exactly as many of all buckets', (percentage, count) => {
    expect(canaryBuckets(percentage)).toBe(count);
  });

  it('let nobody out when the percentage grows, and stay as they are over restarts and machines', () => {
    let before = new Set<string>();
    for (const percentage of [0, 0.01, 0.5, 1, 5, 25, 50, 99.99, 100]) {
      const limit = canaryBuckets(percentage);
      const now = new Set(
        Array.from({ length: 5000 }, (_one, index) => `c${index}`).filter((key) => bucketOfText(key) < limit),
      );
      expect([...before].filter((key) => !now.has(key))).toEqual([]);
      before = now;
    }
    expect(before.size).toBe(5000);
    // Written down: a release that changes it would move every client.
    const text = '0:0:8:consumeracme';
    expect(bucketOf({}, { consumer: 'acme' })).toBe(bucketOfText(text));
    expect(bucketOfText(text)).toBe(createHash('sha256').update(text).digest().readUInt32BE(0) % BUCKETS);
    expect(bucketOfText('acme')).toBe(9357);
  });

  it('of two canaries are independent where salt or seed differ, and the same where they do not', () => {
    const chosen = (more: object): string =>
      Array.from({ length: 500 }, (_one, index) => (bucketOf(more, { consumer: `c${index}` }) < 5000 ? '1' : '0')).join(
        '',
      );
    const all = [
      {},
      { bucket_salt: 'a' },
      { bucket_salt: 'b' },
      { seed: 1 },
      { seed: 2 },
      { seed: 'release-7' },
      { bucket_salt: 'a', seed: 1 },
    ].map(chosen);
    expect(new Set(all).size).toBe(all.length);
    expect(chosen({ bucket_salt: 'a' })).toBe(all[1]);
    expect(chosen({ seed: '2' })).toBe(all[4]);
    const [one = '', other = ''] = all;
    const both = Array.from(one).filter((bit, index) => bit === '1' && other[index] === '1').length;
    // A quarter of 500 are in both halves; five standard deviations are 48.
    expect(Math.abs(both - 125)).toBeLessThan(48);
  });

  it.each<[string, object, TestRequest & { consumer?: string }, TestRequest & { consumer?: string }]>([
    ['consumer', {}, { consumer: 'a', clientIp: '192.0.2.1' }, { consumer: 'a', clientIp: '192.0.2.9', path: '/x' }],
    ['credential', { bucket_by: 'credential' }, { consumer: 'a' }, { consumer: 'a', clientIp: '192.0.2.9' }],
    ['ip', { bucket_by: 'ip' }, { consumer: 'a' }, { consumer: 'b', path: '/x' }],
    ['network', { bucket_by: 'ip' }, { clientIp: '2001:db8::1' }, { clientIp: '2001:db8::ffff:2' }],
    [
      'header',
      { bucket_by: 'header', bucket_header_name: 'X-User' },
      { headers: ['x-user', 'u'] },
      { headers: ['X-USER', 'u'], clientIp: '192.0.2.9' },
    ],
    [
      'header by its other name',
      { bucket_key_source: 'header', header_name: 'X-User' },
      { headers: ['x-user', 'u'] },
      { headers: ['x-user', 'u'], path: '/x' },
    ],
    [
      'header where one is named and nothing else is',
      { bucket_header_name: 'X-User' },
      { headers: ['x-user', 'u'], consumer: 'a' },
      { headers: ['x-user', 'u'], consumer: 'b', clientIp: '192.0.2.9' },
    ],
    ['path', { bucket_by: 'path' }, { path: '/a', clientIp: '192.0.2.1' }, { path: '/a', clientIp: '192.0.2.9' }],
    [
      'request',
      { bucket_by: 'request_id' },
      { facts: { requestId: 'r7' } },
      { facts: { requestId: 'r7' }, path: '/x' },
    ],
    ['address of who has no consumer', {}, { clientIp: '192.0.2.1' }, { clientIp: '192.0.2.1', path: '/x' }],
    ['address of who sends no header', { bucket_by: 'header', header_name: 'X-User' }, {}, { headers: ['x-user', ''] }],
  ])('are of the %s', (_name, config, one, same) => {
    expect(bucketOf(config, one)).toBe(bucketOf(config, same));
  });

  it('of an address and of a consumer of that name differ: no client can choose another one’s bucket', () => {
    const buckets = [
      bucketOf({ bucket_by: 'ip' }, { clientIp: '192.0.2.1' }),
      bucketOf({}, { consumer: '192.0.2.1' }),
      bucketOf({ bucket_by: 'header', header_name: 'x' }, { headers: ['x', '192.0.2.1'] }),
      bucketOf({ bucket_by: 'path' }, { path: '/192.0.2.1' }),
    ];
    expect(new Set(buckets).size).toBe(4);
  });

  it('are drawn for each request with bucket_by random', () => {
    const drawn = [0, 0.5, 0.99999];
    const draw = compileBucket(configOf({ bucket_by: 'random' }), () => drawn.shift() ?? 0);
    expect([1, 2, 3].map(() => draw(exchangeOf({})))).toEqual([0, 5000, 9999]);
  });
});
