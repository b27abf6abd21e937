import { LRUCache } from 'lru-cache';
import { patternSet } from '../shared/safe-patterns.ts';
import { patternsOf, type Config } from './config.ts';

/** Longest User-Agent that is compared with patterns, in characters; browsers stay below 500. */
export const USER_AGENT_LENGTH_MAX = 1024;

/** User-Agents whose verdict is kept; at the most some megabytes. */
export const VERDICTS_MAX = 1000;

/** Why a User-Agent is refused. */
export type UserAgentFault = 'missing_user_agent' | 'empty_user_agent' | 'user_agent_too_long' | 'denied_user_agent';

/** @param lines of the header, as they came. @returns `undefined` when the client may pass */
export type UserAgentRules = (lines: readonly string[]) => UserAgentFault | undefined;

/**
 * Compiles a config. A request with several such headers passes when each of them would: nobody can say which one the upstream reads.
 * What is too long for patterns is refused where any pattern refuses: what a name is hidden behind must not help it.
 */
export function userAgentRules(settings: Config): UserAgentRules {
  const { block_missing_user_agent: missing = false, block_empty_user_agent: empty = false } = settings;
  const isDenied = deniedBy(settings);
  const faultOf = (line: string): UserAgentFault | undefined => {
    if (line.trim() === '') return empty ? 'empty_user_agent' : undefined;
    if (isDenied === undefined) return undefined;
    if (line.length > USER_AGENT_LENGTH_MAX) return 'user_agent_too_long';
    return isDenied(line) ? 'denied_user_agent' : undefined;
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

/** Whether a User-Agent matches what refuses and nothing that lets pass. `undefined` where nothing refuses. */
function deniedBy(settings: Config): ((line: string) => boolean) | undefined {
  const { allow, deny } = patternsOf(settings);
  if (deny.length === 0) return undefined;
  const isListed = patternSet(deny, settings.case_sensitive);
  const isExempt = patternSet(allow, settings.case_sensitive);
  // Made for the first request: it takes its room at once.
  let verdicts: LRUCache<string, boolean> | undefined;
  return (line) => {
    verdicts ??= new LRUCache({ max: VERDICTS_MAX });
    const known = verdicts.get(line);
    if (known !== undefined) return known;
    const verdict = isListed(line) && !isExempt(line);
    verdicts.set(line, verdict);
    return verdict;
  };
}
