import { describe, expect, it } from 'vitest';
import { mistakesOf } from '../testing/bad-configs.ts';
import { oasValidation } from './index.ts';

const info = { title: 'a', version: '1' };
const description = (schema: unknown, openapi = '3.1.0') => ({
  openapi,
  info,
  paths: {
    '/a': { post: { requestBody: { content: { 'application/json': { schema } } }, responses: {} } },
  },
});
const AT = '/spec/paths/~1a/post/requestBody/content/application~1json/schema';
const pointersOf = (config: unknown) => mistakesOf(oasValidation, config).map((mistake) => mistake.split(': ')[0]);

describe('descriptions that are refused', () => {
  it.each<[string, unknown, string]>([
    ['nothing', undefined, '/spec'],
    ['a list', [], '/spec/openapi'],
    ['a number', 1, '/spec'],
    ['no description', {}, '/spec/openapi'],
    ['Swagger', { swagger: '2.0', info, paths: {} }, '/spec/swagger'],
    ['a remote reference', description({ $ref: 'https://evil.test/a.json' }), `${AT}/$ref`],
    ['a file', description({ $ref: 'file:///etc/passwd' }), `${AT}/$ref`],
    ['a file beside', description({ items: { $ref: './a.json#/b' } }), `${AT}/items/$ref`],
    ['a reference to nothing', description({ $ref: '#/components/schemas/A' }), `${AT}/$ref`],
    ['to no schema', description({ $ref: '#/openapi' }), `${AT}/$ref`],
    ['to itself', description({ $ref: `#${AT.slice('/spec'.length)}` }), `${AT}/$ref`],
    ['an anchor', description({ $anchor: 'a' }), `${AT}/$anchor`],
    ['an ID', description({ properties: { a: { $id: 'https://a.test' } } }), `${AT}/properties/a/$id`],
    ['a dynamic reference', description({ $dynamicRef: '#/a' }), `${AT}/$dynamicRef`],
    ['look-around', description({ pattern: '^(?!a)' }), `${AT}/pattern`],
    ['look-around in names', description({ patternProperties: { '(?=a)': {} } }), `${AT}/patternProperties/(?=a)`],
    ['a pattern that repeats too much', description({ pattern: '(?:a{1,500}){1,5}' }), `${AT}/pattern`],
    [
      'too many properties',
      description({ properties: Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`p${index}`, {}])) }),
      `${AT}/properties`,
    ],
    ['a type that is none', description({ type: 'text' }), `${AT}/type`],
    ['a length that is none', description({ minLength: '1); process.exit(' }), `${AT}/minLength`],
    ['names that are none', description({ required: 'a' }), `${AT}/required`],
    ['no values', description({ enum: [] }), `${AT}/enum`],
    ['a schema that is none', description({ items: 1 }), `${AT}/items`],
    ['schemas that are none', description({ anyOf: {} }), `${AT}/anyOf`],
    ['one of them', description({ anyOf: [true, 'x'] }), `${AT}/anyOf/1`],
    [
      'a body that refers to nothing',
      { openapi: '3.1.0', info, paths: { '/a': { put: { requestBody: { $ref: '#/b' } } } } },
      '/spec/paths/~1a/put/requestBody/$ref',
    ],
    [
      'the rest of a path in its middle',
      { openapi: '3.1.0', info, paths: { '/a/{b+}/c': { get: {} } } },
      '/spec/paths/~1a~1{b+}~1c',
    ],
    ['no YAML', 'a: [', '/spec'],
    ['two documents', 'a: 1\n---\nb: 1', '/spec'],
    ['YAML that is too long', `openapi: 3.1.0\n#${'x'.repeat(1_048_576)}`, '/spec'],
  ])('%s', (_name, spec, pointer) => {
    expect(pointersOf({ spec })).toContain(pointer);
  });

  it('with the line of a text', () => {
    const spec =
      'openapi: 3.1.0\ninfo: {}\npaths:\n  /a:\n    get:\n      responses:\n        200: { $ref: other.yaml }\n';
    expect(mistakesOf(oasValidation, { spec })).toEqual([
      expect.stringMatching(/^\/spec: at \/paths\/~1a\/get\/responses\/200\/\$ref, line 7: must begin with #\//),
    ]);
  });

  it('nesting too deeply, without a fall', () => {
    let deep: object = {};
    for (let level = 0; level < 100_000; level += 1) deep = { items: deep };
    expect(pointersOf({ spec: { openapi: '3.1.0', info, paths: {}, x: deep } })[0]).toMatch(/^\/spec\/x\/items/);
  });

  it('too many patterns', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`p${index}`, { pattern: `${index}[a-z]{900}` }]),
    );
    expect(mistakesOf(oasValidation, { spec: description({ properties }) }).join(' ')).toMatch(/all patterns together/);
  });
});

describe('other fields', () => {
  const spec = description({});
  it.each<[object, string]>([
    [{ base_path: 'api' }, '/base_path'],
    [{ base_path: '/a?b' }, '/base_path'],
    [{ status_code: 200 }, '/status_code'],
    [{ response_status_code: 600 }, '/response_status_code'],
    [{ error_header: 'a b' }, '/error_header'],
    [{ error_header: 'Content-Length' }, '/error_header'],
    [{ validate_request: false, validate_response: false }, '/validate_response'],
  ])('%j is refused', (config, pointer) => {
    expect(pointersOf({ spec, ...config })).toContain(pointer);
  });

  it('null is absent, but not within the description', () => {
    const nullable = description({ enum: [null], default: null });
    expect(mistakesOf(oasValidation, { spec: nullable, base_path: null, strict: null })).toEqual([]);
  });
});
