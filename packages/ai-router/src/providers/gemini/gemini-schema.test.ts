import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../json.ts';
import { UnsupportedRequestError } from '../errors.ts';
import { geminiSchema } from './gemini-schema.ts';

test.each<[string, JsonObject, JsonObject]>([
  ['a type', { type: 'string', minLength: 1, $comment: 'x' }, { type: 'STRING', minLength: 1 }],
  ['null among types', { type: ['integer', 'null'] }, { type: 'INTEGER', nullable: true }],
  [
    'several types',
    { description: 'd', type: ['string', 'number'] },
    { description: 'd', anyOf: [{ type: 'STRING' }, { type: 'NUMBER' }] },
  ],
  ['const', { const: 'a' }, { type: 'STRING', enum: ['a'] }],
  ['an enum of texts', { enum: ['a', null] }, { type: 'STRING', enum: ['a'], nullable: true }],
  ['an enum of numbers', { type: 'integer', enum: [1, 2] }, { type: 'INTEGER' }],
  ['formats', { type: 'string', format: 'uuid' }, { type: 'STRING' }],
  ['known formats', { type: 'string', format: 'date-time' }, { type: 'STRING', format: 'date-time' }],
  ['oneOf', { oneOf: [{ type: 'string' }, { type: 'null' }] }, { nullable: true, anyOf: [{ type: 'STRING' }] }],
  ['a list of anything', { type: 'array' }, { type: 'ARRAY', items: { type: 'STRING' } }],
  [
    'references and allOf',
    {
      $defs: { a: { type: 'object', properties: { x: { type: 'string' } }, required: ['x'] } },
      allOf: [{ $ref: '#/$defs/a' }, { properties: { y: { $ref: '#/$defs/a' } }, required: ['y'] }],
    },
    {
      type: 'OBJECT',
      properties: {
        x: { type: 'STRING' },
        y: { type: 'OBJECT', properties: { x: { type: 'STRING' } }, required: ['x'] },
      },
      required: ['x', 'y'],
    },
  ],
])('%s', (_what, schema, expected) => {
  expect(geminiSchema(schema)).toEqual(expected);
});

test('a property of any name stays one', () => {
  const schema = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}') as JsonObject;
  expect(JSON.stringify(geminiSchema(schema))).toBe('{"type":"OBJECT","properties":{"__proto__":{"type":"STRING"}}}');
});

test.each<[string, JsonObject]>([
  ['refers to itself', { $ref: '#' }],
  ['holds itself', { type: 'object', properties: { a: { $ref: '#' } } }],
  ['refers to nothing', { $ref: '#/$defs/a' }],
  ['refers to elsewhere', { $ref: 'https://example.com/a' }],
  ['refers to what it inherits', { $ref: '#/constructor' }],
  ['is too large', { enum: Array.from({ length: 30_000 }, String) }],
  ['has very many types', { type: Array.from({ length: 30_000 }, () => 'string') }],
  ['has very many parts', { type: 'string', allOf: Array.from({ length: 30_000 }, () => 1) }],
  [
    'has very many keywords',
    { type: 'string', ...Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`x${at}`, 1])) },
  ],
  [
    'has very many keywords by allOf',
    { allOf: Array.from({ length: 300 }, (_, at) => ({ type: 'string', [`x${at}`]: 1 })) },
  ],
])('one that %s is refused', (_what, schema) => {
  expect(() => geminiSchema(schema)).toThrow(UnsupportedRequestError);
});

test('one that doubles at each step is refused before it is written', () => {
  const $defs: JsonObject = {};
  for (let at = 0; at < 40; at += 1) {
    const next = { $ref: `#/$defs/d${at + 1}` };
    $defs[`d${at}`] = { type: 'object', properties: { a: next, b: next } };
  }
  $defs['d40'] = { type: 'string' };
  expect(() => geminiSchema({ $defs, $ref: '#/$defs/d0' })).toThrow(UnsupportedRequestError);
});

test('a long text that is referred to often is refused', () => {
  const $defs = { long: { type: 'string', description: 'x'.repeat(100_000) } };
  const properties = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`p${at}`, { $ref: '#/$defs/long' }]));
  expect(() => geminiSchema({ $defs, type: 'object', properties })).toThrow(UnsupportedRequestError);
});

test('nothing but a refusal comes of any JSON', () => {
  const key = fc.constantFrom(
    'type',
    'properties',
    'items',
    'anyOf',
    'allOf',
    '$ref',
    'enum',
    'required',
    '$defs',
    '__proto__',
  );
  const { schema } = fc.letrec<{ schema: unknown }>((tie) => ({
    schema: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom<unknown>('string', 'null', '#', '#/$defs/a', null, 1, 'object', 'array'),
      fc.array(tie('schema'), { maxLength: 3 }),
      fc.dictionary(key, tie('schema'), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(schema, (value) => {
      try {
        geminiSchema(JSON.parse(JSON.stringify({ properties: value, anyOf: value })) as JsonObject);
      } catch (error) {
        expect(error).toBeInstanceOf(UnsupportedRequestError);
      }
    }),
  );
});
