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

/**
 * Until when the claims are good, in milliseconds since 1970, leeway included; `undefined` when they are not.
 * Source: RFC 7519, section 4.1; RFC 8725, sections 3.8, 3.9 and 3.12.
 */
export function goodUntilMs(claims: Claims, rules: ClaimRules, nowMs: number): number | undefined {
  const now = nowMs / 1000;
  const { exp } = claims;
  if (!isTime(exp) || now >= exp + LEEWAY_SECONDS) return undefined;
  if (rules.lifetimeMaxSeconds !== undefined && exp > now + rules.lifetimeMaxSeconds + LEEWAY_SECONDS) return undefined;
  if (rules.required?.some((name) => !Object.hasOwn(claims, name)) === true) return undefined;
  if (!hasBegun(claims, 'nbf', now) || !hasBegun(claims, 'iat', now)) return undefined;
  if (rules.issuer !== undefined && claims['iss'] !== rules.issuer) return undefined;
  if (rules.audiences !== undefined && !isFor(claims['aud'], rules.audiences)) return undefined;
  return isForAccess(claims) ? (exp + LEEWAY_SECONDS) * 1000 : undefined;
}

/** Seconds since 1970; fractions are allowed. JSON's 1e400 reads as infinity. */
function isTime(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= NUMERIC_DATE_MAX;
}

/** Whether a time, if it is there, is one and not in the future. */
function hasBegun(claims: Claims, name: string, now: number): boolean {
  if (!Object.hasOwn(claims, name)) return true;
  const time = claims[name];
  return isTime(time) && time <= now + LEEWAY_SECONDS;
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
