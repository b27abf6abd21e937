import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasDuplicateNames } from './duplicate-names.ts';

describe('hasDuplicateNames', () => {
  it.each<[string, boolean]>([
    ['{"a":1,"a":1}', true],
    ['{"a":1,"\\u0061":2}', true],
    ['[{"b":{"a":1,"x":[],"a":{}}}]', true],
    ['{"__proto__":1,"__proto__":2}', true],
    ['{"a":{"a":1},"b":{"a":2}}', false],
    ['{"a":":\\":\\\\","b\\\\":":"}', false],
    ['[":",":"]', false],
    ['{"1":1,"01":2}', false],
    ['{"__proto__":{"a":1}}', false],
    ['"a:b"', false],
    ['{}', false],
  ])('%s: %s', (text, expected) => {
    expect(hasDuplicateNames(text, JSON.parse(text))).toBe(expected);
  });

  it('finds none in what was written of a value, and one that was put into it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), fc.boolean(), (value, name, isTwice) => {
        const member = `${JSON.stringify(name)}:${JSON.stringify(value)}`;
        const text = `{ ${member}${isTwice ? `,${member}` : ''} }`;
        expect(hasDuplicateNames(text, JSON.parse(text))).toBe(isTwice);
      }),
    );
  });
});
