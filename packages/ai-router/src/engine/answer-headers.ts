import type { RateLimitFacts } from '../policy/limits.ts';
import { rateLimitHeaders } from '../policy/rate-limit-headers.ts';
import { type AttemptLog, attemptsHeader, roundedMs } from './attempt-log.ts';
import type { ToldHit } from './request-cache.ts';

/**
 * What the cache did: `disabled` where there is none, `bypass` for streams and for requests that are not cached or do not want to be, `miss` where a
 * provider was asked. Source: spec, AI gateway; ai, Attempt list and headers.
 */
export type CacheState = 'hit' | 'miss' | 'bypass' | 'disabled';

const MS_PER_SECOND = 1000;

/** What the headers of an answer tell. */
export interface AnswerFacts {
  readonly contentType: 'application/json' | 'text/event-stream; charset=utf-8';
  readonly attempts: AttemptLog;
  readonly cache: CacheState;
  readonly hit: ToldHit | undefined;
  readonly limits: RateLimitFacts | undefined;
  readonly gatewayMs: number;
  readonly providerMs: number;
}

/** Headers of every answer, by turns. Source: ai, Attempt list and headers, Streaming. */
export function answerHeaders(facts: AnswerFacts): string[] {
  const { attempts } = facts;
  const headers = ['content-type', facts.contentType];
  if (facts.contentType !== 'application/json') {
    headers.push('cache-control', 'no-cache, no-transform', 'x-accel-buffering', 'no');
  }
  headers.push('x-gateway-ai-attempts', attemptsHeader(attempts.all()), 'x-gateway-ai-cache', facts.cache);
  if (facts.hit !== undefined) headers.push(...hitHeaders(facts.hit));
  const { decisive: last } = attempts;
  if (last !== undefined) {
    headers.push('x-gateway-ai-provider', headerText(last.provider), 'x-gateway-ai-model', headerText(last.model));
    if (attempts.fallbackCount > 0) headers.push('x-gateway-ai-fallback', 'true');
    headers.push('x-gateway-ai-fallback-count', String(attempts.fallbackCount));
  }
  if (facts.limits !== undefined) headers.push(...rateLimitHeaders(facts.limits));
  headers.push('server-timing', `gw;dur=${roundedMs(facts.gatewayMs)}, provider;dur=${roundedMs(facts.providerMs)}`);
  return headers;
}

function hitHeaders({ type, similarity, ageMs, provider, model }: ToldHit): readonly string[] {
  const headers = ['x-gateway-ai-cache-type', type];
  if (similarity !== undefined) headers.push('x-gateway-ai-cache-similarity', similarity.toFixed(2));
  headers.push('age', String(Math.floor(ageMs / MS_PER_SECOND)));
  headers.push('x-gateway-ai-provider', headerText(provider), 'x-gateway-ai-model', headerText(model));
  return headers;
}

/** Text as a header's value: what is not printable ASCII is percent-encoded. */
export function headerText(text: string): string {
  return PLAIN.test(text) ? text : encodeURIComponent(text.toWellFormed());
}

const PLAIN = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** Whole seconds for `Retry-After`, at least one, never too few. */
export function retryAfterSeconds(ms: number): string {
  return String(Math.max(1, Math.ceil(ms / MS_PER_SECOND)));
}
