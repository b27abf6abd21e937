import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { familyNamed, writeSchema } from '../index.ts';

const upstreams = familyNamed('upstreams');
const schema = writeSchema(upstreams);

const placesOf = (fields: object): unknown[] =>
  (v.safeParse(schema, { name: 'u', ...fields }).issues ?? []).map((issue) => v.getDotPath(issue));

/** Pointers and codes of the rules over the whole record. */
function broken(fields: object): unknown[] {
  const record = v.parse(schema, { name: 'u', ...fields });
  return (upstreams.rules ?? []).flatMap((rule) => rule(record)).map(({ pointer, code }) => [pointer, code]);
}

describe('upstreams', () => {
  it('balance by turns and check nothing unless they are told to', () => {
    const record = v.parse(schema, { name: 'u' });
    expect(record).toEqual({
      name: 'u',
      labels: {},
      algorithm: 'round-robin',
      hash_on: 'none',
      hash_fallback: 'none',
      hash_on_cookie_path: '/',
      slots: 10_000,
      protocol: 'http',
    });
  });

  it.each(['round-robin', 'least-connections', 'consistent-hashing', 'latency'])(
    'take the algorithm %s',
    (algorithm) => {
      expect(placesOf({ algorithm })).toEqual([]);
    },
  );

  it.each([
    ['slots', 10, 65_536],
    ['healthchecks.threshold', 0, 100],
    ['healthchecks.active.timeout', 0, 65_535],
    ['healthchecks.active.concurrency', 1, 65_535],
    ['healthchecks.active.healthy.interval', 0, 65_535],
    ['healthchecks.active.healthy.successes', 0, 255],
    ['healthchecks.active.unhealthy.interval', 0, 65_535],
    ['healthchecks.active.unhealthy.tcp_failures', 0, 255],
    ['healthchecks.active.unhealthy.timeouts', 0, 255],
    ['healthchecks.active.unhealthy.http_failures', 0, 255],
    ['healthchecks.passive.healthy.successes', 0, 255],
    ['healthchecks.passive.unhealthy.tcp_failures', 0, 255],
    ['healthchecks.passive.unhealthy.timeouts', 0, 255],
    ['healthchecks.passive.unhealthy.http_failures', 0, 255],
  ])('bound %s at %d and %d', (path, minimum, maximum) => {
    expect([placesOf(nested(path, minimum)), placesOf(nested(path, maximum))]).toEqual([[], []]);
    expect([placesOf(nested(path, minimum - 1)), placesOf(nested(path, maximum + 1))]).toEqual([[path], [path]]);
  });

  it.each(['healthchecks.active.healthy.interval', 'healthchecks.active.unhealthy.interval'])(
    'keep probes a tenth of a second apart (%s)',
    (path) => {
      expect([placesOf(nested(path, 0.1)), placesOf(nested(path, 0.09))]).toEqual([[], [path]]);
    },
  );

  it('refuse what is no algorithm, no input, no path and no unknown field, wherever it stands', () => {
    const wrong = {
      algorithm: 'random',
      hash_on: 'body',
      hash_on_header: 'a b',
      hash_on_cookie_path: '/a;b',
      hash_on_uri_capture: 'a-b',
      healthchecks: {
        active: { http_path: 'x', healthy: { http_statuses: [99] }, surprise: 1 },
        passive: { timeout: 1 },
      },
    };
    expect(placesOf(wrong)).toEqual([
      'algorithm',
      'hash_on',
      'hash_on_header',
      'hash_on_cookie_path',
      'hash_on_uri_capture',
      'healthchecks.active.http_path',
      'healthchecks.active.healthy.http_statuses.0',
      'healthchecks.active.surprise',
      'healthchecks.passive.timeout',
    ]);
  });
});

describe('what is hashed', () => {
  it.each([
    ['hash_on', 'header', 'hash_on_header'],
    ['hash_on', 'query_arg', 'hash_on_query_arg'],
    ['hash_on', 'uri_capture', 'hash_on_uri_capture'],
    ['hash_on', 'cookie', 'hash_on_cookie'],
    ['hash_fallback', 'header', 'hash_fallback_header'],
    ['hash_fallback', 'query_arg', 'hash_fallback_query_arg'],
    ['hash_fallback', 'uri_capture', 'hash_fallback_uri_capture'],
    ['hash_fallback', 'cookie', 'hash_on_cookie'],
  ])('%s %s requires %s', (field, value, required) => {
    const base = { hash_on: 'ip', [field]: value };
    expect(broken(base)).toEqual([[`/${required}`, 'required']]);
    expect(broken({ ...base, [required]: 'x' })).toEqual([]);
  });

  it.each([
    [{ hash_on: 'none', hash_fallback: 'ip' }],
    [{ hash_on: 'cookie', hash_on_cookie: 'c', hash_fallback: 'ip' }],
    [{ hash_on: 'ip', hash_fallback: 'ip' }],
    [{ hash_on: 'path', hash_fallback: 'path' }],
  ])('%j has a fallback that never applies', (fields) => {
    expect(broken(fields)).toEqual([['/hash_fallback', 'contradiction']]);
  });

  it('may fall back to another of the same kind, not to the same one', () => {
    const base = { hash_on: 'header', hash_fallback: 'header', hash_on_header: 'X-A' };
    expect(broken({ ...base, hash_fallback_header: 'x-b' })).toEqual([]);
    expect(broken({ ...base, hash_fallback_header: 'x-a' })).toEqual([['/hash_fallback_header', 'contradiction']]);
  });
});

describe('health checks', () => {
  const healthchecksOf = (healthchecks: object): unknown =>
    v.parse(schema, { name: 'u', healthchecks })['healthchecks'];

  it('that are not given are none, and each block that is there is live', () => {
    expect(healthchecksOf({})).toEqual({ threshold: 0 });
    expect(healthchecksOf({ active: {} })).toEqual({
      threshold: 0,
      active: {
        type: 'http',
        timeout: 1,
        concurrency: 10,
        http_path: '/',
        https_verify_certificate: true,
        headers: {},
        healthy: { interval: 1, http_statuses: [200, 302], successes: 2 },
        unhealthy: {
          interval: 1,
          http_statuses: [429, 404, 500, 501, 502, 503, 504, 505],
          tcp_failures: 2,
          timeouts: 3,
          http_failures: 5,
        },
      },
    });
    expect(healthchecksOf({ passive: { unhealthy: { http_failures: 1 } } })).toMatchObject({
      passive: {
        type: 'http',
        healthy: { successes: 2 },
        unhealthy: { http_statuses: [429, 500, 503], tcp_failures: 2, timeouts: 3, http_failures: 1 },
      },
    });
  });

  it('bound the number of statuses and refuse one that is given twice', () => {
    const statuses = (http_statuses: number[]): unknown[] =>
      placesOf({ healthchecks: { active: { healthy: { http_statuses } } } });
    const many = Array.from({ length: 33 }, (_, index) => 200 + index);
    expect([statuses([100]), statuses([999]), statuses(many.slice(1))]).toEqual([[], [], []]);
    const place = 'healthchecks.active.healthy.http_statuses';
    expect([statuses(many), statuses([200, 200])]).toEqual([[place], [place]]);
    expect([statuses([99]), statuses([1000]), statuses([200.5])]).toEqual([
      [`${place}.0`],
      [`${place}.0`],
      [`${place}.0`],
    ]);
  });

  it('refuse header fields that would forge others', () => {
    const headers = (value: object): unknown[] => placesOf({ healthchecks: { active: { headers: value } } });
    expect(headers({ 'X-Probe': ['a', 'b'] })).toEqual([]);
    expect(headers({ 'X-Probe': ['a\r\nX-Evil: b'] })).toEqual(['healthchecks.active.headers.X-Probe.0']);
    expect(headers({ 'X Probe': ['a'] })).toHaveLength(1);
    expect(headers({ 'X-Probe': [] })).toHaveLength(1);
  });
});

/** `{a: {b: value}}` for `a.b`. */
function nested(path: string, value: unknown): object {
  const keys = path.split('.');
  return keys.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as object;
}
