import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costOf } from './response-cost.ts';

describe('costOf', () => {
  it.each([
    ['0', 0],
    ['7', 7],
    ['007', 7],
    [' 7\t', 7],
    ['1.2', 2],
    ['2.0', 2],
    ['1000000000', 1_000_000_000],
    ['1000000001', 1_000_000_000],
    ['9'.repeat(5000), 1_000_000_000],
  ])('reads %s', (line, units) => {
    expect(costOf([line])).toBe(units);
  });

  it.each([
    '',
    ' ',
    '-1',
    '+1',
    '1e3',
    '0x10',
    'NaN',
    'Infinity',
    '1,2',
    '1 2',
    '.5',
    '5.',
    '1.2.3',
    '1_000',
    '٣',
    'null',
  ])('takes %j for no number', (line) => {
    expect(costOf([line])).toBeUndefined();
  });

  it('takes no line and several lines for no number', () => {
    expect([costOf([]), costOf(['1', '1'])]).toEqual([undefined, undefined]);
  });

  it('is a whole number within its bounds, or nothing, whatever an upstream sends', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.double().map(String), fc.bigInt().map(String)), (line) => {
        const units = costOf([line]);
        expect(units === undefined || (Number.isInteger(units) && units >= 0 && units <= 1_000_000_000)).toBe(true);
      }),
    );
  });
});
