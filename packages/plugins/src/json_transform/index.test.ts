import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { JSON_TYPE, requestThrough, responseThrough } from '../testing/json-messages.ts';
import { jsonTransform } from './index.ts';

const CAME = 'as it came';
const SET = { set: { a: 9 } };

describe('json_transform', () => {
  it.each<[string, object, string, string]>([
    ['remove', { remove: ['$.a'] }, '{"a":1,"b":2}', '{"b":2}'],
    [
      'remove and remove_fields are one list',
      { remove: ['a'], remove_fields: ['b'] },
      '{"a":1,"b":2,"c":3}',
      '{"c":3}',
    ],
    ['rename', { rename: { 'u.a': 'b' } }, '{"u":{"a":1}}', '{"u":{"b":1}}'],
    ['rename_fields wins', { rename: { a: 'b' }, rename_fields: { a: 'c' } }, '{"a":1}', '{"c":1}'],
    ['replace', { replace: { a: [1], z: 1 } }, '{"a":1}', '{"a":[1]}'],
    ['replace_fields wins', { replace: { a: 2 }, replace_fields: { a: 3 } }, '{"a":1}', '{"a":3}'],
    ['set', { set: { 'a.b': 1 } }, '{}', '{"a":{"b":1}}'],
    ['add', { add: { a: 2, b: 2 } }, '{"a":1}', '{"a":1,"b":2}'],
    ['add_fields wins', { add: { a: 2 }, add_fields: { a: 3 } }, '{}', '{"a":3}'],
    [
      'operations, after the others',
      {
        add: { a: 1 },
        operations: [
          { op: 'copy', path: 'a', to: '$.b' },
          { op: 'remove', path: 'a' },
        ],
      },
      '{}',
      '{"b":1}',
    ],
    [
      'the order is remove, rename, replace, set, add',
      { add: { a: 5, d: 5 }, set: { c: 4 }, replace: { b: 3, a: 3 }, rename: { x: 'b' }, remove: ['a'] },
      '{"a":1,"x":2,"c":0}',
      '{"b":3,"c":4,"a":5,"d":5}',
    ],
    ['arrays', { remove: ['$[*].a'] }, '[{"a":1},{"b":12345678901234567890}]', '[{},{"b":12345678901234567890}]'],
    ['null is a value', { set: { a: null } }, '{"a":1}', '{"a":null}'],
  ])('%s', async (_name, config, before, after) => {
    expect(await requestThrough(jsonTransform, config, before)).toMatchObject({ status: 0, body: after });
    expect(await responseThrough(jsonTransform, config, before)).toMatchObject({ status: 200, body: after });
  });

  it.each([
    ['request', '{"a":9}', CAME],
    ['response', CAME, '{"a":9}'],
    ['both', '{"a":9}', '{"a":9}'],
  ])('target %s', async (target, sent, answered) => {
    const config = { ...SET, target };
    expect((await requestThrough(jsonTransform, config, '{}')).body).toBe(sent);
    expect((await responseThrough(jsonTransform, config, '{}')).body).toBe(answered);
  });

  it('decodes bodies, codes them again, and says their length', async () => {
    const coded = [...JSON_TYPE, 'content-encoding', 'gzip', 'content-length', '30', 'etag', '"x"', 'digest', 'a=b'];
    const { body, headers } = await responseThrough(jsonTransform, SET, gzipSync('{"a":1}'), coded);
    const bytes = Buffer.from(body, 'base64');
    expect(gunzipSync(bytes).toString()).toBe('{"a":9}');
    expect(headers).toEqual({
      'content-type': 'application/json',
      'content-encoding': 'gzip',
      'content-length': String(bytes.length),
      etag: 'W/"x"',
    });
  });

  it('leaves a message alone when nothing changes', async () => {
    const headers = [...JSON_TYPE, 'etag', '"x"', 'content-length', '7'];
    const answer = await responseThrough(jsonTransform, { remove: ['b'] }, '{"a":1}', headers);
    expect([answer.body, answer.headers['etag'], answer.headers['content-length']]).toEqual([CAME, '"x"', '7']);
  });

  it('says no length to a HEAD whose GET would be changed', async () => {
    const head = { request: { method: 'HEAD' } };
    const length = ['content-length', '7'];
    const changed = await responseThrough(jsonTransform, SET, '', [...JSON_TYPE, ...length], head);
    const other = await responseThrough(jsonTransform, SET, '', ['content-type', 'text/plain', ...length], head);
    expect([changed.headers['content-length'], other.headers['content-length']]).toEqual([undefined, '7']);
  });

  it.each<[string, object, readonly string[], string]>([
    ['HEAD', { request: { method: 'HEAD' } }, JSON_TYPE, 'W/"e"'],
    ['304', { status: 304 }, JSON_TYPE, 'W/"e"'],
    ['304 without a type', { status: 304 }, [], 'W/"e"'],
    ['304 of something else', { status: 304 }, ['content-type', 'image/png'], '"e"'],
  ])('says the entity tag of the changed body: %s', async (_name, answer, headers, tag) => {
    const passed = await responseThrough(jsonTransform, SET, '', [...headers, 'etag', '"e"'], answer);
    expect(passed.headers['etag']).toBe(tag);
  });

  it('changes what content_types names, and nothing else', async () => {
    const config = { ...SET, content_types: ['text/plain', 'application/*+json'] };
    const bodies = ['text/plain; charset=utf-8', 'application/x+json', 'application/json'].map(async (type) => {
      const { body } = await requestThrough(jsonTransform, config, '{}', ['content-type', type]);
      return body;
    });
    expect(await Promise.all(bodies)).toEqual(['{"a":9}', '{"a":9}', CAME]);
  });
});

describe('json_transform and bodies that cannot be read', () => {
  const GZIP = [...JSON_TYPE, 'content-encoding', 'gzip'];
  it.each<[string, string | Uint8Array, readonly string[], number, string]>([
    ['malformed', '{"a":', JSON_TYPE, 400, 'malformed_body'],
    ['too large', `{"a":"${'x'.repeat(100)}"}`, JSON_TYPE, 413, 'body_too_large'],
    ['of 50 MB', new Uint8Array(50_000_000), JSON_TYPE, 413, 'body_too_large'],
    ['a bomb', gzipSync('0'.repeat(10_000_000)), GZIP, 413, 'body_too_large'],
    ['cut off', gzipSync('{"a":1}').subarray(0, 15), GZIP, 400, 'malformed_body'],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0x22]), JSON_TYPE, 400, 'malformed_body'],
    ['in another charset', '{}', ['content-type', 'application/json;charset=latin1'], 415, 'unsupported_media_type'],
    ['coded unknown', '{}', [...JSON_TYPE, 'content-encoding', 'compress'], 415, 'unsupported_media_type'],
    ['of two types', '{}', [...JSON_TYPE, 'content-type', 'text/plain'], 400, 'malformed_body'],
  ])('%s', async (_name, body, headers, status, code) => {
    const strict = { ...SET, strict: true, max_body_bytes: 100 };
    expect(await requestThrough(jsonTransform, strict, body, headers)).toMatchObject({ status, code });
    const refused = { status: 502, code: 'upstream_body_unreadable' };
    expect(await responseThrough(jsonTransform, strict, body, headers)).toMatchObject(refused);
    const lenient = { ...SET, max_body_bytes: 100 };
    expect(await requestThrough(jsonTransform, lenient, body, headers)).toMatchObject({ status: 0, body: CAME });
    expect(await responseThrough(jsonTransform, lenient, body, headers)).toMatchObject({ status: 200, body: CAME });
  });

  it('nested too deeply', async () => {
    const body = `${'['.repeat(200)}${']'.repeat(200)}`;
    const config = { set: { '$[0][0]': 1 }, strict: true };
    expect(await requestThrough(jsonTransform, config, body)).toMatchObject({ status: 413, code: 'body_too_large' });
  });

  it('no client gets past it by what it says of the body', async () => {
    const strict = { remove: ['a'], strict: true };
    const range = [...JSON_TYPE, 'content-range', 'bytes 0-6/9'];
    expect(await requestThrough(jsonTransform, strict, '{"a":1}', range)).toMatchObject({ status: 0, body: '{}' });
    const stream = ['content-type', 'application/grpc+json'];
    expect((await requestThrough(jsonTransform, strict, '{"a":1}', stream)).status).toBe(400);
    expect((await requestThrough(jsonTransform, { remove: ['a'] }, '{"a":1}', stream)).status).toBe(0);
  });

  it.each([
    ['nothing', '', JSON_TYPE, 200],
    ['a part', '{}', JSON_TYPE, 206],
    ['an event stream', 'data: 1\n\n', ['content-type', 'text/event-stream'], 200],
  ])('%s is no mistake', async (_name, body, headers, status) => {
    const strict = { ...SET, strict: true, content_types: ['*/*'] };
    expect(await responseThrough(jsonTransform, strict, body, headers, { status })).toMatchObject({
      status,
      body: CAME,
    });
  });
});

describe('json_transform config', () => {
  it.each<[string, object, string]>([
    ['nothing to do', {}, ''],
    ['an empty list', { remove: [] }, '/remove'],
    ['a path that is none', { remove: ['$.a', '$['] }, '/remove/1'],
    ['removal of all', { remove: ['$'] }, '/remove/0'],
    ['a path to add at that names no place', { add: { '$.*': 1 } }, '/add/$.*'],
    ['renames that depend on their order', { rename: { a: 'b', '$.b': 'a' } }, '/rename/a'],
    [
      'renames that depend on it at every depth',
      { rename_fields: { '$..b': 'c', '$..a': 'b' } },
      '/rename_fields/$..a',
    ],
    ['a place that is renamed, too', { rename: { 'a.b': '$.c', c: 'd' } }, '/rename/a.b'],
    ['a rename to several places', { rename: { a: '$..b' } }, '/rename/a'],
    ['an unknown operation', { operations: [{ op: 'test', path: 'a' }] }, '/operations/0/op'],
    ['an operation without its value', { operations: [{ op: 'set', path: 'a' }] }, '/operations/0/value'],
    ['a move into itself', { operations: [{ op: 'move', path: 'a', to: '$.a.b' }] }, '/operations/0/to'],
    ['a filter that reaches far', { remove: ['$[?@..a]'] }, '/remove/0'],
    ['an expression that is none', { remove: ["$[?match(@.a, '(')]"] }, '/remove/0'],
    ['a target that is none', { ...SET, target: 'all' }, '/target'],
    ['a content type with parameters', { ...SET, content_types: ['text/plain; a=b'] }, '/content_types/0'],
    ['a bound of nothing', { ...SET, max_body_bytes: 0 }, '/max_body_bytes'],
    ['values that are too much', { set: { a: 'x'.repeat(70_000) } }, '/set'],
  ])('refuses %s, naming the place', (_name, config, pointer) => {
    const compiled = jsonTransform.plugin.compile(config);
    expect(compiled.ok ? 'accepted' : compiled.issues.map((issue) => issue.pointer)).toContain(pointer);
  });

  it('takes null for fields that are not set', () => {
    const config = { ...SET, remove: null, operations: null, target: null, strict: null, max_body_bytes: null };
    expect(jsonTransform.plugin.compile(config)).toMatchObject({ ok: true });
  });
});
