import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isJsonObject, type JsonObject } from '../../json.ts';
import { UnsupportedRequestError } from '../errors.ts';
import { closedSchema } from './closed-schema.ts';

const text = { type: 'string' };

function closed(properties: JsonObject, more: JsonObject = {}): JsonObject {
  return { type: 'object', properties, additionalProperties: false, ...more };
}

test.each<[string, JsonObject, JsonObject]>([
  [
    'an object is closed, and objects in it',
    {
      $schema: 'x',
      type: 'object',
      properties: { a: { type: 'object', properties: { b: text } } },
      required: ['a', 'z'],
    },
    closed({ a: closed({ b: text }) }, { required: ['a'] }),
  ],
  [
    'an open object loses other names',
    { type: 'object', properties: { a: text }, additionalProperties: text },
    closed({ a: text }),
  ],
  ['an object may be empty', { type: 'object', properties: {} }, closed({})],
  [
    'limits become words',
    { type: 'string', description: 'A name.', minLength: 1, pattern: '^a' },
    { type: 'string', description: 'A name.\n\nJSON Schema: {"minLength":1,"pattern":"^a"}' },
  ],
  ['a known format stays', { type: 'string', format: 'uuid' }, { type: 'string', format: 'uuid' }],
  [
    'another becomes words',
    { type: 'string', format: 'x' },
    { type: 'string', description: 'JSON Schema: {"format":"x"}' },
  ],
  ['one item at least', { type: 'array', items: text, minItems: 1 }, { type: 'array', items: text, minItems: 1 }],
  [
    'more items become words',
    { type: 'array', items: text, minItems: 2, maxItems: 3 },
    { type: 'array', items: text, description: 'JSON Schema: {"minItems":2,"maxItems":3}' },
  ],
  ['plain types may be several', { type: ['string', 'null'] }, { type: ['string', 'null'] }],
  [
    'an object or nothing',
    { title: 't', type: ['object', 'null'], properties: { a: text } },
    { title: 't', anyOf: [closed({ a: text }), { type: 'null' }] },
  ],
  ['values tell their type', { type: ['string', 'null'], enum: ['a', null] }, { enum: ['a', null] }],
  ['a constant', { const: null }, { const: null }],
  [
    'oneOf',
    { oneOf: [text, { const: 1 }], discriminator: 'k' },
    { anyOf: [text, { const: 1 }], description: 'JSON Schema: {"discriminator":"k"}' },
  ],
  ['options of a type', { type: 'string', anyOf: [{ format: 'uri' }] }, { anyOf: [{ type: 'string', format: 'uri' }] }],
  [
    'options of names',
    { properties: { a: text }, anyOf: [{ required: ['a'] }] },
    closed({ a: text }, { description: 'JSON Schema: {"anyOf":[{"required":["a"]}]}' }),
  ],
  [
    'allOf is one schema',
    {
      $defs: { a: { type: 'object', properties: { x: text } } },
      allOf: [{ $ref: '#/$defs/a' }, { properties: { y: text }, required: ['y'] }],
    },
    closed({ x: text, y: text }, { required: ['y'] }),
  ],
  [
    'definitions are written once',
    {
      definitions: { 'a b': { type: 'object', properties: { x: text } } },
      type: 'object',
      properties: { p: { $ref: '#/definitions/a b', description: 'd' }, q: { $ref: '#/definitions/a b' } },
    },
    closed({ p: { $ref: '#/$defs/a_b' }, q: { $ref: '#/$defs/a_b' } }, { $defs: { a_b: closed({ x: text }) } }),
  ],
  [
    'definitions of one name',
    {
      $defs: { a: text },
      definitions: { a: { type: 'null' } },
      anyOf: [{ $ref: '#/$defs/a' }, { $ref: '#/definitions/a' }],
    },
    { anyOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a_' }], $defs: { a: text, a_: { type: 'null' } } },
  ],
  ['a root that refers', { $defs: { a: text }, $ref: '#/$defs/a' }, text],
])('%s', (_what, schema, expected) => {
  expect(closedSchema(schema)).toEqual(expected);
});

test('a property of any name stays one', () => {
  const schema = JSON.parse(
    '{"type":"object","properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}',
  ) as JsonObject;
  expect(JSON.stringify(closedSchema(schema))).toBe(
    '{"type":"object","properties":{"__proto__":{"type":"string"}},"additionalProperties":false,"required":["__proto__"]}',
  );
});

describe('refused', () => {
  test.each<[string, JsonObject]>([
    ['refers to itself', { $ref: '#' }],
    ['holds itself', { type: 'object', properties: { a: { $ref: '#' } } }],
    [
      'holds itself by a definition',
      { $defs: { a: { type: 'array', items: { $ref: '#/$defs/a' } } }, type: 'array', items: { $ref: '#/$defs/a' } },
    ],
    ['holds itself by allOf', { type: 'object', properties: { a: { allOf: [{ $ref: '#' }] } } }],
    ['refers to nothing', { type: 'array', items: { $ref: '#/$defs/a' } }],
    ['has values of no type', { type: 'object', properties: { a: {} } }],
    ['has anything', { type: 'object', properties: { a: true } }],
    ['says no names', { type: 'object' }],
    ['is a dictionary', { type: 'object', properties: {}, additionalProperties: text }],
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
  ])('one that %s', (_what, schema) => {
    expect(() => closedSchema(schema)).toThrow(UnsupportedRequestError);
  });

  test('one whose long text is referred to often', () => {
    const $defs = { long: { type: 'string', examples: ['x'.repeat(100_000)] } };
    const properties = Object.fromEntries(
      Array.from({ length: 50 }, (_, at) => [`p${at}`, { allOf: [{ $ref: '#/$defs/long' }] }]),
    );
    expect(() => closedSchema({ $defs, type: 'object', properties })).toThrow(UnsupportedRequestError);
  });
});

/** Objects that are not closed, and references to nothing. */
function faults(schema: unknown, definitions: ReadonlySet<string>): readonly string[] {
  if (!isJsonObject(schema)) return ['no schema'];
  const { type, properties, items, anyOf, $ref } = schema;
  const own: string[] = [];
  if (type === 'object' && (schema['additionalProperties'] !== false || !isJsonObject(properties))) own.push('open');
  if (typeof $ref === 'string' && !definitions.has($ref.replace('#/$defs/', ''))) own.push('lost');
  const inner = [
    ...(isJsonObject(properties) ? Object.values(properties) : []),
    ...(Array.isArray(anyOf) ? anyOf : []),
    ...(items === undefined ? [] : [items]),
  ];
  return [...own, ...inner.flatMap((one) => faults(one, definitions))];
}

test('of any JSON comes a closed schema or a refusal', () => {
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
    fc.property(schema, fc.constantFrom('object', 'array', undefined), (value, type) => {
      const given = { type, properties: { a: value, b: value }, items: value, $defs: { a: value } };
      let written: JsonObject;
      try {
        written = closedSchema(JSON.parse(JSON.stringify(given)) as JsonObject);
      } catch (error) {
        expect(error).toBeInstanceOf(UnsupportedRequestError);
        return;
      }
      const definitions = isJsonObject(written['$defs']) ? written['$defs'] : {};
      const names = new Set(Object.keys(definitions));
      expect([written, ...Object.values(definitions)].flatMap((one) => faults(one, names))).toEqual([]);
    }),
  );
});
