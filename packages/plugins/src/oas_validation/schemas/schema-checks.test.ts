import { referredIn } from '@portcullis/openapi';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { surveySchemas } from './check-schemas.ts';
import type { Direction } from './convert-schema.ts';
import { dialectOf } from './keywords.ts';
import { SchemaChecks } from './schema-checks.ts';
import { isUnique } from './unique-items.ts';

interface Options {
  readonly version?: string;
  readonly direction?: Direction;
  readonly isWhole?: boolean;
}

/** The rule that a value breaks by the schema `a` of a document. */
function rule(document: object, value: unknown, { version = '3.1', direction = 'request', isWhole }: Options = {}) {
  const follow = referredIn(document);
  const dialect = dialectOf(version);
  const schema = (document as { readonly a: Readonly<Record<string, unknown>> }).a;
  const survey = surveySchemas([[schema, '/a']], follow, dialect);
  expect(survey.mistakes).toEqual([]);
  const checks = new SchemaChecks(follow, dialect, isWhole ?? survey.hasUnevaluated);
  const violation = checks.checkOf({ value: schema, pointer: '/a' }, direction)(value);
  return violation && `${violation.pointer} ${violation.rule}`;
}

const tree = { a: { type: 'object', properties: { next: { $ref: '#/a' }, n: { type: 'integer' } }, required: ['n'] } };

describe.each([false, true])('schemas that are compiled together: %s', (isWhole) => {
  it.each<[string, object, unknown, string | undefined]>([
    ['itself', tree, { n: 1, next: { n: 2, next: { n: 'x' } } }, '/next/next/n type'],
    ['itself, right', tree, { n: 1, next: { n: 2 } }, undefined],
    ['siblings of a reference', { a: { $ref: '#/b', maxLength: 2 }, b: { minLength: 2 } }, 'abc', ' maxLength'],
    ['and what it leads to', { a: { $ref: '#/b', maxLength: 2 }, b: { minLength: 2 } }, 'a', ' minLength'],
    ['escaped places', { a: { $ref: '#/x~1y~0z' }, 'x/y~z': { type: 'null' } }, 1, ' type'],
    ['types', { a: { type: ['string', 'null'] } }, 1, ' type'],
    ['const', { a: { const: { x: [1] } } }, { x: [2] }, ' const'],
    ['items behind the first', { a: { prefixItems: [{}], items: { type: 'string' } } }, [1, 2], '/1 type'],
    ['many values', { a: { enum: Array.from({ length: 100 }, (_, index) => index) } }, 100, ' enum'],
    ['no first items', { a: { prefixItems: [], items: { type: 'string' } } }, [2], '/0 type'],
    ['contains', { a: { contains: { type: 'null' }, maxContains: 1 } }, [null, null], ' contains'],
    ['if', { a: { if: { type: 'string' }, else: { minimum: 2 } } }, 1, ' minimum'],
    ['names', { a: { propertyNames: { maxLength: 1 } } }, { ab: 1 }, ' propertyNames'],
    ['names by pattern', { a: { patternProperties: { '^x': { type: 'null' } } } }, { xy: 1 }, '/xy type'],
    ['what others require', { a: { dependentRequired: { b: ['c'] } } }, { b: 1 }, ' dependentRequired'],
    ['a schema that is false', { a: { properties: { b: false } } }, { b: 1 }, '/b false'],
    ['names that every object has', { a: { required: ['toString'] } }, {}, ' required'],
    ['a format', { a: { format: 'ipv4' } }, '1.2.3.256', ' format'],
    ['a number of 32 bits', { a: { format: 'int32' } }, 2 ** 31, ' format'],
    ['a format that nobody knows', { a: { format: 'colour' } }, 'x', undefined],
    ['a number beyond all', { a: { type: 'integer' } }, Number.POSITIVE_INFINITY, ' type'],
    ['a number beyond all, of any kind', { a: { items: { type: ['number', 'null'] } } }, [-1 / 0], '/0 type'],
    ['multiples', { a: { multipleOf: 0.1 } }, 0.3, undefined],
    [
      'words of other dialects',
      { a: { divisibleBy: 2, nullable: false, exclusiveMinimum: 1 } },
      1,
      ' exclusiveMinimum',
    ],
  ])('%s', (_name, document, value, expected) => {
    expect(rule(document, value, { isWhole })).toBe(expected);
  });

  it.each([
    [
      'in all that lead to it',
      { a: { anyOf: [{ $ref: '#/b' }, { $ref: '#/b' }] }, b: { items: { $ref: '#/a' }, type: 'array' } },
    ],
    ['in all of two', { a: { allOf: [{ $ref: '#/b' }, { $ref: '#/b' }] }, b: { items: { $ref: '#/a' } } }],
  ])('gives up on a value that is made for a schema: %s', (_name, document) => {
    const value: unknown = JSON.parse(`${'['.repeat(60)}1${']'.repeat(60)}`);
    expect(rule(document, value, { isWhole })).toBe(' complexity');
  });

  const base = { properties: { id: { type: 'integer', readOnly: true }, pw: { writeOnly: true } } };
  it.each<[string, object]>([
    ['beside allOf', { required: ['id', 'n'], allOf: [{ $ref: '#/b' }], properties: { n: {} } }],
    ['in another part', { allOf: [{ $ref: '#/b' }, { required: ['id', 'n'] }] }],
    ['in a part that is referred to', { allOf: [{ $ref: '#/c' }, { allOf: [{ $ref: '#/b' }] }] }],
  ])('what is read only is required in answers alone, where it is required %s', (_name, a) => {
    const document = { a, b: base, c: { required: ['id', 'n'] } };
    const outcomes = (value: object) =>
      (['request', 'response'] as const).map((direction) =>
        rule(document, value, { version: '3.0', direction, isWhole }),
      );
    expect([outcomes({ n: 1 }), outcomes({ id: 1 })]).toEqual([
      [undefined, ' required'],
      [' required', ' required'],
    ]);
  });

  const long = 'a'.repeat(300_000);
  it.each<[string, object]>([
    ['their length', { maxLength: 200_000 }],
    ['their format', { format: 'byte' }],
    ['a value that they are', { const: long }],
  ])('gives up on a long text of which 100 schemas say %s', (_name, one) => {
    const b = { allOf: Array.from({ length: 100 }, (_, at) => ({ ...one, title: `${at}` })) };
    const a = { allOf: Array.from({ length: 100 }, () => ({ $ref: '#/b' })) };
    const text = 'maxLength' in one ? '\u{1f600}'.repeat(150_000) : long;
    expect(rule({ a, b }, text, { isWhole })).toBe(' complexity');
  });

  it('gives up on large lists that are compared again and again', () => {
    const list = Array.from({ length: 2000 }, (_, at) => at);
    const a = { items: { enum: Array.from({ length: 30 }, (_, at) => [...list, at]) } };
    const value = Array.from({ length: 240 }, () => [...list, 29]);
    expect(rule({ a }, value, { isWhole })).toBe(' complexity');
  });

  it.each<[object, string, string | undefined]>([
    [{ maxLength: 2 }, '\u{1f600}\u{1f600}', undefined],
    [{ maxLength: 2 }, '\u{1f600}ab', ' maxLength'],
    [{ maxLength: 1 }, 'abc', ' maxLength'],
    [{ minLength: 2 }, '\u{1f600}', ' minLength'],
    [{ minLength: 2 }, '\u{1f600}b', undefined],
    [{ minLength: 2 }, '\ud83d\ud83d', undefined],
    [{ minLength: 0 }, '', undefined],
  ])('counts characters and not units: %j, %j', (a, text, expected) => {
    expect(rule({ a }, text, { isWhole })).toBe(expected);
  });

  it.each<[string, object]>([
    ['allOf', { allOf: [{ $ref: '#/c' }], nullable: true }],
    ['oneOf', { oneOf: [{ $ref: '#/c' }], nullable: true }],
  ])('tells the rule that is broken where null is allowed beside %s', (keyword, d) => {
    const document = { a: { properties: { d } }, c: { required: ['k'] } };
    const of = (value: unknown) => rule(document, { d: value }, { version: '3.0', isWhole });
    expect([of(null), of({ k: 1 }), of({})]).toEqual([
      undefined,
      undefined,
      keyword === 'allOf' ? '/d required' : '/d oneOf',
    ]);
  });

  it('what is required elsewhere stays required there', () => {
    const document = {
      a: { properties: { x: { $ref: '#/c' }, y: { allOf: [{ $ref: '#/b' }, { $ref: '#/c' }] } } },
      b: base,
      c: { required: ['id'] },
    };
    expect([rule(document, { y: {} }, { isWhole }), rule(document, { x: {} }, { isWhole })]).toEqual([
      undefined,
      '/x required',
    ]);
  });

  it('gives up on a value that is nested beyond the stack', () => {
    const value: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    expect(rule({ a: { items: { $ref: '#/a' } } }, value, { isWhole })).toBe(' complexity');
  });
});

describe('schemas that are too many to be compiled together', () => {
  it('are given up on once', () => {
    const count = 4000;
    const one = (at: number) => ({
      properties: { n: { $ref: `#/s/${(at + 1) % count}` } },
      unevaluatedProperties: false,
    });
    const document = { s: Array.from({ length: count }, (_, at) => one(at)) };
    const follow = referredIn(document);
    let followed = 0;
    const counted: typeof follow = (...parts) => {
      followed += 1;
      return follow(...parts);
    };
    const check = new SchemaChecks(counted, dialectOf('3.1'), true).checkOf(
      { value: one(0), pointer: '/s/0' },
      'request',
    );
    expect(check({})).toMatchObject({ rule: 'complexity', message: 'has too large a schema to be checked' });
    const before = followed;
    expect([check({})?.rule, followed > 0, followed]).toEqual(['complexity', true, before]);
  });
});

describe('what nobody looked at', () => {
  const a = { $ref: '#/b', properties: { own: {} }, unevaluatedProperties: false };
  const document = { a, b: { allOf: [{ $ref: '#/c' }] }, c: { properties: { far: {} } } };
  it.each<[object, string | undefined]>([
    [{ own: 1, far: 2 }, undefined],
    [{ own: 1, 'o/t': 2 }, '/o~1t unevaluatedProperties'],
  ])('%j', (value, expected) => {
    expect(rule(document, value)).toBe(expected);
  });
});

describe('version 3.0', () => {
  const read = {
    required: ['r', 'w', 'l'],
    properties: { r: { readOnly: true }, w: { writeOnly: true }, l: { $ref: '#/l' } },
  };
  it.each<[string, object, unknown, string | undefined, Direction?]>([
    ['nullable', { a: { type: 'string', nullable: true } }, null, undefined],
    ['nullable, of values', { a: { type: 'string', nullable: true, enum: ['x'] } }, null, undefined],
    ['nullable, of values, another', { a: { type: 'string', nullable: true, enum: ['x'] } }, 'y', ' enum'],
    ['nullable beside allOf', { a: { nullable: true, allOf: [{ type: 'string' }] } }, null, undefined],
    ['not nullable', { a: { type: 'string' } }, null, ' type'],
    ['exclusive', { a: { minimum: 1, exclusiveMinimum: true } }, 1, ' exclusiveMinimum'],
    ['not exclusive', { a: { maximum: 1, exclusiveMaximum: false } }, 1, undefined],
    ['nothing beside a reference', { a: { $ref: '#/b', maxLength: 1 }, b: { type: 'string' } }, 'ab', undefined],
    ['words of 3.1', { a: { const: 1, if: 1, $id: 'x' } }, 2, undefined],
    ['read only', { a: read, l: { readOnly: true } }, { w: 1 }, undefined],
    ['write only', { a: read, l: {} }, { r: 1, l: 1 }, undefined, 'response'],
    ['read only, in an answer', { a: read, l: {} }, { w: 1, l: 1 }, ' required', 'response'],
  ])('%s', (_name, document, value, expected, direction = 'request') => {
    expect(rule(document, value, { version: '3.0', direction })).toBe(expected);
  });
});

describe('a schema of many schemas', () => {
  it('is compiled piece by piece, to the same effect', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`p${index}`, { type: 'integer' }]),
    );
    const document = { a: { properties } };
    expect([rule(document, { p499: 1 }), rule(document, { p499: 'x' }), rule(document, { p1: 'x' })]).toEqual([
      undefined,
      '/p499 type',
      '/p1 type',
    ]);
  });
});

describe('lists that are to have no item twice', () => {
  it('are looked at up to a bound', () => {
    const items = (count: number) => Array.from({ length: count }, (_, index) => ({ index }));
    const document = { a: { uniqueItems: true } };
    expect([
      rule(document, items(10_000)),
      rule(document, [...items(10), { index: 1 }]),
      rule(document, items(60_000)),
    ]).toEqual([undefined, ' uniqueItems', ' complexity']);
  });
});

describe('patterns', () => {
  it('are looked for in so much text and no more', () => {
    const names = Array.from({ length: 100 }, (_, index) => [`^a${index}z$`, {}]);
    const document = { a: { patternProperties: Object.fromEntries(names) as object } };
    const value = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));
    expect([rule(document, value(500)), rule(document, value(2000))]).toEqual([undefined, ' complexity']);
  });
});

describe('isUnique', () => {
  it.each<[unknown[], boolean]>([
    [[1, '1', true, 'true', null, 'null'], true],
    [
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      false,
    ],
    [[[['a', 1]], { a: 1 }], true],
    [[{}, []], true],
    [
      [
        [1, 2],
        [2, 1],
      ],
      true,
    ],
    [['{"a":1}', { a: 1 }], true],
    [['"', '""'], true],
    [[[{ a: [] }], [{ a: [] }]], false],
  ])('%j: %s', (items, expected) => {
    expect(isUnique(items, () => undefined)).toBe(expected);
  });

  it('is what comparing all pairs says', () => {
    // As a body has them: a minus nought is none there.
    const small = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);
    const sorted = (value: unknown): string =>
      JSON.stringify(value, (_key, inner: unknown) =>
        typeof inner === 'object' && inner !== null && !Array.isArray(inner)
          ? Object.fromEntries(Object.entries(inner).toSorted(([x], [y]) => (x < y ? -1 : 1)))
          : inner,
      );
    fc.assert(
      fc.property(fc.array(small, { maxLength: 6 }), (items) => {
        expect(isUnique(items, () => undefined)).toBe(new Set(items.map(sorted)).size === items.length);
      }),
    );
  });
});
