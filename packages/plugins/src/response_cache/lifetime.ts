import type { Lifetime } from './cached-answer.ts';
import { parseDirectives, type Directives } from './directives.ts';
import { parseHttpDate } from './http-date.ts';

/** Reads a header of the answer; several lines joined with commas. */
type ReadHeader = (name: string) => string | undefined;

/** When the request went out and the answer came, in milliseconds. */
export interface AnswerTimes {
  /** Monotonic. */
  readonly requestedMs: number;
  /** Monotonic. */
  readonly receivedMs: number;
  /** The same moment as {@link receivedMs} by the wall clock. */
  readonly receivedWallMs: number;
}

/** How a config has lifetimes decided. */
export interface LifetimeRules {
  /** `undefined`: only what the service says. */
  readonly ttlMs: number | undefined;
  readonly respectsCacheControl: boolean;
}

/**
 * How long an answer may be used by a cache that several clients share; `undefined` when nobody says so. Without a ttl nothing is
 * guessed. Source: RFC 9111, sections 4.2, 5.2.2 and 5.3; RFC 5861.
 */
export function lifetimeOf(read: ReadHeader, times: AnswerTimes, rules: LifetimeRules): Lifetime | undefined {
  const said = parseDirectives(read('cache-control'));
  const dateMs = parseHttpDate(read('date')) ?? times.receivedWallMs;
  const saidMs = explicitMs(said, read, dateMs);
  const counts = rules.respectsCacheControl;
  const freshMs = counts ? (saidMs ?? rules.ttlMs) : rules.ttlMs;
  const isAlwaysValidated = counts && said.noCache;
  if (freshMs === undefined && !isAlwaysValidated) return undefined;
  return {
    bornMs: times.receivedMs - (counts ? initialAgeMs(read('age'), dateMs, times) : 0),
    freshMs: freshMs ?? 0,
    isAlwaysValidated,
    forbidsStale: counts && (said.mustRevalidate || said.proxyRevalidate || said.sMaxage !== undefined),
    staleWhileRevalidateMs: counts ? (said.staleWhileRevalidate ?? 0) * 1000 : 0,
    staleIfErrorMs: counts ? (said.staleIfError ?? 0) * 1000 : 0,
    isForAll: said.isPublic || said.mustRevalidate || said.sMaxage !== undefined,
    isExplicit: saidMs !== undefined && saidMs > 0,
  };
}

function explicitMs(said: Directives, read: ReadHeader, dateMs: number): number | undefined {
  const seconds = said.sMaxage ?? said.maxAge;
  if (seconds !== undefined) return seconds * 1000;
  const expires = read('expires');
  if (expires === undefined) return undefined;
  // What is no date, `0` for instance, has passed already.
  return Math.max(0, (parseHttpDate(expires) ?? dateMs) - dateMs);
}

/** Source: RFC 9111, section 4.2.3. */
function initialAgeMs(age: string | undefined, dateMs: number, times: AnswerTimes): number {
  const first = age?.split(',')[0]?.trim() ?? '';
  const ageMs = /^[0-9]{1,10}$/.test(first) ? Number(first) * 1000 : 0;
  const apparentMs = Math.max(0, times.receivedWallMs - dateMs);
  return Math.max(apparentMs, ageMs + times.receivedMs - times.requestedMs);
}
