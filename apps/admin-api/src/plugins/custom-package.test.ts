import { describe, expect, it } from 'vitest';
import { customPlugin, schemaProblems } from './custom-package.ts';
import type { Values } from '../resources/values.ts';
import { schemaLimits } from './schema-structure.ts';

const object = (properties: object, more: object = {}): Values => ({ type: 'object', properties, ...more });
const problemsOf = (schema: Values): string[] =>
  schemaProblems(schema).map(({ pointer, code }) => `${pointer} ${code}`);

/** `levels` definitions that each name the next one twice: two to the power of `levels` checks for one value. */
function doubling(levels: number): Values {
  const definitions = Array.from({ length: levels }, (_, level) => {
    const $ref = `#/$defs/l${level + 1}`;
    return [`l${level}`, { allOf: [{ $ref }, { $ref }] }] as const;
  });
  return object({ a: { $ref: '#/$defs/l0' } }, { $defs: { ...Object.fromEntries(definitions), [`l${levels}`]: {} } });
}

function nested(levels: number): Values {
  let schema: Values = { type: 'string' };
  for (let level = 0; level < levels; level += 1) schema = object({ a: schema });
  return schema;
}

describe('the schema of a custom package', () => {
  it.each<[string, Values]>([
    [
      'every kind of rule',
      object({ a: { enum: [1, 'b', null] }, b: { oneOf: [{ type: 'string' }, { type: 'number' }] } }),
    ],
    [
      'definitions',
      object({ a: { $ref: '#/$defs/a' }, b: { $ref: '#/$defs/a' } }, { $defs: { a: { type: 'string' } } }),
    ],
    ['named patterns', object({}, { patternProperties: { '^x-\\d+$': { type: 'string' } }, minProperties: 1 })],
    ['a field called $ref', object({ $ref: { type: 'string' }, properties: { type: 'object' } })],
    ['data that looks like rules', object({ a: { const: { $ref: 'https://example.test/', pattern: '(' } } })],
    ['annotations', object({ a: { type: 'string', format: 'whatever', title: 't', 'x-order': 1, 'x-secret': true } })],
    ['its dialect', { ...object({}), $schema: 'https://json-schema.org/draft/2020-12/schema' }],
    ['many fields', object(Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`f${n}`, { type: 'string' }])))],
  ])('may have %s', (_name, schema) => {
    expect(schemaProblems(schema)).toEqual([]);
  });

  it.each<[string, Values, string]>([
    ['no type', { properties: {} }, '/type object_schema'],
    ['another type', { type: 'array' }, '/type object_schema'],
    ['a type that is none', object({ a: { type: 'strng' } }), '/properties/a/type invalid_schema'],
    ['a rule of the wrong kind', object({ a: { maxLength: 'x' } }), '/properties/a/maxLength invalid_schema'],
    ['a keyword that nobody knows', object({ a: { maxLenght: 3 } }), ' invalid_schema'],
    [
      'another dialect',
      { ...object({}), $schema: 'http://json-schema.org/draft-07/schema#' },
      '/$schema unknown_value',
    ],
    [
      'a remote reference',
      object({ a: { $ref: 'https://example.test/s.json' } }),
      '/properties/a/$ref reference_not_found',
    ],
    ['a file', object({ a: { $ref: 'file:///etc/passwd' } }), '/properties/a/$ref reference_not_found'],
    ['a reference to nothing', object({ a: { $ref: '#/$defs/none' } }), '/properties/a/$ref reference_not_found'],
    [
      'a reference up its prototype',
      object({ a: { $ref: '#/constructor' } }),
      '/properties/a/$ref reference_not_found',
    ],
    [
      'a reference into data',
      object({ a: { const: { pattern: '(' } }, b: { $ref: '#/properties/a/const' } }),
      '/properties/b/$ref reference_not_found',
    ],
    ['a reference that is no text', object({ a: { $ref: 1 } }), '/properties/a/$ref reference_not_found'],
    ['an ID of its own', object({ a: { $id: 'https://example.test/' } }), '/properties/a/$id unknown_field'],
    ['dynamic references', object({ a: { $dynamicRef: '#a' } }), '/properties/a/$dynamicRef unknown_field'],
    ['a reference to itself', object({ a: { $ref: '#' } }), ' recursive'],
    ['a pattern that looks ahead', object({ a: { pattern: '(?=a)' } }), '/properties/a/pattern pattern'],
    ['a pattern that looks back', object({ a: { pattern: '(a)\\1' } }), '/properties/a/pattern pattern'],
    ['a pattern that is none', object({}, { patternProperties: { '(': {} } }), '/patternProperties/( pattern'],
    ['a long pattern', object({ a: { pattern: 'a'.repeat(513) } }), '/properties/a/pattern pattern'],
    [
      'a pattern of a million steps',
      object({ a: { pattern: '((a{100}){100}){100}' } }),
      '/properties/a/pattern pattern',
    ],
    [
      'too many patterns',
      object(Object.fromEntries(Array.from({ length: 5 }, (_, n) => [`f${n}`, { pattern: 'a{900}' }]))),
      ' too_complex',
    ],
    ['checks that multiply', doubling(40), ' too_complex'],
    [
      'a long list at many places',
      object(Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`f${n}`, { uniqueItems: true }]))),
      ' too_complex',
    ],
    ['too much text', object({ a: { description: 'x'.repeat(schemaLimits.charactersMax) } }), ' max_length'],
  ])('must not have %s', (_name, schema, problem) => {
    expect(problemsOf(schema)).toContain(problem);
  });

  it('is at most so deep', () => {
    expect(problemsOf(nested(30))).toEqual([]);
    expect(problemsOf(nested(40))[0]).toMatch(/ too_deep$/);
  });
});

describe('a config of a custom package', () => {
  const issuesOf = (configSchema: Values, config: unknown): string[] => {
    const outcome = customPlugin({ name: 'p', version: '1.0.0', configSchema }).compile(config);
    return outcome.ok ? [] : outcome.issues.map(({ pointer, code }) => `${pointer} ${code}`);
  };

  it.each<[string, Values, unknown, string[]]>([
    ['nothing at all', object({}), undefined, []],
    ['what is required', object({}, { required: ['a/b'] }), {}, ['/a~1b required']],
    ['no other fields', object({}, { additionalProperties: false }), { a: 1 }, ['/a unknown_field']],
    ['nothing inherited', object({}, { required: ['constructor'] }), {}, ['/constructor required']],
    [
      'a field called __proto__',
      object({}, { additionalProperties: false }),
      JSON.parse('{"__proto__":1}'),
      ['/__proto__ unknown_field'],
    ],
    ['the right types', object({ a: { items: { type: 'integer' } } }), { a: [1, 'x'] }, ['/a/1 type']],
    ['formats as notes only', object({ a: { format: 'ipv4' } }), { a: 'no address' }, []],
    ['patterns, by code points', object({ a: { pattern: '^.$' } }), { a: '😀' }, []],
    ['patterns anywhere in the text', object({ a: { pattern: 'b' } }), { a: 'abc' }, []],
  ])('is checked: %s', (_name, schema, config, expected) => {
    expect(issuesOf(schema, config)).toEqual(expected);
  });

  it('says no value in a mistake', () => {
    const schema = object({ a: { enum: ['x'] }, b: { const: 1 }, c: { pattern: '^z$' }, d: { maxLength: 1 } });
    const config = { a: 'canary-1', b: 'canary-2', c: 'canary-3', d: 'canary-4' };
    const outcome = customPlugin({ name: 'p', version: '1.0.0', configSchema: schema }).compile(config);
    expect(JSON.stringify(outcome)).not.toContain('canary');
    expect(outcome).toMatchObject({ issues: [{}, {}, {}, {}] });
  });

  it.each<[string, Values, unknown]>([
    ['a pattern that backtracks', object({ a: { pattern: '^(a+)+$' } }), { a: `${'a'.repeat(60_000)}b` }],
    [
      'the most steps that a schema may have',
      object({ a: { allOf: Array.from({ length: 2 }, () => ({ pattern: '(a?b?){60}c$' })) } }),
      { a: 'abcabd'.repeat(10_000) },
    ],
    ['all items compared', object({ a: { uniqueItems: true } }), { a: Array.from({ length: 650 }, (_, n) => [{ n }]) }],
    [
      'as many alternatives as it may have',
      object({ a: { items: { anyOf: Array.from({ length: 400 }, (_, n) => ({ const: n })) } } }),
      { a: Array.from({ length: 1900 }, () => 399) },
    ],
  ])('costs little: %s', (_name, schema, config) => {
    expect(schemaProblems(schema)).toEqual([]);
    issuesOf(schema, {});
    const startedMs = performance.now();
    issuesOf(schema, config);
    expect(performance.now() - startedMs).toBeLessThan(3000);
  });

  const many = object({ a: { items: { allOf: Array.from({ length: 100 }, () => ({ type: 'number' })) } } });
  const patterned = object({ a: { pattern: '(a?b?){60}c$' } });

  it.each<[string, unknown, string, Values?]>([
    ['many values', { a: Array.from({ length: 2000 }, () => 1) }, ' max_values'],
    ['more values than many rules allow', { a: Array.from({ length: 1990 }, () => 1) }, ' schema_too_costly', many],
    ['more text than its patterns allow', { a: 'x'.repeat(20_000) }, ' schema_too_costly', patterned],
    ['much text', { a: 'x'.repeat(65_536) }, ' max_length'],
  ])('must not be of %s', (_name, config, issue, schema = object({})) => {
    expect(issuesOf(schema, config)).toEqual([issue]);
  });
});
