import type { FailureMetadata } from '../integration-error.ts';
import type { SyncResponse } from './sync-fetch.ts';

/** Longest wait that is told, in seconds: a day. What asks for more is told as this. */
const RETRY_AFTER_SECONDS_MAX = 86_400;

/** Of the names under which systems send the same fact, the first that is there counts. */
const NAMES = {
  request_id: ['x-request-id', 'x-amzn-requestid', 'x-amzn-request-id', 'x-transaction-id', 'x-correlation-id'],
  rate_limit_limit: ['x-ratelimit-limit', 'x-rate-limit-limit', 'ratelimit-limit'],
  rate_limit_remaining: ['x-ratelimit-remaining', 'x-rate-limit-remaining', 'ratelimit-remaining'],
  rate_limit_reset: ['x-ratelimit-reset', 'x-rate-limit-reset', 'ratelimit-reset'],
  rate_limit_period_seconds: ['x-ratelimit-period-in-sec'],
  rate_limit_state: ['x-ratelimit-state'],
  rate_limit_reason: ['x-ratelimit-reason'],
} as const;

/** The rest are numbers. */
const WORDS: ReadonlySet<string> = new Set(['request_id', 'rate_limit_state', 'rate_limit_reason']);

/**
 * What an answer's head tells of a failure. Values that are not of the expected form are left out: they are somebody else's text.
 * @param clean takes secrets out of a text
 */
export function answerFacts(
  { status, headers }: SyncResponse,
  nowMs: number,
  clean: (text: string) => string,
): FailureMetadata {
  const found: Record<string, string | number> = {};
  for (const [fact, names] of Object.entries(NAMES)) {
    const given = names.map((name) => headers.get(name)).find((value) => value !== null);
    const value =
      given === undefined || given === null ? undefined : WORDS.has(fact) ? word(given, clean) : wholeNumber(given);
    if (value !== undefined) found[fact] = value;
  }
  const retryAfter = headers.get('retry-after');
  const seconds = retryAfter === null ? undefined : retryAfterSeconds(retryAfter, nowMs);
  if (seconds !== undefined) found['retry_after_seconds'] = seconds;
  return status === 0 ? found : { http_status: status, ...found };
}

function word(given: string, clean: (text: string) => string): string | undefined {
  return /^[A-Za-z0-9][A-Za-z0-9._:=+/-]{0,127}$/.test(given) ? clean(given) : undefined;
}

function wholeNumber(given: string): number | undefined {
  return /^\d{1,15}$/.test(given) ? Number(given) : undefined;
}

/** Source: RFC 9110, section 10.2.3: seconds, or a date. */
function retryAfterSeconds(given: string, nowMs: number): number | undefined {
  const seconds = wholeNumber(given) ?? secondsUntil(given, nowMs);
  return seconds === undefined ? undefined : Math.min(Math.max(0, seconds), RETRY_AFTER_SECONDS_MAX);
}

function secondsUntil(date: string, nowMs: number): number | undefined {
  const isDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(date);
  const atMs = isDate ? Date.parse(date) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : Math.ceil((atMs - nowMs) / 1000);
}
