import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { familyNamed, writeSchema } from '../index.ts';

/** Places of mistakes in single fields, else pointers and codes of the rules over the whole record. */
function mistakesOf(familyName: string, record: object): unknown[] {
  const family = familyNamed(familyName);
  const parsed = v.safeParse(writeSchema(family), record);
  if (!parsed.success) return parsed.issues.map((issue) => v.getDotPath(issue));
  const values = parsed.output as Readonly<Record<string, unknown>>;
  return (family.rules ?? []).flatMap((rule) => rule(values)).map(({ pointer, code }) => [pointer, code]);
}

describe('server names of certificates', () => {
  const sni = (fields: object): unknown[] => mistakesOf('snis', { name: 'a.test', certificate_id: 'c', ...fields });

  it('ask clients for nothing by default', () => {
    expect(v.parse(writeSchema(familyNamed('snis')), { name: 'A.test', certificate_id: 'c' })).toMatchObject({
      name: 'a.test',
      client_certificate_mode: 'none',
      client_ca_certificate_ids: [],
    });
  });

  it('may be * alone, which routes may not ask for', () => {
    expect([sni({ name: '*' }), mistakesOf('certificates', { cert: 'c', key: 'k', snis: ['*'] })]).toEqual([[], []]);
    expect(mistakesOf('routes', { name: 'r', snis: ['*'] })).toEqual(['snis.0']);
  });

  it.each(['**', '*.*.a.test', '*a.test', 'a.*', '', '.', '10.0.0.1', '*.10'])('are not %j', (name) => {
    expect(sni({ name })).toEqual(['name']);
  });

  it('require certificates of clients only with somebody to trust', () => {
    const missing = [['/client_ca_certificate_ids', 'required']];
    expect(sni({ client_certificate_mode: 'require' })).toEqual(missing);
    expect(sni({ client_certificate_mode: 'require', client_ca_certificate_ids: [] })).toEqual(missing);
    expect(sni({ client_certificate_mode: 'require', client_ca_certificate_ids: ['root'] })).toEqual([]);
    expect(sni({ client_certificate_mode: 'request' })).toEqual([]);
    expect(sni({ client_certificate_mode: 'maybe' })).toEqual(['client_certificate_mode']);
  });
});

describe('upstreams', () => {
  it.each(['http', 'https', 'grpc', 'grpcs', 'tcp', 'tls'])('call targets by %s', (protocol) => {
    expect(mistakesOf('upstreams', { name: 'u', protocol })).toEqual([]);
  });

  it.each(['ws', 'udp', '', null])('call no target by %j', (protocol) => {
    expect(mistakesOf('upstreams', { name: 'u', protocol })).toEqual(['protocol']);
  });
});

describe('sources and destinations of routes', () => {
  const route = (end: unknown): unknown[] => mistakesOf('routes', { name: 'r', protocols: ['tcp'], sources: [end] });

  it.each(['10.0.0.1', '0.0.0.0/0', '10.0.0.0/8', '255.255.255.255/32', '::', '2001:db8::/32', '::ffff:10.0.0.1/128'])(
    'are %s',
    (ip) => {
      expect(route({ ip })).toEqual([]);
      expect(route({ ip, port: 5432 })).toEqual([]);
    },
  );

  it.each([
    '',
    'a.test',
    '10.0.0',
    '10.0.0.256',
    '010.0.0.1',
    '10.0.0.1/33',
    '10.0.0.1/08',
    '10.0.0.1/',
    '10.0.0.1/8/8',
    '::1/129',
    '[::1]',
    'fe80::1%eth0',
    ':::',
  ])('are not %j', (ip) => {
    expect(route({ ip })).toEqual(['sources.0.ip']);
  });

  it('name an address, a port or both', () => {
    expect(route({ port: 1 })).toEqual([]);
    expect(route({})).toEqual(['sources.0']);
    expect([route({ port: 0 }), route({ port: 65_536 }), route({ port: 1.5 })]).toEqual(
      Array.from({ length: 3 }, () => ['sources.0.port']),
    );
    expect(route({ port: 1, host: 'a.test' })).toEqual(['sources.0.host']);
  });

  it.each([[[]], [['http', 'https']]])('are refused where they would do nothing (protocols %j)', (protocols) => {
    const ends = [{ port: 5432 }];
    expect(mistakesOf('routes', { name: 'r', protocols, destinations: ends })).toEqual([
      ['/destinations', 'needs_stream_protocol'],
    ]);
    expect(mistakesOf('routes', { name: 'r', protocols, sources: ends })).toEqual([
      ['/sources', 'needs_stream_protocol'],
    ]);
    expect(mistakesOf('routes', { name: 'r', protocols: ['tls'], sources: ends, destinations: ends })).toEqual([]);
  });
});
