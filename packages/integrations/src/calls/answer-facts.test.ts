import { expect, it } from 'vitest';
import { answerFacts } from './answer-facts.ts';

const nowMs = Date.UTC(2026, 1, 3, 4, 5, 6, 500);

function factsOf(headers: Readonly<Record<string, string>>, status = 429) {
  return answerFacts({ status, headers: new Headers(headers), body: null }, nowMs, (text) => text);
}

it.each([
  ['30', 30],
  ['0', 0],
  ['999999999', 86_400],
  ['Tue, 03 Feb 2026 04:05:36 GMT', 30],
  ['Tue, 03 Feb 2026 04:00:00 GMT', 0],
  ['Fri, 31 Dec 9999 23:59:59 GMT', 86_400],
  ['-1', undefined],
  ['1.5', undefined],
  ['soon', undefined],
  ['2026', 2026],
  ['2026-02-03T04:05:36Z', undefined],
  ['Foo, 99 Bar 2026 99:99:99 GMT', undefined],
])('Retry-After: %s is a wait of %s seconds', (given, seconds) => {
  expect(factsOf({ 'retry-after': given }).retry_after_seconds).toBe(seconds);
});

it.each([
  ['x-request-id', 'a1'],
  ['x-amzn-requestid', 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef'],
  ['x-transaction-id', 'b2.3:4'],
])('%s names the request', (name, value) => {
  expect(factsOf({ [name]: value })).toEqual({ http_status: 429, request_id: value });
});

it('facts of another form are left out: they are the text of somebody else', () => {
  const headers = {
    'x-request-id': '<script>',
    'x-ratelimit-limit': '1e3',
    'x-ratelimit-remaining': '-1',
    'x-ratelimit-reset': '2026-02-03T04:05:36Z',
    'x-ratelimit-period-in-sec': 'x'.repeat(100),
    'x-ratelimit-state': 'x'.repeat(129),
    'x-ratelimit-reason': 'two words',
  };
  expect(factsOf(headers)).toEqual({ http_status: 429 });
});

it('the first of several names counts, and no status is none', () => {
  const headers = { 'ratelimit-limit': '5', 'x-ratelimit-limit': '7', 'x-rate-limit-remaining': '0' };
  expect(factsOf(headers, 0)).toEqual({ rate_limit_limit: 7, rate_limit_remaining: 0 });
});
