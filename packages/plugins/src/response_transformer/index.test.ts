import { testPlugin } from '@portcullis/plugin-runtime/testing';
import { deflateSync, inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { JSON_TYPE, responseThrough } from '../testing/json-messages.ts';
import { responseTransformer } from './index.ts';

const CAME = 'as it came';

describe('response_transformer', () => {
  it.each<[string, object, string, string]>([
    ['remove', { remove_json_fields: ['a'] }, '{"a":1,"b":2}', '{"b":2}'],
    ['replace touches only what exists', { replace_json_fields: { a: 9, z: 9 } }, '{"a":1}', '{"a":9}'],
    ['add keeps what exists', { add_json_fields: { a: 9, b: 9 } }, '{"a":1}', '{"a":1,"b":9}'],
    [
      'the order is remove, replace, add',
      { add_json_fields: { a: 3, b: 3 }, replace_json_fields: { a: 2, b: 2 }, remove_json_fields: ['a'] },
      '{"a":1,"b":1}',
      '{"b":2,"a":3}',
    ],
  ])('%s', async (_name, config, before, after) => {
    expect(await responseThrough(responseTransformer, config, before)).toMatchObject({ status: 200, body: after });
  });

  it('edits headers in the order remove, rename, set, add', async () => {
    const config = {
      remove_headers: ['A'],
      rename_headers: { b: 'a' },
      headers: { c: '1', d: '1' },
      set_headers: { C: '2' },
      add_headers: { a: 'no', e: 'yes' },
    };
    const { headers } = await responseThrough(responseTransformer, config, '', ['a', '0', 'B', 'b', 'c', '0']);
    expect(headers).toEqual({ a: 'b', c: '2', d: '1', e: 'yes' });
  });

  it('edits headers where the body cannot be read, too', async () => {
    const config = { set_headers: { x: '1' }, remove_json_fields: ['a'], max_body_bytes: 10 };
    for (const body of ['{"a":', `{"a":"${'x'.repeat(20)}"}`, '[1]']) {
      const passed = await responseThrough(responseTransformer, config, body);
      expect([passed.status, passed.body, passed.headers['x']]).toEqual([200, CAME, '1']);
    }
  });

  it('edits coded bodies and codes them again', async () => {
    const headers = [...JSON_TYPE, 'content-encoding', 'deflate', 'accept-ranges', 'bytes'];
    const passed = await responseThrough(
      responseTransformer,
      { add_json_fields: { b: 1 } },
      deflateSync('{}'),
      headers,
    );
    expect(inflateSync(Buffer.from(passed.body, 'base64')).toString()).toBe('{"b":1}');
    expect(passed.headers).not.toHaveProperty('accept-ranges');
  });

  it('does not wait for streams', async () => {
    const config = { add_json_fields: { b: 1 } };
    const passed = await responseThrough(responseTransformer, config, 'data: {}\n\n', [
      'content-type',
      'text/event-stream',
    ]);
    expect(passed.body).toBe(CAME);
  });

  it("reaches the gateway's own errors with trigger all", async () => {
    const test = testPlugin(responseTransformer.plugin, { config: { set_headers: { a: '1' } } });
    const { status, headers } = await test.send({}, () => Promise.reject(new Error('gone')));
    expect([status, headers['a']]).toEqual([502, '1']);
  });

  it.each<[string, object, string]>([
    ['nothing to do', { max_body_bytes: 5 }, ''],
    ['a header with a control character', { set_headers: { a: 'b\u0000' } }, '/set_headers/a'],
    ['a header with a letter of two bytes', { set_headers: { a: 'Ċ' } }, '/set_headers/a'],
    ['a framing header', { remove_headers: ['Transfer-Encoding'] }, '/remove_headers/0'],
    ['a bound beyond all', { remove_json_fields: ['a'], max_body_bytes: 1e9 }, '/max_body_bytes'],
  ])('refuses %s, naming the place', (_name, config, pointer) => {
    const compiled = responseTransformer.plugin.compile(config);
    expect(compiled.ok ? 'accepted' : compiled.issues.map((issue) => issue.pointer)).toContain(pointer);
  });
});
