import { describe, expect, it } from 'vitest';
import { PluginBench } from '../testing/plugin-bench.ts';
import { JSON_BODY_BYTES_MAX, requestTransformer } from './index.ts';

const JSON_TYPE = ['content-type', 'application/json'];

async function bodyAfter(config: object, body: string | Uint8Array, headers: readonly string[] = JSON_TYPE) {
  const { exchange, result } = await new PluginBench(requestTransformer, config).request({ headers, body });
  return {
    result,
    exchange,
    sent: exchange.request.body === undefined ? undefined : new TextDecoder().decode(exchange.request.body),
  };
}

describe('request_transformer headers', () => {
  it.each([
    ['add keeps what exists', { add_headers: { 'X-A': 'new' } }, ['x-a', 'old'], ['x-a', 'old']],
    ['add adds what is missing', { add_headers: { 'X-A': 'new' } }, [], ['X-A', 'new']],
    [
      'set replaces every line',
      { set_headers: { 'X-A': 'new' } },
      ['x-a', '1', 'b', '2', 'X-A', '3'],
      ['X-A', 'new', 'b', '2'],
    ],
    ['headers sets too', { headers: { 'X-A': 'new' } }, ['x-a', 'old'], ['X-A', 'new']],
    ['set_headers wins over headers', { headers: { 'X-A': '1' }, set_headers: { 'X-A': '2' } }, [], ['X-A', '2']],
    ['remove removes every line', { remove_headers: ['X-A'] }, ['x-a', '1', 'b', '2', 'X-A', '3'], ['b', '2']],
    ['rename replaces what had the name', { rename_headers: { 'X-A': 'X-B' } }, ['x-b', '1', 'x-a', '2'], ['X-B', '2']],
    ['lines of renames in turn', { rename_headers: ['X-A:X-B', 'X-B:X-C'] }, ['x-a', '1'], ['X-C', '1']],
    ['rename in another case', { rename_headers: { 'x-a': 'X-A' } }, ['x-a', '1'], ['X-A', '1']],
    ['rename of a missing header does nothing', { rename_headers: { 'X-A': 'X-B' } }, ['x-b', '1'], ['x-b', '1']],
    [
      'the order is remove, rename, set, add',
      {
        remove_headers: ['a'],
        rename_headers: { b: 'a' },
        set_headers: { b: 's' },
        add_headers: { a: 'no', c: 'yes' },
      },
      ['a', '1', 'b', '2'],
      ['a', '2', 'b', 's', 'c', 'yes'],
    ],
  ])('%s', async (_name, config, before, after) => {
    const { exchange } = await new PluginBench(requestTransformer, config).request({ headers: before });
    expect(exchange.request.headers.toPairs()).toEqual(after);
  });

  it('does not read the body when no JSON field is named', async () => {
    const { exchange } = await bodyAfter({ set_headers: { a: '1' } }, '{"a":1}');
    expect(exchange.request.body).toBeUndefined();
  });
});

describe('request_transformer JSON fields', () => {
  it.each([
    ['add keeps what exists', { add_json_fields: { a: 9, b: { c: [1] } } }, '{"a":1}', '{"a":1,"b":{"c":[1]}}'],
    ['replace touches only what exists', { replace_json_fields: { a: 9, b: 9 } }, '{"a":1}', '{"a":9}'],
    ['remove removes', { remove_json_fields: ['a', 'z'] }, '{"a":1,"b":2}', '{"b":2}'],
    ['a removed field can be added', { remove_json_fields: ['a'], add_json_fields: { a: 2 } }, '{"a":1}', '{"a":2}'],
    [
      'digits survive',
      { add_json_fields: { a: 1 } },
      '{"id":12345678901234567890,"f":1.10,"e":1E2}',
      '{"id":12345678901234567890,"f":1.10,"e":1E2,"a":1}',
    ],
    [
      '__proto__ is a field like others',
      { add_json_fields: { a: 1 } },
      '{"__proto__":{"x":1}}',
      '{"__proto__":{"x":1},"a":1}',
    ],
  ])('%s', async (_name, config, before, after) => {
    expect((await bodyAfter(config, before)).sent).toBe(after);
  });

  it('says the new length and drops what no longer holds', async () => {
    const headers = [...JSON_TYPE, 'content-length', '7', 'transfer-encoding', 'chunked'];
    const { exchange } = await bodyAfter({ add_json_fields: { ü: 1 } }, '{"a":1}', headers);
    expect(exchange.request.headers.toPairs()).toEqual([...JSON_TYPE, 'content-length', '14']);
  });

  it.each([
    ['an array', '[1]', JSON_TYPE],
    ['a text', '"a"', JSON_TYPE],
    ['a number beyond JavaScript', '12345678901234567890', JSON_TYPE],
    ['null', 'null', JSON_TYPE],
    ['malformed JSON', '{"a":', JSON_TYPE],
    ['no UTF-8', new Uint8Array([0x7b, 0xff, 0x7d]), JSON_TYPE],
    ['nothing', '', JSON_TYPE],
    ['another type', '{"a":1}', ['content-type', 'text/plain']],
    ['no type', '{"a":1}', []],
    ['a compressed body', '{"a":1}', [...JSON_TYPE, 'content-encoding', 'gzip']],
    ['a body that is nested beyond the stack', `{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`, JSON_TYPE],
  ])('leaves %s as it came', async (_name, body, headers) => {
    const { result, sent } = await bodyAfter({ add_json_fields: { b: 1 } }, body, headers);
    expect([result, sent]).toEqual(['continue', undefined]);
  });

  it.each(['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/vnd.api+json'])(
    'takes %s for JSON',
    async (type) => {
      expect((await bodyAfter({ add_json_fields: { b: 1 } }, '{}', ['Content-Type', type])).sent).toBe('{"b":1}');
    },
  );

  it('edits a body of the bound and not one byte more', async () => {
    const ofBytes = (bytes: number) => `{"a":"${'x'.repeat(bytes - '{"a":""}'.length)}"}`;
    expect((await bodyAfter({ remove_json_fields: ['a'] }, ofBytes(JSON_BODY_BYTES_MAX))).sent).toBe('{}');
    const over = await bodyAfter({ remove_json_fields: ['a'] }, ofBytes(JSON_BODY_BYTES_MAX + 1));
    expect([over.result, over.sent]).toEqual(['continue', undefined]);
  });
});

describe('request_transformer config', () => {
  it.each([
    ['nothing to do', {}, ''],
    ['a header with a line break', { set_headers: { a: 'b\r\nc: d' } }, '/set_headers/a'],
    ['a header name with a space', { add_headers: { 'a b': '1' } }, '/add_headers/a b'],
    ['a framing header', { set_headers: { 'Content-Length': '0' } }, '/set_headers/Content-Length'],
    ...[
      ...['Expect', 'Proxy-Authorization', 'Proxy-Authenticate', 'Proxy-Connection', 'Keep-Alive', 'TE', 'Trailer'],
      ...['Upgrade', 'Connection', 'Transfer-Encoding'],
    ].map((name): [string, object, string] => [name, { set_headers: { [name]: 'x' } }, `/set_headers/${name}`]),
    ['names that depend on their order', { rename_headers: { 'X-A': 'x-b', 'X-B': 'X-C' } }, '/rename_headers'],
    ['a framing header as a new name', { rename_headers: { a: 'Expect' } }, '/rename_headers/a'],
    ['the host', { remove_headers: ['HOST'] }, '/remove_headers/0'],
    ['an unknown field', { set_header: { a: '1' } }, '/set_header'],
    ['a second unknown field', { a: 1, b: 2, headers: { a: '1' } }, '/b'],
    ['an unknown field of a name that every object has', { constructor: 1, headers: { a: '1' } }, '/constructor'],
    [
      'a header of a name that maps lose',
      JSON.parse('{"headers":{"__proto__":"a","b":"c"}}') as object,
      '/headers/__proto__',
    ],
    ['a JSON field of such a name', { add_json_fields: { constructor: 'a', b: 'c' } }, '/add_json_fields/constructor'],
  ])('refuses %s, naming the place', (_name, config, pointer) => {
    const compiled = requestTransformer.plugin.compile(config);
    expect(compiled.ok ? 'accepted' : compiled.issues.map((issue) => issue.pointer)).toContain(pointer);
  });
});
