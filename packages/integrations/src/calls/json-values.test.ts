import { expect, it } from 'vitest';
import { countValues } from './json-values.ts';

const counted = (text: string, valuesMax = 100): number => countValues(Buffer.from(text), valuesMax);

it.each([
  ['7', 1],
  ['"a,[{\\",[é"', 1],
  ['"\\\\",', 2],
  ['[1,2,3]', 4],
  ['{"a":[1,{"b":"x,y"}],"c":null}', 6],
  ['[[],{}]', 5],
  ['"no end', 1],
])('%s', (text, values) => {
  expect(counted(text)).toBe(values);
});

it('counts no further than one too many', () => {
  expect([counted('[1,2]', 3), counted('[1,2,3,4,5,6]', 3)]).toEqual([3, 4]);
});
