import type { PathRule } from './route-rule.ts';
import { literalPrefixLength } from './segment-pattern.ts';

/** Hosts are much shorter than these are apart. */
const wildcardHostRank = 1_000_000;
const anyHostRank = 2_000_000;

/** How exactly a host pattern names a host: exact ones first, then longer wildcards, then none. Lower comes first. */
export function hostRank(pattern: string | undefined): number {
  if (pattern === undefined) return anyHostRank;
  return pattern.includes('*') ? wildcardHostRank - pattern.length : 0;
}

/** Rank of regular expressions, see {@link pathRank}. */
export const regexRank = 1;

/** Exact paths come before regular expressions, those before prefixes and no path at all. */
export function pathRank(path: PathRule | undefined): number {
  if (path?.type === 'exact') return 0;
  return path?.type === 'regex' ? regexRank : 2;
}

/** Characters that decide between paths of one rank, more of them first: the prefix, or an expression's literal beginning. */
export function pathLengthOf(path: PathRule | undefined): number {
  if (path === undefined || path.type === 'exact') return 0;
  return path.type === 'regex' ? literalPrefixLength(path.value) : path.value.length;
}
