import type { LimitStanding, RateLimitFacts } from './limits.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * The headers that OpenAI's clients know: `x-ratelimit-limit-requests`, `-remaining-requests`, `-reset-requests`, and the same with `tokens`. Of limits that are on only;
 * no reset for a budget that never begins anew. Source: ai, Endpoints.
 * @returns name and value by turns
 */
export function rateLimitHeaders({ requests, tokens }: RateLimitFacts): readonly string[] {
  return [...headersOf('requests', requests), ...headersOf('tokens', tokens)];
}

/** A time as those headers tell it: `6ms`, `1s`, `6m0s`, `26h0m0s`. Parts of a millisecond are rounded up, parts of a second beyond one, too. */
export function formatReset(givenMs: number): string {
  const ms = Math.max(0, Math.ceil(givenMs));
  if (ms < SECOND_MS) return `${ms}ms`;
  const seconds = Math.ceil(ms / SECOND_MS);
  const wholeMs = seconds * SECOND_MS;
  const rest = `${seconds % 60}s`;
  if (wholeMs < MINUTE_MS) return rest;
  const minutes = `${Math.floor(wholeMs / MINUTE_MS) % 60}m`;
  return wholeMs < HOUR_MS ? minutes + rest : `${Math.floor(wholeMs / HOUR_MS)}h${minutes}${rest}`;
}

function headersOf(what: string, standing: LimitStanding | undefined): readonly string[] {
  if (standing === undefined) return [];
  const { limit, remaining, resetMs } = standing;
  const headers = [`x-ratelimit-limit-${what}`, String(limit), `x-ratelimit-remaining-${what}`, String(remaining)];
  return resetMs === undefined ? headers : [...headers, `x-ratelimit-reset-${what}`, formatReset(resetMs)];
}
