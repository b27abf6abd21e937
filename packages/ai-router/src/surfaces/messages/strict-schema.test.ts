import { expect, test } from 'vitest';
import type { JsonObject } from '../../json.ts';
import { isStrictSchema } from './strict-schema.ts';

const text = { type: 'string' };

function closed(properties: JsonObject, more: JsonObject = {}): JsonObject {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false, ...more };
}

function nested(depth: number): JsonObject {
  return depth === 1 ? closed({}) : closed({ a: nested(depth - 1) });
}

test.each<[string, JsonObject]>([
  ['of texts', closed({ a: text, b: { type: ['integer', 'null'], minimum: 1 } })],
  ['with definitions', closed({ a: { $ref: '#/$defs/a' } }, { $defs: { a: closed({ x: text }) }, $schema: 'x' })],
  ['with lists and options', closed({ a: { type: 'array', items: { anyOf: [text, closed({ b: { const: 1 } })] } } })],
  ['with known formats', closed({ a: { type: 'string', format: 'uuid', pattern: '^a' } })],
  ['with properties of any name', closed({ default: text, allOf: text })],
  ['of ten objects in one another', nested(10)],
])('one %s is strict', (_what, schema) => {
  expect(isStrictSchema(schema)).toBe(true);
});

test.each<[string, JsonObject]>([
  ['of no type', {}],
  ['of options', { anyOf: [closed({})] }],
  ['of a list', { type: 'array', items: text }],
  ['with a property that may be missing', { ...closed({ a: text, b: text }), required: ['a'] }],
  ['that is open', { ...closed({ a: text }), additionalProperties: true }],
  ['that says nothing of other names', { type: 'object', properties: { a: text }, required: ['a'] }],
  ['of no names', { type: 'object', additionalProperties: false }],
  ['with an open object within a list', closed({ a: { type: 'array', items: { type: 'object' } } })],
  ['with an open definition', closed({}, { $defs: { a: { type: 'object', properties: {} } } })],
  ['with an object or nothing that is open', closed({ a: { type: ['object', 'null'] } })],
  ['with allOf', closed({ a: { allOf: [text] } })],
  ['with a default', closed({ a: { type: 'string', default: 'x' } })],
  ['with another format', closed({ a: { type: 'string', format: 'uri' } })],
  ['with anything', closed({ a: true })],
  ['of eleven objects in one another', nested(11)],
])('one %s is not', (_what, schema) => {
  expect(isStrictSchema(schema)).toBe(false);
});
