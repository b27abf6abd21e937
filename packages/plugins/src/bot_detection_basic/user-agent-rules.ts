import { LRUCache } from 'lru-cache';
import { patternSet } from '../shared/safe-patterns.ts';
import { patternsOf, type Config } from './config.ts';

/** Longest User-Agent that is compared with patterns, in characters; browsers stay below 500. */
export const USER_AGENT_LENGTH_MAX = 1024;

/** User-Agents whose verdict is kept; at the most some megabytes. */
export const VERDICTS_MAX = 1000;

/** Why a User-Agent is refused. */
export type UserAgentFault =
  | 'missing_user_agent'
  | 'empty_user_agent'
  | 'user_agent_too_long'
  | 'denied_user_agent'
  | 'user_agent_not_allowed';

/** @param lines of the header, as they came. @returns `undefined` when the client may pass */
export type UserAgentRules = (lines: readonly string[]) => UserAgentFault | undefined;

/**
 * Compiles a config. A request with several such headers passes when each of them would: nobody can say which one the upstream reads.
 * What is too long for patterns is refused where any pattern refuses: what a name is hidden behind must not help it.
 */
export function userAgentRules(settings: Config): UserAgentRules {
  const { allow, deny } = patternsOf(settings);
  const isAllowList = allow.length > 0 && deny.length === 0;
  // Who must show a name from a list cannot do so by showing none.
  const { block_missing_user_agent: missing = isAllowList, block_empty_user_agent: empty = isAllowList } = settings;
  const isRefused = verdictOf(allow, deny, settings.case_sensitive);
  const refused = isAllowList ? 'user_agent_not_allowed' : 'denied_user_agent';
  const faultOf = (line: string): UserAgentFault | undefined => {
    if (line.trim() === '') return empty ? 'empty_user_agent' : undefined;
    if (isRefused === undefined) return undefined;
    if (line.length > USER_AGENT_LENGTH_MAX) return 'user_agent_too_long';
    return isRefused(line) ? refused : undefined;
  };
  return (lines) => {
    if (lines.length === 0) return missing ? 'missing_user_agent' : undefined;
    for (const line of lines) {
      const fault = faultOf(line);
      if (fault !== undefined) return fault;
    }
    return undefined;
  };
}

/** Whether patterns refuse a User-Agent that no allow pattern lets pass. `undefined` where there is no pattern. */
function verdictOf(
  allow: readonly string[],
  deny: readonly string[],
  isCaseSensitive: boolean,
): ((line: string) => boolean) | undefined {
  if (allow.length === 0 && deny.length === 0) return undefined;
  const isListed = deny.length === 0 ? () => true : patternSet(deny, isCaseSensitive);
  const isAllowed = patternSet(allow, isCaseSensitive);
  // Made for the first request: it takes its room at once.
  let verdicts: LRUCache<string, boolean> | undefined;
  return (line) => {
    verdicts ??= new LRUCache({ max: VERDICTS_MAX });
    const known = verdicts.get(line);
    if (known !== undefined) return known;
    const verdict = isListed(line) && !isAllowed(line);
    verdicts.set(line, verdict);
    return verdict;
  };
}
