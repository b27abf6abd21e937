import { referredIn } from '@portcullis/openapi';
import { describe, expect, it } from 'vitest';
import { formValue, rawPairs, PAIRS_MAX } from './form-values.ts';
import { multipartValue } from './multipart.ts';
import { decodeFormPart, decodePart, readAlone, readFromPairs, type ParameterStyle } from './parameter-styles.ts';
import { scalarOf, shapeOf } from './scalar-types.ts';

const shape = (schema: Record<string, unknown>, more: object = {}) =>
  shapeOf({ value: schema, pointer: '/s' }, referredIn({ s: schema, ...more }));

const PRIMITIVE = shape({ type: 'integer' });
const LIST = shape({ type: 'array', items: { type: 'string' } });
const OBJECT = shape({
  type: 'object',
  properties: { R: { type: 'integer' }, G: { type: 'integer' }, s: { type: 'string' } },
});
const shapes = { primitive: PRIMITIVE, list: LIST, object: OBJECT } as const;

/** The examples of OpenAPI 3.1.1, 4.8.12.4, and texts that are none of theirs. */
describe('styles of a value that stands alone', () => {
  it.each<[ParameterStyle, boolean, keyof typeof shapes, string, unknown]>([
    ['simple', false, 'primitive', '5', 5],
    ['simple', false, 'list', 'blue,black,b%2Cr', ['blue', 'black', 'b,r']],
    ['simple', false, 'object', 'R,100,G,200', { R: 100, G: 200 }],
    ['simple', true, 'object', 'R=100,G=200', { R: 100, G: 200 }],
    ['label', false, 'primitive', '.5', 5],
    ['label', false, 'list', '.blue,black', ['blue', 'black']],
    ['label', true, 'list', '.blue.black', ['blue', 'black']],
    ['label', true, 'object', '.R=100.G=200', { R: 100, G: 200 }],
    ['matrix', false, 'primitive', ';p=5', 5],
    ['matrix', false, 'list', ';p=blue,black', ['blue', 'black']],
    ['matrix', true, 'list', ';p=blue;p=black', ['blue', 'black']],
    ['matrix', false, 'object', ';p=R,100,G,200', { R: 100, G: 200 }],
    ['matrix', true, 'object', ';R=100;G=200', { R: 100, G: 200 }],
    ['simple', true, 'object', '__proto__=1', Object.fromEntries([['__proto__', '1']])],
    ['simple', false, 'object', 'R', { R: '' }],
    ['simple', false, 'list', '', []],
  ])('%s, explode %s, %s: %s', (style, explodes, kind, raw, value) => {
    expect(readAlone(raw, { name: 'p', style, explodes, shape: shapes[kind] }, decodePart)).toEqual({ value });
  });

  it('cannot be read when they are badly encoded', () => {
    expect(readAlone('%zz', { name: 'p', style: 'simple', explodes: false, shape: LIST }, decodePart)).toBe(
      'unreadable',
    );
  });
});

describe('styles of a query', () => {
  it.each<[ParameterStyle, boolean, keyof typeof shapes, string, unknown]>([
    ['form', true, 'primitive', 'a=1&p=5', { value: 5 }],
    ['form', true, 'list', 'p=blue&a=x&p=black+1', { value: ['blue', 'black 1'] }],
    ['form', false, 'list', 'p=blue,black', { value: ['blue', 'black'] }],
    ['form', false, 'list', 'p=b%2Ca,c', { value: ['b,a', 'c'] }],
    ['form', false, 'object', 'p=R,100,G,200', { value: { R: 100, G: 200 } }],
    ['form', true, 'object', 'R=100&x=1&G=200', { value: { R: 100, G: 200 } }],
    ['form', true, 'object', 'x=1', 'absent'],
    ['spaceDelimited', false, 'list', 'p=blue%20black+c', { value: ['blue', 'black', 'c'] }],
    ['pipeDelimited', false, 'list', 'p=blue%7Cblack|c', { value: ['blue', 'black', 'c'] }],
    ['pipeDelimited', false, 'object', 'p=R|100|G|200', { value: { R: 100, G: 200 } }],
    ['deepObject', true, 'object', 'p[R]=100&p%5BG%5D=200&q[R]=1', { value: { R: 100, G: 200 } }],
    ['deepObject', true, 'object', 'p[R]=1&p[R]=2', 'unreadable'],
    ['deepObject', true, 'object', 'p=1', 'absent'],
    ['form', true, 'primitive', 'p=1&p=2', 'unreadable'],
    ['form', false, 'list', 'p=1&p=2', 'unreadable'],
    ['form', true, 'primitive', 'p=%', 'unreadable'],
    ['form', true, 'primitive', 'P=1', 'absent'],
    ['form', true, 'primitive', 'p', { value: '' }],
  ])('%s, explode %s, %s: %s', (style, explodes, kind, query, value) => {
    const serialization = { name: 'p', style, explodes, shape: shapes[kind] };
    expect(readFromPairs(rawPairs(query) ?? [], serialization, decodeFormPart)).toEqual(value);
  });

  it('have a bounded number of pairs', () => {
    expect([rawPairs('a&'.repeat(PAIRS_MAX - 1))?.length, rawPairs('a&'.repeat(PAIRS_MAX + 1))]).toEqual([
      PAIRS_MAX - 1,
      undefined,
    ]);
  });
});

describe('texts', () => {
  it.each<[Record<string, unknown>, string, unknown]>([
    [{ type: 'integer' }, '-12', -12],
    [{ type: 'number' }, '1.5e3', 1500],
    [{ type: 'number' }, '0x10', '0x10'],
    [{ type: 'number' }, '01', '01'],
    [{ type: 'number' }, '', ''],
    [{ type: 'number' }, ' 1', ' 1'],
    [{ type: 'boolean' }, 'true', true],
    [{ type: 'boolean' }, 'TRUE', 'TRUE'],
    [{ type: ['integer', 'null'] }, '', null],
    [{ type: ['string', 'null'] }, '', ''],
    [{ type: 'string' }, '12', '12'],
    [{}, '12', '12'],
    [{ enum: [1, 2] }, '1', 1],
    [{ enum: ['1'] }, '1', '1'],
    [{ allOf: [{ $ref: '#/t' }] }, '1', 1],
    [{ anyOf: [{ type: 'boolean' }, { type: 'integer' }] }, 'false', false],
    [{ $ref: '#/circle' }, '1', '1'],
  ])('%j takes %s', (schema, text, value) => {
    expect(scalarOf(text, shape(schema, { t: { type: 'integer' }, circle: { allOf: [{ $ref: '#/circle' }] } }))).toBe(
      value,
    );
  });
});

describe('forms', () => {
  const form = shape({
    properties: {
      n: { type: 'integer' },
      l: { type: 'array', items: { type: 'integer' } },
      o: { type: 'object' },
      d: { type: 'object' },
    },
  });
  it.each<[string, unknown]>([
    ['n=1&l=1&l=2&x=a%20b+c', { n: 1, l: [1, 2], x: 'a b c' }],
    ['o=%7B%22a%22%3A1%7D', { o: { a: 1 } }],
    ['o={', { o: '{' }],
    ['d[a]=1', { d: { a: '1' } }],
    ['__proto__=1', Object.fromEntries([['__proto__', '1']])],
    ['n=1&n=2', undefined],
    ['%=1', undefined],
    ['', {}],
  ])('%s', (text, value) => {
    expect(formValue(text, form, { d: { style: 'deepObject' } })).toEqual(value);
  });
});

describe('multipart bodies', () => {
  const parts = shape({
    properties: { n: { type: 'integer' }, o: { type: 'object' }, l: { type: 'array', items: { type: 'string' } } },
  });
  const part = (head: string, content: string) =>
    `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
  const value = (text: string, type = 'multipart/form-data; boundary=b') =>
    multipartValue(new TextEncoder().encode(text), type, parts);

  it.each<[string, string, unknown]>([
    ['texts and numbers', `${part('name="n"', '12')}${part('name="ü"', 'éÀ€')}--b--`, { n: 12, ü: 'éÀ€' }],
    ['JSON by its schema', `${part('name="o"', '{"a":1}')}--b--\r\n`, { o: { a: 1 } }],
    ['JSON by its type', `${part('name="x"\r\nContent-Type: application/json', '[1]')}--b--`, { x: [1] }],
    ['lists', `${part('name="l"', 'a')}--b--`, { l: ['a'] }],
    ['files', `${part('name="f"; filename="a.bin"\r\nContent-Type: image/png', '\u0001')}--b--`, { f: '\u0001' }],
    ['names without quotes', `${part('name=n', '3')}${part('filename=a.bin; name=f', 'x')}--b--`, { n: 3, f: 'x' }],
    ['names with quotes', `${part(String.raw`filename="a; name=\"n\""; name="q\"\\"`, 'x')}--b--`, { 'q"\\': 'x' }],
    ['something before', `preamble\r\n${part('name="n"', '1')}--b--`, { n: 1 }],
    ['no end', part('name="n"', '1'), undefined],
    ['no name', `${part('filename="a"', '1')}--b--`, undefined],
    ['no head', '--b\r\nx\r\n--b--', undefined],
    ['nothing', '', undefined],
  ])('%s', (_name, text, expected) => {
    expect(value(text)).toEqual(expected);
  });

  it('need a boundary', () => {
    expect([
      value('--b--', 'multipart/form-data'),
      value('--b--'),
      value('--b c--', 'multipart/form-data; boundary="b c"'),
    ]).toEqual([undefined, {}, {}]);
  });
});
