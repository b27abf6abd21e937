import * as v from 'valibot';
import { choice, configObject, flag, headerName, text, wholeNumber } from '../config-fields.ts';
import type { CrossFieldIssue } from '../config-rules.ts';
import { limitName, type WindowLimit } from './limit-window.ts';

/** Most requests, or units of cost, of one limit. */
export const LIMIT_MAX = 1_000_000_000;

/** Longest window: 366 days in seconds. */
export const WINDOW_SECONDS_MAX = 31_622_400;

/** Most windows in `limits`. Each costs a counter per client. */
export const LIMITS_MAX = 10;

/** What a counter can be kept for. */
export const LIMIT_BY = [
  'consumer',
  'consumer_group',
  'credential',
  'ip',
  'service',
  'route',
  'header',
  'path',
] as const;

/** What keeps counters apart beside the client. */
export const SCOPES = [
  'global',
  'tenant',
  'gateway',
  'workspace',
  'service',
  'route',
  'consumer',
  'consumer_group',
] as const;

/** How windows move. The second two are other names of the first two. */
export const STRATEGIES = ['fixed', 'sliding', 'fixed_window', 'sliding_window'] as const;

/** A number of requests, or of units of cost, per window. */
export function limitCount(description: string) {
  return wholeNumber(description, 1, LIMIT_MAX);
}

/** Length of a window. */
export function windowSecondsField() {
  return wholeNumber('Length of the window, in seconds', 1, WINDOW_SECONDS_MAX);
}

/** `limits`: several windows at once. */
export function limitsField() {
  const windowLimit = configObject({
    limit: limitCount('Requests per window'),
    window_seconds: windowSecondsField(),
    name: v.optional(
      v.pipe(
        text('Name of the limit in the headers', 32),
        v.regex(/^[a-z][a-z0-9_-]*$/, 'must be lower-case letters, digits, _ and -, and begin with a letter'),
      ),
    ),
  });
  return v.pipe(
    v.array(windowLimit, 'must be a list'),
    v.minLength(1, 'must not be empty'),
    v.maxLength(LIMITS_MAX, `must have at most ${LIMITS_MAX} entries`),
    v.description('Several limits with a window each; a request passes when all have room'),
  );
}

/** `limit_by`. */
export function limitByField() {
  return choice(
    'What a counter is kept for; consumer when absent, or header or path where one is named. ' +
      'A request without it is counted by its client address. A consumer is of the first group of its record',
    LIMIT_BY,
  );
}

/** `identifier`. */
export function identifierField() {
  return choice("Another name of limit_by, as in Kong's advanced limiter", LIMIT_BY);
}

/** `scope`. */
export function scopeField() {
  return choice(
    'Counters are kept apart for each of these; global and tenant: all traffic of the instance together',
    SCOPES,
  );
}

/** `strategy`. */
export function strategyField() {
  return choice(
    'fixed begins at zero with each window of the calendar; sliding looks back one window from each request',
    STRATEGIES,
  );
}

/** `hide_client_headers`. */
export function hideClientHeadersField() {
  return flag('Whether the limit headers are left out; Retry-After stays');
}

/** Most units that one request can cost. */
export const COST_MAX: number = LIMIT_MAX;

/** `header_name`. */
export function limitHeaderNameField() {
  return headerName('Request header whose value a counter is kept for; limit_by is then header');
}

/** The fields of limiters that count units: who is counted together, how, and what clients are told. */
export function unitCountingFields() {
  return {
    limit_by: v.optional(limitByField()),
    identifier: v.optional(identifierField()),
    header_name: v.optional(limitHeaderNameField()),
    scope: v.optional(scopeField(), 'global'),
    include_method: v.optional(flag('Whether each method of HTTP has its own counters'), false),
    include_path: v.optional(
      flag('Whether each path has its own counters; clients that may ask for any path have as many'),
      false,
    ),
    namespace: v.optional(
      text(
        'Instances of one namespace share counters in a gateway process; without it an instance has its own',
        NAMESPACE_LENGTH_MAX,
      ),
    ),
    strategy: v.optional(strategyField(), 'fixed'),
    hide_client_headers: v.optional(hideClientHeadersField(), false),
  };
}

/** Longest name of a namespace. */
const NAMESPACE_LENGTH_MAX = 128;

/** Who a config counts together, as far as `header_name` and `path` depend on it. */
interface WhoFields<Kind extends string = string> {
  readonly limit_by?: Kind | undefined;
  readonly identifier?: Kind | undefined;
  readonly header_name?: string | undefined;
  readonly path?: string | undefined;
}

/** What a counter is kept for. Where only a header or a path is named, that is meant: nothing else can be. */
export function limitByOf<Kind extends string>(settings: WhoFields<Kind>): Kind | 'header' | 'path' | 'consumer' {
  const asked = settings.limit_by ?? settings.identifier;
  if (asked !== undefined) return asked;
  if (settings.header_name !== undefined) return 'header';
  return settings.path === undefined ? 'consumer' : 'path';
}

/** `header_name` and `path` say more about one kind of `limit_by` each, and nothing about the others. */
export function settingIssues(
  settings: WhoFields,
  kind: 'header' | 'path',
  field: 'header_name' | 'path',
): CrossFieldIssue[] {
  const isKind = limitByOf(settings) === kind;
  const isGiven = settings[field] !== undefined;
  if (isGiven && !isKind) return [{ field, message: `is only used with limit_by ${kind}` }];
  return kind === 'header' && isKind && !isGiven ? [{ field, message: 'is required with this limit_by' }] : [];
}

/** No two entries of `limits` have one name, which headers tell them by, or one window, of which the larger would say nothing. */
export function listIssues(limits: readonly WindowLimit[]): CrossFieldIssue[] {
  const names = new Set(limits.map(({ name }, index) => limitName(name, index)));
  const seconds = new Set(limits.map((one) => one.window_seconds));
  return [
    ...(names.size < limits.length ? [{ field: 'limits', message: 'has two limits of one name' }] : []),
    ...(seconds.size < limits.length ? [{ field: 'limits', message: 'has two limits of one window' }] : []),
  ];
}
