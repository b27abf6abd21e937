import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { validate } from './field-problems.ts';

const schema = v.strictObject({
  name: v.pipe(v.string(), v.minLength(1, 'must not be empty'), v.maxLength(5)),
  count: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(9))),
  kind: v.optional(v.picklist(['a', 'b'])),
  tags: v.optional(v.array(v.string())),
  inner: v.optional(v.strictObject({ on: v.boolean() })),
  either: v.optional(v.union([v.string(), v.strictObject({ x: v.number() })])),
  map: v.optional(v.record(v.string(), v.string())),
  code: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[a-z]+$/),
      v.check((text) => text !== 'taken'),
    ),
  ),
});

describe('validate', () => {
  it.each([
    ['a missing field', {}, [['/name', 'required']]],
    ['a wrong type', { name: 7 }, [['/name', 'type']]],
    ['an empty name', { name: '' }, [['/name', 'min_length']]],
    ['a long name', { name: 'abcdef' }, [['/name', 'max_length']]],
    ['a number below its range', { name: 'x', count: 0 }, [['/count', 'min_value']]],
    ['a number above its range', { name: 'x', count: 10 }, [['/count', 'max_value']]],
    ['a fraction', { name: 'x', count: 1.5 }, [['/count', 'integer']]],
    ['a word not in the list', { name: 'x', kind: 'c' }, [['/kind', 'one_of']]],
    ['another form', { name: 'x', code: 'A' }, [['/code', 'format']]],
    ['a rule of its own', { name: 'x', code: 'taken' }, [['/code', 'format']]],
    ['a wrong item', { name: 'x', tags: ['a', 1] }, [['/tags/1', 'type']]],
    ['a null where none is allowed', { name: null }, [['/name', 'type']]],
    [
      'nested mistakes',
      { name: 'x', inner: { on: 'yes', off: 1 } },
      [
        ['/inner/on', 'type'],
        ['/inner/off', 'unknown_field'],
      ],
    ],
    ['the best fitting alternative', { name: 'x', either: { x: 's' } }, [['/either/x', 'type']]],
    ['no fitting alternative', { name: 'x', either: 1 }, [['/either', 'type']]],
    ['a map with a wrong value', { name: 'x', map: { 'a/b': 1 } }, [['/map/a~1b', 'type']]],
    ['a list instead of an object', [], [['', 'type']]],
    ['a list instead of a map', { name: 'x', map: [] }, [['/map', 'type']]],
    ['a list instead of an inner object', { name: 'x', inner: [1] }, [['/inner', 'type']]],
    ['a list that no alternative takes', { name: 'x', either: [] }, [['/either', 'type']]],
    ['a text', 'x', [['', 'type']]],
    [
      'several unknown fields',
      { name: 'x', z: 1, y: 2, 'a~b': 3 },
      [
        ['/z', 'unknown_field'],
        ['/y', 'unknown_field'],
        ['/a~0b', 'unknown_field'],
      ],
    ],
    [
      'everything at once',
      { count: 0, z: 1 },
      [
        ['/name', 'required'],
        ['/count', 'min_value'],
        ['/z', 'unknown_field'],
      ],
    ],
  ] as const)('names %s', (_name, value, expected) => {
    const result = validate(schema, value);
    expect(result.ok ? [] : result.problems.map(({ pointer, code }) => [pointer, code])).toEqual(expected);
  });

  it('never repeats a value in a message', () => {
    const canary = 'canary-value';
    const values = [
      { name: [canary] },
      { name: canary },
      { name: 'x', kind: canary },
      { name: 'x', either: { x: canary } },
      canary,
    ];
    for (const value of values) expect(JSON.stringify(validate(schema, value))).not.toContain(canary);
  });

  it('lists at most 100 mistakes', () => {
    const value = { name: 'x', tags: Array.from({ length: 500 }, () => 1) };
    const result = validate(schema, value);
    expect(!result.ok && result.problems.length).toBe(100);
  });
});
