import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { JSON_TYPE, requestThrough, responseThrough } from '../testing/json-messages.ts';
import { maskingTransform } from './index.ts';

const CAME = 'as it came';

describe('masking_transform bodies', () => {
  it.each<[string, readonly string[], string, string]>([
    ['a member', ['$.a'], '{"a":1,"b":1.0}', '{"a":"***","b":1.0}'],
    ['a bare path', ['u.mail'], '{"u":{"mail":"x"}}', '{"u":{"mail":"***"}}'],
    ['elements', ['$.a[*].b'], '{"a":[{"b":1},{"b":null},{}]}', '{"a":[{"b":"***"},{"b":"***"},{}]}'],
    ['nested arrays', ['$.a[*][*]'], '{"a":[[1],[2,[3]]]}', '{"a":[["***"],["***","***"]]}'],
    ['every depth', ['$..s'], '{"s":1,"x":[{"s":{"s":2}}]}', '{"s":"***","x":[{"s":"***"}]}'],
    ['a filter', ["$[?@.k == 'c'].n"], '[{"k":"c","n":1},{"k":"d","n":2}]', '[{"k":"c","n":"***"},{"k":"d","n":2}]'],
    [
      'names that stand twice',
      ['$.a.s'],
      '{"a":{"s":1},"a":{"s":2,"s":3}}',
      '{"a":{"s":"***"},"a":{"s":"***","s":"***"}}',
    ],
    ['names with escapes', ['$.a'], '{"\\u0061":1}', '{"\\u0061":"***"}'],
    ['all', ['$'], '[1]', '"***"'],
    ['several paths, one within the other', ['$.a', '$.a.b'], '{"a":{"b":1}}', '{"a":"***"}'],
  ])('%s', async (_name, paths, before, after) => {
    const both = { json_paths: paths };
    expect(await requestThrough(maskingTransform, both, before)).toMatchObject({ status: 0, body: after });
    expect(await responseThrough(maskingTransform, both, before)).toMatchObject({ status: 200, body: after });
    const ofRequests = { request_json_paths: paths };
    expect((await requestThrough(maskingTransform, ofRequests, before)).body).toBe(after);
    expect((await responseThrough(maskingTransform, ofRequests, before)).body).toBe(CAME);
    const ofResponses = { response_json_paths: paths };
    expect((await requestThrough(maskingTransform, ofResponses, before)).body).toBe(CAME);
    expect((await responseThrough(maskingTransform, ofResponses, before)).body).toBe(after);
  });

  it('masks coded bodies', async () => {
    const headers = [...JSON_TYPE, 'content-encoding', 'gzip'];
    const { body } = await responseThrough(
      maskingTransform,
      { json_paths: ['a'] },
      gzipSync('{"a":"secret"}'),
      headers,
    );
    expect(gunzipSync(Buffer.from(body, 'base64')).toString()).toBe('{"a":"***"}');
  });

  it.each<[string, string, string, string]>([
    ['ndjson', 'application/x-ndjson', '{"a":1}\r\n\n{"b":[{"a":2}]}', '{"a":"***"}\r\n\n{"b":[{"a":"***"}]}'],
    ['lines', 'application/jsonl; charset=utf-8', '[1]\n{"a":1}\n', '[1]\n{"a":"***"}\n'],
    ['a sequence', 'application/json-seq', '\u001e{"a":\n1}\n\u001e{"c":1}\n', '\u001e{"a":\n"***"}\n\u001e{"c":1}\n'],
  ])('masks JSON texts on lines: %s', async (_name, type, before, after) => {
    const headers = ['content-type', type];
    expect((await responseThrough(maskingTransform, { json_paths: ['$..a'] }, before, headers)).body).toBe(after);
    expect((await requestThrough(maskingTransform, { json_paths: ['$..a'] }, before, headers)).body).toBe(after);
    expect((await responseThrough(maskingTransform, { json_paths: ['$..x'] }, before, headers)).body).toBe(CAME);
  });

  it('has a mask of its own', async () => {
    const config = { json_paths: ['a'], headers: ['X-Key'], mask: '"hidden" by us' };
    const { body, headers } = await responseThrough(maskingTransform, config, '{"a":1}', [...JSON_TYPE, 'x-key', 'k']);
    expect([JSON.parse(body), headers['x-key']]).toEqual([{ a: '"hidden" by us' }, '"hidden" by us']);
  });

  it('masks JSON without a content type, and lets other bodies without one pass', async () => {
    const config = { json_paths: ['a'] };
    expect((await responseThrough(maskingTransform, config, '{"a":1}', [])).body).toBe('{"a":"***"}');
    expect((await responseThrough(maskingTransform, config, '{"a":1}', ['content-type', 'json'])).body).toBe(
      '{"a":"***"}',
    );
    expect(await responseThrough(maskingTransform, config, 'a text', [])).toMatchObject({ status: 200, body: CAME });
    expect(await responseThrough(maskingTransform, config, 'a text', ['content-type', 'text'])).toMatchObject({
      body: CAME,
    });
    const binary = Buffer.from([0xff, 0xfe]);
    expect(await responseThrough(maskingTransform, config, binary, [])).toMatchObject({ status: 200, body: CAME });
  });
});

it('says no length to a HEAD whose GET would be masked', async () => {
  const head = { request: { method: 'HEAD' } };
  const headers = [...JSON_TYPE, 'content-length', '7', 'x-key', 'k'];
  const answer = await responseThrough(maskingTransform, { json_paths: ['a'], headers: ['x-key'] }, '', headers, head);
  expect(answer.headers).toEqual({ 'content-type': 'application/json', 'x-key': '***' });
});

describe('masking_transform headers', () => {
  const pairs = ['X-Key', 'k1', 'x-key', 'k2', 'other', 'o'];

  it.each([
    ['headers', { headers: ['x-KEY'] }, '***', '***'],
    ['request_headers', { request_headers: ['x-key'] }, '***', 'k2'],
    ['response_headers', { response_headers: ['x-key'] }, 'k2', '***'],
    ['headers of one target', { headers: ['x-key'], target: 'request' }, '***', 'k2'],
  ])('%s', async (_name, config, sent, answered) => {
    const request = await requestThrough(maskingTransform, config, '', pairs);
    const response = await responseThrough(maskingTransform, config, '', pairs);
    expect([request.headers['x-key'], response.headers['x-key']]).toEqual([sent, answered]);
    expect([request.headers['other'], response.headers['other']]).toEqual(['o', 'o']);
  });

  it('does not make headers that are not there', async () => {
    const { headers } = await requestThrough(maskingTransform, { headers: ['x-key'] }, '', ['other', 'o']);
    expect(headers).toEqual({ other: 'o' });
  });

  it('are masked with the body, too', async () => {
    const config = { headers: ['x-key'], json_paths: ['a'] };
    const { headers, body } = await responseThrough(maskingTransform, config, '{"a":1}', [...JSON_TYPE, 'x-key', 'k']);
    expect([headers['x-key'], body]).toEqual(['***', '{"a":"***"}']);
  });
});

describe('what cannot be masked', () => {
  const config = { json_paths: ['$..secret'], max_body_bytes: 100 };
  const coded = (encoding: string) => [...JSON_TYPE, 'content-encoding', encoding];

  it.each<[string, string | Uint8Array, readonly string[], number]>([
    ['too large', `{"a":"${'x'.repeat(100)}"}`, JSON_TYPE, 413],
    ['too large to tell, without a type', 'x'.repeat(101), [], 413],
    ['malformed', '{"secret":1', JSON_TYPE, 400],
    ['two texts', '{"a":1}{"secret":1}', JSON_TYPE, 400],
    ['nested too deeply', '', JSON_TYPE, 413],
    ['cut off', gzipSync('{"secret":1}').subarray(0, 15), coded('gzip'), 400],
    ['a bomb', gzipSync('1'.repeat(1_000_000)), coded('gzip'), 413],
    ['coded unknown', '{"secret":1}', coded('compress'), 415],
    ['in another charset', '{"secret":1}', ['content-type', 'application/json; charset=utf-16le'], 415],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0x22]), JSON_TYPE, 400],
    ['of two types', '{"secret":1}', ['content-type', 'text/plain', ...JSON_TYPE], 400],
    ['a part, as services read it', '"secret":1}', [...JSON_TYPE, 'content-range', 'bytes 0-5/9'], 400],
  ])('%s', async (name, body, headers, status) => {
    const isDeep = name.startsWith('nested');
    const sent = isDeep ? `${'['.repeat(200)}${']'.repeat(200)}` : body;
    const settings = isDeep ? { json_paths: config.json_paths } : config;
    expect(await requestThrough(maskingTransform, settings, sent, headers)).toMatchObject({ status });
    const answer = await responseThrough(maskingTransform, settings, sent, headers);
    expect(answer).toMatchObject({ status: 502, code: 'upstream_body_unreadable' });
    expect(answer.body).not.toContain('secret');
    const open = await responseThrough(maskingTransform, { ...settings, strict: false }, sent, headers);
    expect(open).toMatchObject({ status: 200, body: CAME });
  });

  it('what a filter could be told two ways', async () => {
    const filter = { json_paths: ["$[?@.k == 'card'].secret"] };
    const sent = '[{"k":"card","k":"x","secret":1}]';
    expect(await requestThrough(maskingTransform, filter, sent)).toMatchObject({ status: 400, code: 'malformed_body' });
    expect((await responseThrough(maskingTransform, filter, sent)).status).toBe(502);
  });

  it('a request that says it is a part is masked, because services read it whole', async () => {
    const headers = [...JSON_TYPE, 'content-range', 'bytes 0-5/9'];
    const { status, body } = await requestThrough(maskingTransform, config, '{"secret":1}', headers);
    expect([status, body]).toEqual([0, '{"secret":"***"}']);
  });

  it.each([
    ['a part of JSON', JSON_TYPE, 206, 502],
    ['several parts', ['content-type', 'multipart/byteranges; boundary=x'], 206, 502],
    ['a part of something else', ['content-type', 'video/mp4'], 206, 206],
    ['something else', ['content-type', 'text/html'], 200, 200],
  ])('%s', async (_name, headers, status, passed) => {
    const answer = await responseThrough(maskingTransform, config, '{"secret":1}', headers, { status });
    expect(answer.status).toBe(passed);
  });

  it('an event stream, which a client may ask for', async () => {
    const stream = ['content-type', 'text/event-stream'];
    const event = 'data: {"secret":1}\n\n';
    expect((await responseThrough(maskingTransform, config, event, stream)).status).toBe(502);
    expect((await requestThrough(maskingTransform, config, event, stream)).status).toBe(400);
    expect((await responseThrough(maskingTransform, { ...config, strict: false }, event, stream)).status).toBe(200);
  });

  it.each<[string, Uint8Array, readonly string[]]>([
    ['UTF-16 without a type', Buffer.from('{"secret":"s"}', 'utf16le'), []],
    ['UTF-16 with letters that no UTF-8 has', Buffer.from(' {"secret":"\u00e9\u00ff"}', 'utf16le'), []],
    ['UTF-16 with its mark', Buffer.from('\u{feff}[{"secret":1}]', 'utf16le'), []],
    ['UTF-16 the other way round', Buffer.from('{"secret":"\u00e9"}', 'utf16le').swap16(), []],
    ['several texts without a type', Buffer.from('{"secret":1}\n{"secret":2}'), []],
    [
      'a mistake, with a type that cannot be read',
      Buffer.from('{"secret":1,}'),
      ['content-type', 'application/json , a/b'],
    ],
    ['lines that are no JSON', Buffer.from('{"a":1}\n{"secret":1,}'), ['content-type', 'application/x-ndjson']],
    ['many lines that grow', Buffer.from('1\n'.repeat(250_001)), ['content-type', 'application/jsonl']],
  ])('%s', async (_name, body, headers) => {
    const answer = await responseThrough(maskingTransform, { json_paths: ['$', '$..secret'] }, body, headers);
    expect(answer.status).toBe(502);
    expect(answer.body).not.toContain('secret');
  });

  it('asks for whole answers', async () => {
    const range = ['range', 'bytes=0-10', 'if-range', '"x"', 'accept', 'a/b'];
    const masked = await requestThrough(maskingTransform, { response_json_paths: ['a'] }, '', range);
    const other = await requestThrough(maskingTransform, { request_json_paths: ['a'] }, '', range);
    expect([Object.keys(masked.headers), Object.keys(other.headers)]).toEqual([
      ['accept'],
      ['range', 'if-range', 'accept'],
    ]);
  });
});

describe('masking_transform config', () => {
  it.each<[string, object, string]>([
    ['nothing to mask', { mask: '#' }, ''],
    ['a path that is none', { json_paths: ['$['] }, '/json_paths/0'],
    ['a mask with a line break', { headers: ['a'], mask: 'a\r\nb: c' }, '/mask'],
    ['a mask of nothing', { headers: ['a'], mask: '' }, '/mask'],
    ['a framing header', { headers: ['Content-Length'] }, '/headers/0'],
    ['fields of the other side', { response_headers: ['a'], target: 'request' }, '/response_headers'],
    ['paths of the other side', { request_json_paths: ['a'], target: 'response' }, '/request_json_paths'],
  ])('refuses %s, naming the place', (_name, config, pointer) => {
    const compiled = maskingTransform.plugin.compile(config);
    expect(compiled.ok ? 'accepted' : compiled.issues.map((issue) => issue.pointer)).toContain(pointer);
  });
});
