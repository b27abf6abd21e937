import * as v from 'valibot';
import { configObject, flag, headerName, text, wholeNumber } from '../shared/config-fields.ts';
import { crossFieldRule, requireOneOf, type CrossFieldIssue } from '../shared/config-rules.ts';
import { patternMistakes } from '../shared/safe-patterns.ts';

/** Most patterns of one field. */
export const PATTERNS_MAX = 1000;

/** Longest pattern, in characters. */
const PATTERN_LENGTH_MAX = 256;

/** Fields whose patterns let pass, and whose patterns refuse: three names each, which count together. */
const allowFields = ['allow_user_agents', 'allowed_user_agents', 'user_agent_allow_patterns'] as const;
const denyFields = ['blocked_user_agents', 'deny_user_agents', 'user_agent_deny_patterns'] as const;

const fields = configObject({
  allow_user_agents: patterns('Same as `user_agent_allow_patterns`; all such fields count together'),
  allowed_user_agents: patterns('Same as `user_agent_allow_patterns`; all such fields count together'),
  block_empty_user_agent: v.optional(
    flag(
      'Whether requests are refused whose User-Agent is empty; true where there are allow patterns alone, else false',
    ),
  ),
  block_missing_user_agent: v.optional(
    flag('Whether requests are refused that have no User-Agent; true where there are allow patterns alone, else false'),
  ),
  blocked_user_agents: patterns('Same as `user_agent_deny_patterns`; all such fields count together'),
  case_sensitive: v.optional(flag('Whether letters of patterns match in their own case only'), false),
  deny_user_agents: patterns('Same as `user_agent_deny_patterns`; all such fields count together'),
  header_name: v.optional(headerName('Request header that is looked at'), 'User-Agent'),
  message: v.optional(text('What a refusal says', 1024), 'this client may not send this request'),
  status_code: v.optional(wholeNumber('Status of a refusal', 400, 599), 403),
  user_agent_allow_patterns: patterns(
    'Regular expressions; a User-Agent in which one is found passes whatever else matches. Without a deny pattern all others are refused',
  ),
  user_agent_deny_patterns: patterns('Regular expressions; a User-Agent in which one is found is refused'),
});

/** Config of `bot_detection_basic`. Source: spec, bot_detection_basic. */
export const config = crossFieldRule(
  requireOneOf(fields, [...allowFields, 'block_empty_user_agent', 'block_missing_user_agent', ...denyFields]),
  (settings): readonly CrossFieldIssue[] => [...idleFlags(settings), ...patternIssues(settings)],
);

/** See {@link config}. */
export type Config = v.InferOutput<typeof fields>;

/** All patterns of a config that let pass, and all that refuse. */
export function patternsOf(settings: Config): { readonly allow: readonly string[]; readonly deny: readonly string[] } {
  return {
    allow: allowFields.flatMap((field) => settings[field] ?? []),
    deny: denyFields.flatMap((field) => settings[field] ?? []),
  };
}

/** A config that refuses nobody looks like protection and is none. */
function idleFlags(settings: Config): CrossFieldIssue[] {
  const { allow, deny } = patternsOf(settings);
  if (allow.length > 0 || deny.length > 0) return [];
  const flags = ['block_empty_user_agent', 'block_missing_user_agent'] as const;
  if (flags.some((field) => settings[field] === true)) return [];
  return flags
    .filter((field) => settings[field] === false)
    .map((field) => ({ field, message: 'refuses nobody: set it, or give patterns' }));
}

function patternIssues(settings: Config): CrossFieldIssue[] {
  const places = [...allowFields, ...denyFields]
    .flatMap((field) => (settings[field] ?? []).map((pattern, index) => ({ field, index, pattern })))
    // Longer ones are a mistake already, and may be long work.
    .filter(({ pattern }) => pattern.length <= PATTERN_LENGTH_MAX);
  return patternMistakes(places.map(({ pattern }) => pattern)).flatMap(({ at, message }) => {
    const place = places[at];
    return place === undefined ? [] : [{ field: place.field, index: place.index, message }];
  });
}

function patterns(description: string) {
  return v.optional(
    v.pipe(
      v.array(text('A regular expression in RE2 syntax', PATTERN_LENGTH_MAX), 'must be a list of regular expressions'),
      v.minLength(1, 'must not be empty'),
      v.maxLength(PATTERNS_MAX, `must have at most ${PATTERNS_MAX} entries`),
      v.description(description),
    ),
  );
}
