import { ageMsOf, type CachedAnswer } from './cached-answer.ts';
import type { Directives } from './directives.ts';

/**
 * What a stored answer is good for: `fresh` may be used as it is; `stale` may be used though it is stale, because the client takes
 * such; `validate` must not be used before the service was asked. Source: RFC 9111, sections 4 and 5.2.1.
 */
export type Reuse = 'fresh' | 'stale' | 'validate';

/** Judges an answer for a request. @param nowMs monotonic */
export function judgeReuse(answer: CachedAnswer, request: Directives, nowMs: number): Reuse {
  if (answer.isAlwaysValidated || request.noCache) return 'validate';
  const ageMs = ageMsOf(answer, nowMs);
  if (request.maxAge !== undefined && ageMs > request.maxAge * 1000) return 'validate';
  const leftMs = answer.freshMs - ageMs;
  if (leftMs > 0) return leftMs >= (request.minFresh ?? 0) * 1000 ? 'fresh' : 'validate';
  if (answer.forbidsStale || request.minFresh !== undefined || request.maxStale === undefined) return 'validate';
  return -leftMs <= request.maxStale * 1000 ? 'stale' : 'validate';
}

/** Whether a stale answer may be used while somebody asks the service for a new one. Source: RFC 5861, section 3. */
export function mayServeWhileRevalidating(answer: CachedAnswer, request: Directives, nowMs: number): boolean {
  return isUsableStale(answer, request, nowMs, answer.staleWhileRevalidateMs);
}

/** Whether a stale answer may be used because the service fails. Source: RFC 5861, section 4. */
export function mayServeOnError(answer: CachedAnswer, request: Directives, nowMs: number): boolean {
  const asked = request.staleIfError === undefined ? 0 : request.staleIfError * 1000;
  return isUsableStale(answer, request, nowMs, Math.max(answer.staleIfErrorMs, asked));
}

function isUsableStale(answer: CachedAnswer, request: Directives, nowMs: number, staleMs: number): boolean {
  if (staleMs <= 0 || answer.forbidsStale || answer.isAlwaysValidated || request.noCache) return false;
  const ageMs = ageMsOf(answer, nowMs);
  if (request.maxAge !== undefined && ageMs > request.maxAge * 1000) return false;
  return request.minFresh === undefined && ageMs - answer.freshMs <= staleMs;
}
