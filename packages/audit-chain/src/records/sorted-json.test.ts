import canonicalize from 'canonicalize';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sortedJson } from './sorted-json.ts';

const value = fc.jsonValue({ maxDepth: 4 });
const nested = (levels: number): unknown => (levels === 0 ? {} : { a: nested(levels - 1) });

describe('the form of plain values', () => {
  it('is that of canonicalize, for whatever JSON holds, and leaves the value as it is', () => {
    fc.assert(
      fc.property(value, (made) => {
        const before = JSON.stringify(made);
        const text = sortedJson(made);
        if (text !== undefined) expect(text).toBe(canonicalize(made));
        expect(JSON.stringify(made)).toBe(before);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    [{ b: 1, a: { d: [{ f: 1, e: 2 }], c: null } }, '{"a":{"c":null,"d":[{"e":2,"f":1}]},"b":1}'],
    [{ a: 1, b: { d: 1, c: 2 }, e: { g: 1, f: 2 } }, '{"a":1,"b":{"c":2,"d":1},"e":{"f":2,"g":1}}'],
    [[-0, 1e-7, 0.1, 'ü€😀"\\\n'], '[0,1e-7,0.1,"ü€😀\\"\\\\\\n"]'],
    ['text', '"text"'],
    [null, 'null'],
  ])('of %j is %s', (given, form) => {
    expect(sortedJson(given) ?? canonicalize(given)).toBe(form);
    expect(canonicalize(given)).toBe(form);
  });

  it('is there for records as they are stored', () => {
    expect(
      sortedJson({ name: 'a', enabled: true, labels: { stage: 'x' }, methods: ['GET'], weight: 1.5 }),
    ).toBeDefined();
  });

  it.each([
    ['numbers that JSON has not', { a: Number.NaN }],
    ['integers that readers round', { a: 2 ** 53 }],
    ['nothing', { a: undefined }],
    ['holes', Array(1)],
    ['objects of classes', { a: new Date(0) }],
    ['objects that say what they are', { a: { toJSON: () => 1 } }],
    ['keys that look like indexes', { 10: 1, 9: 2 }],
    ['keys that reach the prototype', JSON.parse('{"__proto__":1}')],
    ['U+0000', { a: '\u0000' }],
    ['half a pair', { ['\ud800']: 1 }],
    ['what is nested too deep', nested(70)],
  ])('is not said of values with %s', (_, given: unknown) => {
    expect(sortedJson(given)).toBeUndefined();
  });
});
