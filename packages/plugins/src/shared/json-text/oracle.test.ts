import fc from 'fast-check';
import { JSONPathEnvironment } from 'json-p3';
import { describe, expect, it } from 'vitest';
import { edited } from './edited.test-support.ts';

const environment = new JSONPathEnvironment();
const names = ['a', 'b', '2', '10', 'x y', '__proto__', 'ü', '"'];
const scalar = fc.oneof(fc.string(), fc.double({ noNaN: true }), fc.boolean(), fc.constant(null));
const { value: json } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    // Objects from pairs: a name may be __proto__.
    fc
      .uniqueArray(fc.tuple(fc.constantFrom(...names), tie('value')), { selector: ([name]) => name, maxLength: 5 })
      .map((pairs) => Object.fromEntries(pairs)),
  ),
}));
const selector = fc.constantFrom(
  ...['.a', '.b', "['2']", "['__proto__']", '[0]', '[-1]', '[*]', '.*', '..a', '..*', '[1:]', '[::-2]', "['a','b']"],
  ...['[0,0]', '[?@.a]', '[?@ == null || @.b]', '..[0]', '..[?@.a == @.b]'],
);
const path = fc.array(selector, { minLength: 1, maxLength: 4 }).map((selectors) => `$${selectors.join('')}`);
const indent = fc.constantFrom<string | undefined>(undefined, ' ', '\t', '\n\r ');

/** The value with the mask in place of what the library finds. */
function masked(value: unknown, query: string): unknown {
  const root = { value: structuredClone(value) };
  // The deepest first: what holds them goes later.
  const locations = environment.query(query, root.value as never).locations();
  for (const location of locations.toSorted((one, other) => other.length - one.length)) {
    let holder = root as unknown as Record<string | number, unknown>;
    let key: string | number = 'value';
    for (const step of location) {
      holder = holder[key] as Record<string | number, unknown>;
      key = step;
    }
    Object.defineProperty(holder, key, { value: '***', writable: true, enumerable: true, configurable: true });
  }
  return root.value;
}

describe('a second implementation of paths', () => {
  it('finds the same places', () => {
    const isSame = fc.property(json, path, indent, (value, query, space) => {
      const text = JSON.stringify(value, undefined, space);
      const result = edited(text, { op: 'replace', path: query, value: '***' });
      const after: unknown = JSON.parse(result === 'unchanged' ? text : result);
      expect(after).toEqual(masked(JSON.parse(text), query));
    });
    fc.assert(isSame, { numRuns: 1500 });
  });
});

describe('texts', () => {
  it('are the same but for what was put in and taken out again', () => {
    const isSame = fc.property(json, indent, (value, space) => {
      const text = JSON.stringify({ held: value }, undefined, space);
      const there = edited(text, { op: 'set', path: 'new.one', value: { two: [1] } });
      expect(JSON.parse(there)).toEqual({ ...(JSON.parse(text) as object), new: { one: { two: [1] } } });
      expect(edited(there, { op: 'remove', path: 'new' })).toBe(text);
    });
    fc.assert(isSame, { numRuns: 300 });
  });

  it('that are no JSON are never edited', () => {
    const isRefused = fc.property(fc.string(), fc.nat(), json, (noise, at, value) => {
      const whole = JSON.stringify({ a: value });
      const text = whole.slice(0, at % whole.length) + noise + whole.slice(at % whole.length);
      let isJson = true;
      try {
        JSON.parse(text);
      } catch {
        isJson = false;
      }
      expect(edited(text, { op: 'remove', path: '$..b' }) === 'malformed').toBe(!isJson);
    });
    fc.assert(isRefused, { numRuns: 500 });
  });
});
