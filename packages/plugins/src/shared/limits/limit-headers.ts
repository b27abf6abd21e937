import type { HeaderEdit } from '@portcullis/plugin-runtime';
import type { LimitWindow } from './limit-window.ts';
import type { LimitStanding } from './request-limits.ts';

/** What no request changes about the headers of an instance. Lists have an entry for each window, in the windows' order. */
export interface FixedLimitHeaders {
  /** `RateLimit-Policy`: a list of named quotas and windows. */
  readonly policy: HeaderEdit;
  /** `RateLimit-Limit`, when the window is the tightest. */
  readonly limits: readonly HeaderEdit[];
  /** `X-RateLimit-Limit-…`. */
  readonly windowLimits: readonly HeaderEdit[];
  /** Names of `X-RateLimit-Remaining-…`. */
  readonly remainingNames: readonly string[];
}

/** Puts together once what all answers have in common. */
export function fixedLimitHeaders(windows: readonly LimitWindow[]): FixedLimitHeaders {
  const policy = windows
    .map(({ name, limit, nominalSeconds }) => `"${name}";q=${limit};w=${nominalSeconds}`)
    .join(', ');
  return {
    policy: set('RateLimit-Policy', policy),
    limits: windows.map(({ limit }) => set('RateLimit-Limit', String(limit))),
    windowLimits: windows.map(({ label, limit }) => set(`X-RateLimit-Limit-${label}`, String(limit))),
    remainingNames: windows.map(({ label }) => `X-RateLimit-Remaining-${label}`),
  };
}

/**
 * The headers of an answer: the IETF draft's fields, Kong's three of the tightest limit, and Kong's two per window. On a
 * refusal `RateLimit` lists the exceeded limits only, so that `Retry-After` is never earlier than its `t`.
 * Source: wire, Rate-limit headers.
 * @param standings one for each window, in the windows' order
 */
export function limitHeaders(fixed: FixedLimitHeaders, standings: readonly LimitStanding[]): readonly HeaderEdit[] {
  const hasExceeded = standings.some(isExceeded);
  let listed = '';
  let tightest = -1;
  for (let index = 0; index < standings.length; index += 1) {
    const standing = standings[index] as LimitStanding;
    if (hasExceeded && !standing.isExceeded) continue;
    const item = `"${standing.window.name}";r=${standing.remaining};t=${standing.resetSeconds}`;
    listed = listed === '' ? item : `${listed}, ${item}`;
    if (tightest < 0 || isTighter(standing, standings[tightest] as LimitStanding)) tightest = index;
  }
  const { remaining, resetSeconds } = standings[tightest] as LimitStanding;
  const edits: HeaderEdit[] = [
    fixed.policy,
    set('RateLimit', listed),
    fixed.limits[tightest] as HeaderEdit,
    set('RateLimit-Remaining', String(remaining)),
    set('RateLimit-Reset', String(resetSeconds)),
  ];
  for (let index = 0; index < standings.length; index += 1) {
    const standing = standings[index] as LimitStanding;
    edits.push(fixed.windowLimits[index] as HeaderEdit);
    edits.push(set(fixed.remainingNames[index] as string, String(standing.remaining)));
  }
  return edits;
}

/** The headers as a response has them: name and value by turns. */
export function toPairs(edits: readonly HeaderEdit[]): string[] {
  const pairs: string[] = [];
  for (const { name, value = '' } of edits) pairs.push(name, value);
  return pairs;
}

function set(name: string, value: string): HeaderEdit {
  return { op: 'set', name, value };
}

function isExceeded(standing: LimitStanding): boolean {
  return standing.isExceeded;
}

/** Whether a limit has less room than one before it, or as little for longer. */
function isTighter(standing: LimitStanding, before: LimitStanding): boolean {
  if (standing.remaining !== before.remaining) return standing.remaining < before.remaining;
  return standing.resetSeconds > before.resetSeconds;
}
