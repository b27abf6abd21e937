import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { JSON_TYPE, requestThrough } from '../testing/json-messages.ts';
import { bodyTransformer } from './index.ts';

const CAME = 'as it came';

describe('body_transformer', () => {
  it.each<[string, object, string, string]>([
    ['remove', { remove_fields: ['a', 'z'] }, '{"a":1,"b":2}', '{"b":2}'],
    ['override of what is there', { override_fields: { a: { x: 1 } } }, '{"a":1}', '{"a":{"x":1}}'],
    ['override of what is not there', { override_fields: { a: 2 } }, '{"b":1}', '{"b":1,"a":2}'],
    ['add keeps what exists', { add_fields: { a: 2, b: 3 } }, '{"a":null}', '{"a":null,"b":3}'],
    ['names are no paths', { add_fields: { 'a.b': 1, '$.c': 2 } }, '{"a":{}}', '{"a":{},"a.b":1,"$.c":2}'],
    [
      'the order is remove, override, add',
      { add_fields: { a: 'added', b: 'no' }, override_fields: { b: 'set' }, remove_fields: ['a', 'b'] },
      '{"a":1,"b":1}',
      '{"b":"set","a":"added"}',
    ],
    [
      'what is not touched keeps its characters',
      { remove_fields: ['x'] },
      '{ "10": 1.0, "2": 12345678901234567890, "x": 0, "n": 1E2 }',
      '{ "10": 1.0, "2": 12345678901234567890, "n": 1E2 }',
    ],
    ['fields that stand twice', { remove_fields: ['a'] }, '{"a":1,"b":2,"a":3}', '{"b":2}'],
  ])('%s', async (_name, config, before, after) => {
    const { status, body, headers } = await requestThrough(bodyTransformer, config, before);
    expect([status, body]).toEqual([0, after]);
    expect(headers['content-length']).toBe(String(Buffer.byteLength(after)));
  });

  it.each<[string, string | Uint8Array, readonly string[]]>([
    ['an array', '[1]', JSON_TYPE],
    ['null', 'null', JSON_TYPE],
    ['malformed JSON', '{"a"', JSON_TYPE],
    ['not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), JSON_TYPE],
    ['nothing', '', JSON_TYPE],
    ['another type', '{"a":1}', ['content-type', 'application/x-www-form-urlencoded']],
    ['more than a mebibyte', `{"a":"${'x'.repeat(1_048_576)}"}`, JSON_TYPE],
  ])('leaves %s as it came', async (_name, body, headers) => {
    const passed = await requestThrough(bodyTransformer, { override_fields: { a: 2 } }, body, headers);
    expect(passed).toMatchObject({ status: 0, body: CAME });
  });

  it('edits what says it is a part: services read it whole', async () => {
    const headers = [...JSON_TYPE, 'content-range', 'bytes 0-6/9'];
    expect((await requestThrough(bodyTransformer, { remove_fields: ['a'] }, '{"a":1}', headers)).body).toBe('{}');
  });

  it('edits coded bodies and codes them again', async () => {
    const headers = [...JSON_TYPE, 'content-encoding', 'br'];
    const { body } = await requestThrough(bodyTransformer, { add_fields: { b: 1 } }, brotliCompressSync('{}'), headers);
    expect(brotliDecompressSync(Buffer.from(body, 'base64')).toString()).toBe('{"b":1}');
  });

  it.each<[string, object, string]>([
    ['nothing to do', {}, ''],
    ['an empty map', { add_fields: {} }, '/add_fields'],
    ['a name of no length', { remove_fields: [''] }, '/remove_fields/0'],
    ['too many names', { remove_fields: Array.from({ length: 101 }, (_one, at) => `f${at}`) }, '/remove_fields'],
    ['a field that is none', { replace_fields: { a: 1 } }, '/replace_fields'],
  ])('refuses %s, naming the place', (_name, config, pointer) => {
    const compiled = bodyTransformer.plugin.compile(config);
    expect(compiled.ok ? 'accepted' : compiled.issues.map((issue) => issue.pointer)).toContain(pointer);
  });
});
