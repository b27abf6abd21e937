import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BundleRecord } from './json-values.ts';
import { pointerTo, valueAt, withAncestors, withValuesAt } from './json-pointer.ts';

const record = () => ({ a: { list: [{ key: 'one' }, { key: 'two' }], 'x/y~z': 'three' }, b: { c: 'four' }, d: 'five' });

describe('withValuesAt', () => {
  it('changes places, copies what holds them once, and leaves the rest and the original alone', () => {
    const before = record();
    const after = withValuesAt(before, [
      ['/a/list/0/key', 1],
      ['/a/list/1/key', 2],
      ['/a/x~1y~0z', 3],
    ]);
    expect(after).toEqual({ ...record(), a: { list: [{ key: 1 }, { key: 2 }], 'x/y~z': 3 } });
    expect(after['b']).toBe(before.b);
    expect(before).toEqual(record());
  });

  it('leaves out what is no place', () => {
    const before = record();
    for (const pointer of [
      '',
      '/none',
      '/a/list/2',
      '/a/list/00',
      '/d/0',
      '/a/list/length',
      '/__proto__/x',
      '/toString',
    ]) {
      expect(withValuesAt(before, [[pointer, 'x']]), pointer).toBe(before);
    }
  });

  it('does what changing one place after the other does', () => {
    const places = fc.uniqueArray(fc.constantFrom('/a/list/0/key', '/a/list/1/key', '/a/x~1y~0z', '/b/c', '/d'));
    fc.assert(
      fc.property(places, (pointers) => {
        const values = pointers.map((pointer, index) => [pointer, index] as const);
        const stepwise = values.reduce<BundleRecord>((done, value) => withValuesAt(done, [value]), record());
        const atOnce = withValuesAt(record(), values);
        expect(atOnce).toEqual(stepwise);
        for (const [pointer, value] of values) expect(valueAt(atOnce, pointer)).toBe(value);
      }),
    );
  });
});

it('ancestors of pointers are all that they lie in', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.string({ maxLength: 3 }), { minLength: 1, maxLength: 4 })), (paths) => {
      const pointers = paths.map((steps) => steps.reduce(pointerTo, ''));
      const asked = paths.flatMap((steps) => steps.map((_, end) => steps.slice(0, end + 1).reduce(pointerTo, '')));
      const all = withAncestors(pointers);
      expect(new Set(all)).toEqual(new Set(asked));
    }),
  );
});
