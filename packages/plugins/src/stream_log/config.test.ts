import { describe, expect, it } from 'vitest';
import { secretPathsOf } from '../plugin-catalogue.ts';
import { parseBrokers } from './kafka/broker-list.ts';
import { keyFinder } from './record-key.ts';
import { streamLog } from './index.ts';

const right = { bootstrap_servers: 'kafka.test', topic: 'logs' };

describe('the config of stream_log', () => {
  it.each([
    ['bootstrap_servers', ''],
    ['bootstrap_servers', ','],
    ['bootstrap_servers', 'a.test,'],
    ['bootstrap_servers', 'a.test:0'],
    ['bootstrap_servers', 'a.test:70000'],
    ['bootstrap_servers', 'http://a.test:9092'],
    ['bootstrap_servers', 'user@a.test'],
    ['bootstrap_servers', 'a.test:9092/x'],
    ['bootstrap_servers', '::1:9092'],
    ['bootstrap_servers', 'a test'],
    ['bootstrap_servers', Array.from({ length: 21 }, () => 'a').join(',')],
    ['bootstrap_servers', []],
    ['bootstrap_servers', ['a.test', 'b.test:x']],
    ['bootstrap_servers', ['a.test,b.test']],
    ['bootstrap_servers', 9092],
    ['topic', ''],
    ['topic', '.'],
    ['topic', '..'],
    ['topic', 'a/b'],
    ['topic', 'lögs'],
    ['topic', 'a'.repeat(250)],
    ['acks', 2],
    ['acks', 'none'],
    ['compression_type', 'brotli'],
    ['client_id', ''],
    ['client_id', 'a\nb'],
    ['key_field', 'a..b'],
    ['key_field', '__proto__'],
    ['key_field', '$.a'],
    ['key_field', 'nope'],
    ['key_field', 'consumer'],
    ['key_field', 'consumer.nope'],
    ['key_field', 'consumer.groups'],
    ['key_field', 'consumer.id.length'],
    ['key_field', 'constructor'],
    ['key_field', 'route.constructor'],
    ['key_field', 'request_headers'],
    ['key_field', 'request_headers.x-user'],
    ['key_field', 'request_headers.x-user.more'],
    ['kafka_headers', { '': 'x' }],
    ['kafka_headers', { a: 'x\ny' }],
    ['kafka_headers', { a: 1 }],
    ['kafka_headers', ['a']],
    ['kafka_headers', Object.fromEntries([1, 2, 3, 4, 5].map((index) => [`a${index}`, 'b'.repeat(1000)]))],
    ['flush_timeout', -1],
    ['flush_timeout', 61],
    ['timeout', 0],
  ])('refuses %s: %j', (field, value) => {
    const compiled = streamLog.plugin.compile({ ...right, [field]: value });
    expect(compiled).toMatchObject({ ok: false });
    const pointers = compiled.ok ? [] : compiled.issues.map(({ pointer }) => pointer);
    expect(pointers.filter((pointer) => !pointer.startsWith(`/${field}`))).toEqual([]);
  });

  it.each([
    ['request_id'],
    ['consumer.id'],
    ['consumer.custom_id'],
    ['route.name'],
    ['status'],
    ['complete'],
    ['failure.code'],
    ['request_headers.x-user', ['X-User']],
    ['response_headers.x-shard', true],
  ])('takes the key %s with include_headers %j', (key_field, include_headers: boolean | string[] = false) =>
    expect(streamLog.plugin.compile({ ...right, key_field, include_headers })).toMatchObject({ ok: true }),
  );

  it.each([
    ['request_headers.x-user', false],
    ['request_headers.x-user', ['x-other']],
    ['request_headers.authorization', true],
    ['response_headers.set-cookie', ['set-cookie']],
  ])('refuses the key %s with include_headers %j: records have none, or all the same', (key_field, include_headers) =>
    expect(streamLog.plugin.compile({ ...right, key_field, include_headers })).toMatchObject({
      ok: false,
      issues: [{ pointer: '/key_field' }],
    }),
  );

  it('keeps the values of headers to itself', () => {
    const given = { ...right, kafka_headers: { authorization: 'canary', source: 'edge' } };
    expect(secretPathsOf('stream_log', given)).toEqual(['/kafka_headers/authorization', '/kafka_headers/source']);
  });

  it.each(['bootstrap_servers', 'topic'])('needs %s', (field) => {
    const { [field]: _left, ...rest } = right as Record<string, unknown>;
    expect(streamLog.plugin.compile(rest)).toMatchObject({ ok: false, issues: [{ pointer: `/${field}` }] });
  });

  it.each([
    ['a.test', [{ host: 'a.test', port: 9092 }]],
    [
      ' a.test:1 , 192.0.2.1:65535',
      [
        { host: 'a.test', port: 1 },
        { host: '192.0.2.1', port: 65_535 },
      ],
    ],
    [
      '[2001:db8::1]:9093,[2001:db8::2]',
      [
        { host: '2001:db8::1', port: 9093 },
        { host: '2001:db8::2', port: 9092 },
      ],
    ],
    [
      ['a.test:9093', 'b'],
      [
        { host: 'a.test', port: 9093 },
        { host: 'b', port: 9092 },
      ],
    ],
  ])('reads the brokers %j', (given, brokers) => {
    expect(streamLog.plugin.compile({ ...right, bootstrap_servers: given })).toMatchObject({ ok: true });
    expect(parseBrokers(given)).toEqual(brokers);
  });
});

describe('keyFinder', () => {
  const record = { request_id: 'r1', status: 200, complete: true, route: { id: 'x', name: '' }, consumer: null };

  it.each([
    ['request_id', 'r1'],
    ['status', '200'],
    ['complete', 'true'],
    ['route.id', 'x'],
    ['route.name', ''],
    ['route', undefined],
    ['consumer', undefined],
    ['consumer.id', undefined],
    ['request_id.length', undefined],
    ['constructor', undefined],
    ['route.constructor.name', undefined],
    [undefined, undefined],
  ])('finds %s', (field, key) => expect(keyFinder(field)(record)).toBe(key));
});
