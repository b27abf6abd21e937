/** Cache-Control of a request or an answer. Seconds are whole; an argument that is none counts as the strictest. */
export interface Directives {
  readonly noStore: boolean;
  readonly noCache: boolean;
  readonly isPublic: boolean;
  readonly isPrivate: boolean;
  readonly mustRevalidate: boolean;
  readonly proxyRevalidate: boolean;
  readonly onlyIfCached: boolean;
  readonly maxAge: number | undefined;
  readonly sMaxage: number | undefined;
  /** `Infinity` without an argument. */
  readonly maxStale: number | undefined;
  readonly minFresh: number | undefined;
  readonly staleWhileRevalidate: number | undefined;
  readonly staleIfError: number | undefined;
}

/** What holds where nothing is said. */
export const NO_DIRECTIVES: Directives = Object.freeze({
  noStore: false,
  noCache: false,
  isPublic: false,
  isPrivate: false,
  mustRevalidate: false,
  proxyRevalidate: false,
  onlyIfCached: false,
  maxAge: undefined,
  sMaxage: undefined,
  maxStale: undefined,
  minFresh: undefined,
  staleWhileRevalidate: undefined,
  staleIfError: undefined,
});

/** Longest age that is told apart, in seconds. Source: RFC 9111, section 1.2.2. */
const SECONDS_MAX = 2 ** 31;

/**
 * Reads the lines of Cache-Control, joined with commas. A directive that stands there twice counts with its stricter argument; one
 * for certain fields (`no-cache="x"`, `private="x"`) counts for the whole answer. Source: RFC 9111, sections 4.2.1 and 5.2.
 */
export function parseDirectives(text: string | undefined): Directives {
  if (text === undefined) return NO_DIRECTIVES;
  const flags = new Set<string>();
  const seconds = new Map<string, number>();
  for (const [, name = '', argument] of text.matchAll(DIRECTIVE)) {
    const lower = name.toLowerCase();
    flags.add(lower);
    const isOpen = lower === 'max-stale' && argument === undefined;
    const given = isOpen ? Infinity : secondsOf(argument, lower);
    const before = seconds.get(lower);
    if (before === undefined) seconds.set(lower, given);
    else seconds.set(lower, lower === 'min-fresh' ? Math.max(before, given) : Math.min(before, given));
  }
  return {
    noStore: flags.has('no-store'),
    noCache: flags.has('no-cache'),
    isPublic: flags.has('public'),
    isPrivate: flags.has('private'),
    mustRevalidate: flags.has('must-revalidate'),
    proxyRevalidate: flags.has('proxy-revalidate'),
    onlyIfCached: flags.has('only-if-cached'),
    maxAge: seconds.get('max-age'),
    sMaxage: seconds.get('s-maxage'),
    maxStale: seconds.get('max-stale'),
    minFresh: seconds.get('min-fresh'),
    staleWhileRevalidate: seconds.get('stale-while-revalidate'),
    staleIfError: seconds.get('stale-if-error'),
  };
}

/** A token with an argument or without; the argument may be quoted. */
const DIRECTIVE = /([!#$%&'*+\-.^_`|~\w]+)(?:[ \t]*=[ \t]*("(?:[^"\\]|\\.)*"|[^ \t,"]*))?/g;

function secondsOf(argument: string | undefined, name: string): number {
  const digits = argument?.replace(/^"(.*)"$/, '$1') ?? '';
  if (/^[0-9]+$/.test(digits)) return Math.min(Number(digits), SECONDS_MAX);
  return name === 'min-fresh' ? SECONDS_MAX : 0;
}
