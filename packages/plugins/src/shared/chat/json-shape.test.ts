import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonShape, memberCount } from './json-shape.ts';

describe('the shape of a text of JSON', () => {
  it.each([
    ['{}', 0, 1, 1, 1],
    ['{"a":1,"a":2}', 2, 1, 2, 1],
    ['[[{"a:\\"":"b:{"}]]', 1, 3, 3, 3],
    ['"{:["', 0, 0, 0, 0],
    ['{"\\\\":1,"\\\\\\"":{}}', 2, 2, 3, 2],
    ['{"a', 0, 1, 1, 1],
  ])('%s', (text, members, depth, values, containers) => {
    expect(jsonShape(text)).toEqual({ members, depth, values, containers });
  });

  it('has as many members as the value, unless a name stands twice', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.nat(2), (value, blanks) => {
        expect(jsonShape(JSON.stringify(value, undefined, blanks)).members).toBe(memberCount(value));
      }),
    );
  });
});
