import type { HeaderView } from '@portcullis/plugin-runtime';
import type { CachedAnswer } from './cached-answer.ts';
import { parseHttpDate } from './http-date.ts';

/** What a client already has, as it says in its request. */
export interface Conditions {
  readonly ifNoneMatch: string | undefined;
  readonly ifModifiedSince: string | undefined;
}

/** The conditions of a request; `undefined` without any. */
export function conditionsOf(headers: HeaderView): Conditions | undefined {
  const ifNoneMatch = headers.get('if-none-match');
  const ifModifiedSince = headers.get('if-modified-since');
  return ifNoneMatch === undefined && ifModifiedSince === undefined ? undefined : { ifNoneMatch, ifModifiedSince };
}

/** Whether the client has this answer already, so that 304 says all. Source: RFC 9111, section 4.3.2; RFC 9110, section 13.2.2. */
export function isNotModified(answer: CachedAnswer, conditions: Conditions | undefined): boolean {
  if (conditions === undefined || answer.status !== 200) return false;
  const { ifNoneMatch, ifModifiedSince } = conditions;
  if (ifNoneMatch !== undefined) return matchesTag(ifNoneMatch, answer.etag);
  const sinceMs = parseHttpDate(ifModifiedSince);
  const modifiedMs = parseHttpDate(answer.lastModified);
  return sinceMs !== undefined && modifiedMs !== undefined && modifiedMs <= sinceMs;
}

/** The weak comparison. Source: RFC 9110, section 8.8.3.2. */
function matchesTag(list: string, etag: string | undefined): boolean {
  if (list.trim() === '*') return true;
  if (etag === undefined) return false;
  const opaque = etag.replace(/^W\//, '');
  for (const [tag] of list.matchAll(/"[^"]*"/g)) if (tag === opaque) return true;
  return false;
}
