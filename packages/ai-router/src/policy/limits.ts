import type { AiPolicy } from './policy.ts';

/** One request that asks to be let through. */
export interface AdmissionRequest {
  /** Limits of several tenants may be counted by one object. */
  readonly tenantId: string;
  readonly policy: AiPolicy;
  /** Whose use it is: see `policySubject`. */
  readonly subject: string;
  /** As the client asked for it. */
  readonly model: string;
  /** Tokens that are held back for it until it is over: see `estimateTokens`. */
  readonly estimate: number;
}

/** How one limit stands after a decision. */
export interface LimitStanding {
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds until there is all room again; absent for what never resets. */
  readonly resetMs?: number;
}

/** What the headers `x-ratelimit-…` tell: only limits that are on are there. See `rateLimitHeaders`. */
export interface RateLimitFacts {
  readonly requests?: LimitStanding;
  readonly tokens?: LimitStanding;
}

/** A request that was let through. One of its two methods is called once, when it is over; further calls do nothing. */
export interface Admitted {
  readonly ok: true;
  readonly headers: RateLimitFacts;
  /** Gives back what was held and charges what was used. */
  settle(tokensCharged: number): void;
  /** Gives back what was held and charges nothing: it failed, or a cache answered. The request stays counted. */
  release(): void;
}

/** A request that was refused. It is counted nowhere. */
export interface Refused {
  readonly ok: false;
  readonly reason: 'rate_limit' | 'token_budget';
  /** Absent where waiting does not help. */
  readonly retryAfterMs?: number;
  readonly headers: RateLimitFacts;
}

/** See {@link Admitted} and {@link Refused}. */
export type Admission = Admitted | Refused;

/** What counts requests and tokens. */
export interface AiLimits {
  /**
   * Decides both limits of a policy before anything is counted.
   * @returns a promise only where a store is asked; it rejects with the store's error when that fails and nothing stands in for it
   */
  admit(request: AdmissionRequest): Admission | Promise<Admission>;
  /** Waits until what is told to a store in the background is told. */
  dispose?(): Promise<void>;
}
