import type { LimitStanding, RateLimitFacts } from './limits.ts';
import type { AiPolicy } from './policy.ts';

/** What is counted for a request, before it. */
export interface Usage {
  readonly requestsUsed: number;
  /** Until none of them counts, in milliseconds. */
  readonly requestsResetMs: number;
  /** Used and held back. */
  readonly tokensTaken: number;
  /** To the end of the budget's window, in milliseconds. */
  readonly tokensResetMs: number | undefined;
}

/** Which limit refuses: requests are asked first. */
export function refusalOf(policy: AiPolicy, usage: Usage, estimate: number): 'rate_limit' | 'token_budget' | undefined {
  if (policy.rateLimit > 0 && usage.requestsUsed >= policy.rateLimit) return 'rate_limit';
  return policy.tokenBudget > 0 && usage.tokensTaken + estimate > policy.tokenBudget ? 'token_budget' : undefined;
}

/** How the limits that are on stand. */
export function factsOf(policy: AiPolicy, usage: Usage): RateLimitFacts {
  const { rateLimit, tokenBudget } = policy;
  const { tokensResetMs } = usage;
  return {
    ...(rateLimit > 0 && { requests: standing(rateLimit, usage.requestsUsed, usage.requestsResetMs) }),
    ...(tokenBudget > 0 && { tokens: standing(tokenBudget, usage.tokensTaken, tokensResetMs) }),
  };
}

/** A whole number of tokens that may be added to others. */
export function wholeTokens(given: number): number {
  return Number.isFinite(given) ? Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, Math.ceil(given))) : 0;
}

function standing(limit: number, used: number, resetMs: number | undefined): LimitStanding {
  return { limit, remaining: Math.max(0, limit - used), ...(resetMs !== undefined && { resetMs }) };
}
