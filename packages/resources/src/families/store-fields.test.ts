import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { familyNamed, vaultConfigSchema, writeSchema } from '../index.ts';

describe('configs of vaults', () => {
  const takes = (driver: string, config: object): boolean => {
    const schema = vaultConfigSchema(driver);
    return schema !== undefined && v.is(schema, config);
  };
  const server = { address: 'https://vault.test:8200', token: 't' };

  it.each([
    ['env', {}],
    ['env', { prefix: 'ACME_' }],
    ['file', {}],
    ['file', { directory: 'a' }],
    ['file', { directory: 'a/b-c/d.e' }],
    ['hashicorp', server],
    ['hashicorp', { ...server, address: 'http://10.0.0.1:8200/base' }],
    ['hashicorp', { ...server, mount: 'kv/team', kv_version: 1, namespace: 'a/b', ttl_seconds: 0 }],
    ['hashicorp', { ...server, ttl_seconds: 86_400 }],
  ])('%s takes %j', (driver, config) => {
    expect(takes(driver, config)).toBe(true);
  });

  it.each([
    ['env', { prefix: 'A-B' }],
    ['env', { prefix: '' }],
    ['env', { address: 'https://a.test' }],
    ...['..', '../a', 'a/../b', '/a', 'a/', '', 'a//b', './a', 'a\\..\\b', 'a\u0000', '...', 'a/ b', 'C:/a'].map(
      (directory) => ['file', { directory }] as const,
    ),
    ['hashicorp', {}],
    ['hashicorp', { address: server.address }],
    ['hashicorp', { ...server, token: '' }],
    ['hashicorp', { ...server, token: 'with space' }],
    ...[
      'vault.test',
      'ftp://vault.test',
      'https://user:word@vault.test',
      'https://user@vault.test',
      'https://vault.test?x=1',
      'https://vault.test#x',
      'https:\\\\vault.test',
      'file:///etc/passwd',
      `https://vault.test/${'a'.repeat(2048)}`,
    ].map((address) => ['hashicorp', { ...server, address }] as const),
    ['hashicorp', { ...server, mount: '../sys' }],
    ['hashicorp', { ...server, kv_version: 3 }],
    ['hashicorp', { ...server, ttl_seconds: -1 }],
    ['hashicorp', { ...server, ttl_seconds: 86_401 }],
    ['hashicorp', { ...server, prefix: 'A' }],
  ] as const)('%s refuses %j', (driver, config) => {
    expect(takes(driver, config)).toBe(false);
  });

  it('a driver that is none has no config', () => {
    for (const driver of ['constructor', 'aws', undefined, 1]) expect(vaultConfigSchema(driver)).toBeUndefined();
  });

  it.each(['a', 'aws-prod', 'a1', 'a'.repeat(63)])('%s is a prefix', (prefix) => {
    expect(v.is(writeSchema(familyNamed('vaults')), { prefix, driver: 'env' })).toBe(true);
  });

  it.each(['', 'A', '1a', 'a_b', 'a/b', 'a-', '-a', 'a'.repeat(64)])('%j is no prefix', (prefix) => {
    expect(v.is(writeSchema(familyNamed('vaults')), { prefix, driver: 'env' })).toBe(false);
  });
});

describe('cache stores', () => {
  const family = familyNamed('cache-store-configs');
  const placesOf = (fields: object): unknown[] => {
    const result = v.safeParse(writeSchema(family), { name: 's', ...fields });
    if (!result.success) return result.issues.map((issue) => `/${String(v.getDotPath(issue))}`);
    return (family.rules ?? []).flatMap((rule) => rule(result.output)).map(({ pointer }) => pointer);
  };

  it.each([
    'redis://cache.test',
    'redis://cache.test:6379',
    'rediss://cache.test:6380/15',
    'redis://10.0.0.1/0',
    'redis://[::1]:6379',
  ])('%s is an address', (url) => {
    expect(placesOf({ driver: 'redis', url })).toEqual([]);
  });

  it.each([
    'cache.test:6379',
    'http://cache.test',
    'redis://',
    'redis://user:word@cache.test',
    'redis://:word@cache.test',
    'redis://cache.test:70000',
    'redis://cache.test/x',
    'redis://cache.test?db=1',
    'redis://cache.test/0#x',
    'redis://a b',
    `redis://${'a'.repeat(2050)}`,
  ])('%j is none', (url) => {
    expect(placesOf({ driver: 'redis', url })).toEqual(['/url']);
  });

  it('redis needs an address; memory refuses one, and an account', () => {
    expect(placesOf({ driver: 'redis' })).toEqual(['/url']);
    expect(placesOf({ driver: 'memory' })).toEqual([]);
    const account = { url: 'redis://cache.test', username: 'u', password: 'p' };
    expect(placesOf({ driver: 'memory', ...account })).toEqual(['/url', '/username', '/password']);
  });

  it('bounds the seconds of an entry at both ends', () => {
    for (const ttl_seconds of [1, 2_592_000]) expect(placesOf({ driver: 'memory', ttl_seconds })).toEqual([]);
    for (const ttl_seconds of [0, 2_592_001, 1.5]) {
      expect(placesOf({ driver: 'memory', ttl_seconds })).toEqual(['/ttl_seconds']);
    }
  });
});
