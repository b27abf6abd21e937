import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { familyNamed, isServerName, parseServiceUrl, parseTargetName, writeSchema } from '../index.ts';

const placesOf = (family: string, record: object): unknown[] =>
  (v.safeParse(writeSchema(familyNamed(family)), record).issues ?? []).map((issue) => v.getDotPath(issue));

describe('addresses of services', () => {
  it.each([
    ['grpc://a.test', { protocol: 'grpc', host: 'a.test', port: 80, path: '/' }],
    ['grpcs://A.test/pkg', { protocol: 'grpcs', host: 'a.test', port: 443, path: '/pkg' }],
    ['https://a.test:80', { protocol: 'https', host: 'a.test', port: 80, path: '/' }],
    ['https://a.test:443', { protocol: 'https', host: 'a.test', port: 443, path: '/' }],
    ['http://a.test:21/x', { protocol: 'http', host: 'a.test', port: 21, path: '/x' }],
    ['http://a.test/x:21', { protocol: 'http', host: 'a.test', port: 80, path: '/x:21' }],
    ['tcp://[::1]:6379', { protocol: 'tcp', host: '[::1]', port: 6379, path: '/' }],
    ['tls://a.test:21', { protocol: 'tls', host: 'a.test', port: 21, path: '/' }],
  ])('%s is taken apart', (url, parts) => {
    expect(parseServiceUrl(url)).toEqual(parts);
  });

  it.each([
    'tcp://a.test',
    'tls://a.test/',
    'tcp://a.test:1/x',
    'ws://a.test',
    'http://a.test:0',
    'http://a.test:65536',
    'http:/a.test',
    'http:a.test',
    ' http://a.test',
    'grpc://a%20b',
    'grpc://u@a.test',
    'tcp://a.test:1?x=1',
  ])('%j is none', (url) => {
    expect(parseServiceUrl(url)).toBeUndefined();
  });
});

describe('services', () => {
  const service = (fields: object): unknown[] => placesOf('services', { name: 's', url: 'http://a.test', ...fields });

  it('verify upstreams unless they are told not to', () => {
    expect(v.parse(writeSchema(familyNamed('services')), { name: 's', url: 'http://a.test' })).toMatchObject({
      tls_verify: true,
      ca_certificate_ids: [],
    });
  });

  it.each([
    ['retries', 0, 32_767],
    ['connect_timeout', 1, 2_147_483_646],
    ['read_timeout', 1, 2_147_483_646],
    ['write_timeout', 1, 2_147_483_646],
    ['tls_verify_depth', 0, 64],
  ])('bound %s at %d and %d', (field, minimum, maximum) => {
    expect([service({ [field]: minimum }), service({ [field]: maximum })]).toEqual([[], []]);
    expect([service({ [field]: minimum - 1 }), service({ [field]: maximum + 1 })]).toEqual([[field], [field]]);
    expect(service({ [field]: minimum + 0.5 })).toEqual([field]);
  });

  it('do not know upstream_url', () => {
    expect(service({ upstream_url: 'http://a.test' })).toEqual(['upstream_url']);
    expect(placesOf('gateways', { name: 'g', upstream_url: 'http://a.test' })).toEqual(['upstream_url']);
  });
});

describe('routes', () => {
  const route = (fields: object): unknown[] => placesOf('routes', { name: 'r', ...fields });

  it('match any server name and protocol by default, and stream both ways', () => {
    expect(v.parse(writeSchema(familyNamed('routes')), { name: 'r' })).toMatchObject({
      snis: [],
      protocols: [],
      https_redirect_status_code: 426,
      request_buffering: false,
      response_buffering: false,
    });
  });

  it('take every protocol and redirect of the contract, and no other', () => {
    expect(route({ protocols: ['http', 'https', 'grpc', 'grpcs', 'ws', 'wss', 'tcp', 'tls'] })).toEqual([]);
    expect(route({ protocols: ['https', 'udp'] })).toEqual(['protocols.1']);
    expect(route({ protocols: ['https', 'https'] })).toEqual(['protocols']);
    for (const status of [426, 301, 302, 307, 308]) expect(route({ https_redirect_status_code: status })).toEqual([]);
    for (const status of [200, 300, 303, '301'])
      expect(route({ https_redirect_status_code: status })).toEqual(['https_redirect_status_code']);
  });

  it.each(['a.test', '*.a.test', 'localhost', 'xn--caf-dma.test', '_dmarc.a-b.test', `${'a.'.repeat(126)}b`])(
    '%s is a server name',
    (name) => {
      expect(isServerName(name)).toBe(true);
      expect([route({ snis: [name] }), placesOf('snis', { name, certificate_id: 'c' })]).toEqual([[], []]);
    },
  );

  it.each(['', '*', 'a.*', '*.*.test', 'a.*.test', 'a..test', '10.0.0.1', '::1', 'a.test.', `${'a.'.repeat(127)}b`])(
    '%j is none',
    (name) => {
      expect(isServerName(name)).toBe(false);
      expect(new Set(route({ snis: [name] }))).toEqual(new Set(['snis.0']));
      // Certificates may have one name for all others.
      const places = name === '*' ? [] : ['name'];
      expect(new Set(placesOf('snis', { name, certificate_id: 'c' }))).toEqual(new Set(places));
    },
  );
});

describe('targets', () => {
  const target = (fields: object): unknown[] =>
    placesOf('targets', { upstream_id: 'u', host: 'a.test', port: 80, ...fields });

  it.each([
    ['weight', 0, 65_535],
    ['priority', -1000, 1000],
    ['port', 1, 65_535],
  ])('bound %s at %d and %d', (field, minimum, maximum) => {
    expect([target({ [field]: minimum }), target({ [field]: maximum })]).toEqual([[], []]);
    expect([target({ [field]: minimum - 1 }), target({ [field]: maximum + 1 })]).toEqual([[field], [field]]);
  });

  it.each(['a.test', 'A.test', '10.0.0.1', '::1', '[::1]', 'a_b'])('take the host %s', (host) => {
    expect(target({ host })).toEqual([]);
  });

  it.each(['', 'a b', 'a/b', '-a', 'a:80', '[a]', '[1:2]', '[::1', `a${'.a'.repeat(127)}`])(
    'refuse the host %j',
    (host) => {
      expect(target({ host })).toEqual(['host']);
    },
  );

  it.each(['a/b:80', '[1:2]:80', '-a:80', '[::1:80'])('%j names no address', (name) => {
    expect(parseTargetName(name)).toBeUndefined();
  });
});

describe('certificates', () => {
  const certificate = (fields: object): unknown[] => placesOf('certificates', { cert: 'c', key: 'k', ...fields });

  it('bound their texts and names', () => {
    for (const field of ['cert', 'key', 'cert_alt', 'key_alt']) {
      expect([certificate({ [field]: 'x' }), certificate({ [field]: 'x'.repeat(65_536) })]).toEqual([[], []]);
      expect([certificate({ [field]: '' }), certificate({ [field]: 'x'.repeat(65_537) })]).toEqual([[field], [field]]);
    }
    const names = Array.from({ length: 257 }, (_, index) => `a${index}.test`);
    expect([certificate({ snis: names.slice(1) }), certificate({ snis: names })]).toEqual([[], ['snis']]);
    expect(certificate({ snis: ['a.test', 'a.test'] })).toEqual(['snis']);
  });

  it('have the second pair whole or not at all', () => {
    const { rules = [] } = familyNamed('certificates');
    const broken = (record: object): unknown[] =>
      rules.flatMap((rule) => rule({ ...record })).map(({ pointer }) => pointer);
    expect([broken({}), broken({ cert_alt: 'c', key_alt: 'k' })]).toEqual([[], []]);
    expect([broken({ cert_alt: 'c' }), broken({ key_alt: 'k' })]).toEqual([['/key_alt'], ['/cert_alt']]);
  });
});
