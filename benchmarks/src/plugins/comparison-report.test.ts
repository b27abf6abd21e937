import { expect, it } from 'vitest';
import { comparisonRatios } from './comparison-report.ts';

it('compares what a plugin adds with another library, and sets with sets; what was not measured is left out', () => {
  const times = { empty: 100, rate_limiter: 1100, rate_limiter_flexible: 500, set_1: 50, set_10000: 75 };
  expect(comparisonRatios(times)).toEqual({ rate_limiter_to_flexible: 2, address_set_10000_to_1: 1.5 });
});
