import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { timestampOf } from './timestamp.ts';

describe('a timestamp', () => {
  it('reads as the platform writes it, in whatever order moments come', () => {
    const moment = fc.oneof(
      fc.integer({ min: -1e12, max: 4e12 }),
      fc.integer({ min: 1_700_000_000_000, max: 1_700_000_003_000 }),
    );
    fc.assert(
      fc.property(fc.array(moment, { minLength: 1, maxLength: 20 }), (moments) => {
        expect(moments.map(timestampOf)).toEqual(moments.map((one) => new Date(one).toISOString()));
      }),
    );
  });

  it('is rounded to milliseconds', () => {
    expect(timestampOf(1_700_000_000_999.6)).toBe('2023-11-14T22:13:21.000Z');
  });
});
