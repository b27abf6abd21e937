import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { familyNamed, isHostPattern, parseServiceUrl, parseTargetName, writeSchema } from './index.ts';

describe('hosts of routes', () => {
  it.each(['example.test', '*.example.test', 'example.*', 'a', '10.0.0.1', 'a-b.c_d.test'])('%s is one', (host) => {
    expect(isHostPattern(host)).toBe(true);
  });
  it.each([
    '',
    '*',
    '*.*',
    'a.*.b',
    '*a.test',
    'A.test',
    'a..b',
    '-a.test',
    'a.test:80',
    'a b',
    'a.test/',
    `${'a.'.repeat(127)}a`.repeat(2),
  ])('%j is none', (host) => {
    expect(isHostPattern(host)).toBe(false);
  });
});

describe('addresses of services', () => {
  it('are taken apart with their default ports', () => {
    expect(parseServiceUrl('http://a.test')).toEqual({ protocol: 'http', host: 'a.test', port: 80, path: '/' });
    expect(parseServiceUrl('https://a.test/v1/')).toEqual({
      protocol: 'https',
      host: 'a.test',
      port: 443,
      path: '/v1/',
    });
    expect(parseServiceUrl('http://[::1]:8080/x')).toEqual({ protocol: 'http', host: '[::1]', port: 8080, path: '/x' });
  });
  it.each(['', 'a.test', 'ftp://a.test', 'http://u:p@a.test', 'http://a.test?x=1', 'http://a.test#f', 'http://'])(
    '%j is none',
    (url) => {
      expect(parseServiceUrl(url)).toBeUndefined();
    },
  );
});

describe('names of targets', () => {
  it.each([
    ['a.test:80', { host: 'a.test', port: 80 }],
    ['[::1]:8080', { host: '::1', port: 8080 }],
    ['10.0.0.1:65535', { host: '10.0.0.1', port: 65_535 }],
  ])('%s names an address', (text, address) => {
    expect(parseTargetName(text)).toEqual(address);
  });
  it.each(['a.test', 'a.test:0', 'a.test:65536', '::1:80', 'a b:80', ':80', ''])('%j does not', (text) => {
    expect(parseTargetName(text)).toBeUndefined();
  });
});

describe('times', () => {
  const takes = (text: string): boolean => {
    const token = { name: 't', scopes: ['admin:read'], expires_at: text };
    return v.is(writeSchema(familyNamed('api-tokens')), token);
  };
  it.each([
    ['2020-01-01T00:00:00Z', Date.UTC(2020, 0, 1)],
    ['2020-01-01T01:00:00.25+01:00', Date.UTC(2020, 0, 1, 0, 0, 0, 250)],
    ['2024-02-29T23:59:59.123456789-00:30', Date.UTC(2024, 2, 1, 0, 29, 59, 123)],
  ])('%s is one, and Date.parse reads it', (text, epochMs) => {
    expect([takes(text), Date.parse(text)]).toEqual([true, epochMs]);
  });
  it.each([
    '2020-01-01T00:00:00+00',
    '2020-01-01T00:00:00+0000',
    '2020-01-01 00:00:00Z',
    '2020-01-01T00:00:00 +00:00',
    '2020-01-01T00:00:00',
    '2020-01-01T00:00Z',
    '2020-01-01',
    '2021-02-29T00:00:00Z',
    '2020-13-01T00:00:00Z',
    '2020-01-01T25:00:00Z',
    '2020-01-01T23:59:60Z',
    '2020-01-01T00:00:00+25:00',
    'tomorrow',
    '',
  ])('%j is none', (text) => {
    expect(takes(text)).toBe(false);
  });
});

describe('routes', () => {
  const routes = writeSchema(familyNamed('routes'));

  it('keep hosts and server names in lower case, in which two that differ by it are one', () => {
    const route = { name: 'r', hosts: ['API.Example.com', '*.B.test'], snis: ['A.Test'] };
    expect(v.parse(routes, route)).toMatchObject({ hosts: ['api.example.com', '*.b.test'], snis: ['a.test'] });
    expect(placesOf({ name: 'r', hosts: ['a.test', 'A.test'] })).toEqual(['hosts']);
    expect(placesOf({ name: 'r', hosts: ['İ.test'] })).toEqual(['hosts.0']);
  });
  const placesOf = (route: object): unknown[] =>
    (v.safeParse(routes, route).issues ?? []).map((issue) => v.getDotPath(issue));

  it('fills the defaults of the wire contract', () => {
    expect(v.parse(routes, { name: 'r', path: '/a' })).toMatchObject({
      strip_path: true,
      preserve_host: false,
      priority: 0,
      path_type: 'prefix',
      enabled: true,
      plugins: [],
    });
  });

  it('names every wrong field at once', () => {
    const wrong = { name: '', path: 'a', methods: ['get'], hosts: ['*'], priority: 0.5, plugins: [{ name: 'X' }] };
    expect(placesOf(wrong)).toEqual(
      expect.arrayContaining(['name', 'path', 'methods.0', 'hosts.0', 'priority', 'plugins.0.name']),
    );
  });

  it('bounds plugin priorities and execution policies at both edges', () => {
    const withEntry = (entry: object): object => ({ name: 'r', path: '/a', plugins: [{ name: 'p', ...entry }] });
    for (const priority of [-100_000, 100_000]) expect(placesOf(withEntry({ priority }))).toEqual([]);
    for (const priority of [-100_001, 100_001])
      expect(placesOf(withEntry({ priority }))).toEqual(['plugins.0.priority']);
    for (const timeout_ms of [10, 30_000]) expect(placesOf(withEntry({ execution: { timeout_ms } }))).toEqual([]);
    for (const timeout_ms of [9, 30_001]) {
      expect(placesOf(withEntry({ execution: { timeout_ms } }))).toEqual(['plugins.0.execution.timeout_ms']);
    }
  });
});
