import type { Claims } from '../claims/claim-value.ts';

/** How far the clocks of issuer and gateway may be apart, in seconds. Source: security rules, JWT claims (at most 60). */
export const LEEWAY_SECONDS = 30;

/** The last second of the year 9999. What lies behind it, or is infinite, is no time of a token. */
export const NUMERIC_DATE_MAX = 253_402_300_799;

/** What the claims of a token must say. */
export interface ClaimRules {
  /** `iss` is exactly this. */
  readonly issuer?: string | undefined;
  /** `aud` names one of these. */
  readonly audiences?: readonly string[] | undefined;
  /** Claims about time that must be there; `exp` always must. */
  readonly required?: readonly string[] | undefined;
  /** Seconds from now after which `exp` may not lie. */
  readonly lifetimeMaxSeconds?: number | undefined;
}

/** Which of the rules claims break. `malformed_time`: a claim about time that is none, such as one in milliseconds. */
export type ClaimFault =
  | 'no_expiry'
  | 'expired'
  | 'too_long_lived'
  | 'missing_claim'
  | 'not_yet_valid'
  | 'malformed_time'
  | 'issuer'
  | 'audience'
  | 'type';

/**
 * Until when the claims are good, in milliseconds since 1970, leeway included; or the first rule that they break.
 * Source: RFC 7519, section 4.1; RFC 8725, sections 3.8, 3.9 and 3.12.
 */
export function goodUntilMs(claims: Claims, rules: ClaimRules, nowMs: number): number | ClaimFault {
  const now = nowMs / 1000;
  const { exp } = claims;
  if (exp === undefined) return 'no_expiry';
  if (!isTime(exp)) return 'malformed_time';
  if (now >= exp + LEEWAY_SECONDS) return 'expired';
  const { issuer, audiences, required, lifetimeMaxSeconds } = rules;
  if (lifetimeMaxSeconds !== undefined && exp > now + lifetimeMaxSeconds + LEEWAY_SECONDS) return 'too_long_lived';
  if (required?.some((name) => !Object.hasOwn(claims, name)) === true) return 'missing_claim';
  const beginning = beginningFault(claims, 'nbf', now) ?? beginningFault(claims, 'iat', now);
  if (beginning !== undefined) return beginning;
  if (issuer !== undefined && claims['iss'] !== issuer) return 'issuer';
  if (audiences !== undefined && !isFor(claims['aud'], audiences)) return 'audience';
  return isForAccess(claims) ? (exp + LEEWAY_SECONDS) * 1000 : 'type';
}

/** Seconds since 1970; fractions are allowed. JSON's 1e400 reads as infinity. */
function isTime(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= NUMERIC_DATE_MAX;
}

/** A time, if it is there, has to be one and not in the future. */
function beginningFault(claims: Claims, name: string, now: number): ClaimFault | undefined {
  if (!Object.hasOwn(claims, name)) return undefined;
  const time = claims[name];
  if (!isTime(time)) return 'malformed_time';
  return time <= now + LEEWAY_SECONDS ? undefined : 'not_yet_valid';
}

/** Text, or a list of nothing but texts. */
function isFor(audience: unknown, wanted: readonly string[]): boolean {
  const given: readonly unknown[] = Array.isArray(audience) ? audience : [audience];
  return given.every((name) => typeof name === 'string') && given.some((name) => wanted.includes(name));
}

/**
 * Refresh and logout tokens are signed with the same keys, and live longer. Some issuers say what a token is for in `token_use`,
 * others in a claim `typ`.
 */
function isForAccess(claims: Claims): boolean {
  return !['token_use', 'typ'].some((name) => {
    const use = Object.hasOwn(claims, name) ? claims[name] : undefined;
    return typeof use === 'string' && /^(?:refresh|offline|logout)/i.test(use);
  });
}
