import { expect, it } from 'vitest';
import { formatReset, rateLimitHeaders } from './rate-limit-headers.ts';

it.each([
  [0, '0ms'],
  [5.2, '6ms'],
  [999, '999ms'],
  [1000, '1s'],
  [1001, '2s'],
  [59_001, '1m0s'],
  [360_000, '6m0s'],
  [3_600_000, '1h0m0s'],
  [93_784_000, '26h3m4s'],
  [-1, '0ms'],
])('%d milliseconds are %s', (ms, text) => {
  expect(formatReset(ms)).toBe(text);
});

it('only limits that are on have headers, and only windows a reset', () => {
  expect(rateLimitHeaders({})).toEqual([]);
  const facts = { requests: { limit: 5, remaining: 4, resetMs: 1000 }, tokens: { limit: 100, remaining: 0 } };
  expect(rateLimitHeaders(facts)).toEqual([
    ...['x-ratelimit-limit-requests', '5', 'x-ratelimit-remaining-requests', '4', 'x-ratelimit-reset-requests', '1s'],
    ...['x-ratelimit-limit-tokens', '100', 'x-ratelimit-remaining-tokens', '0'],
  ]);
});
