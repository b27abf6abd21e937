import * as v from 'valibot';
import { choice, configObject, flag, headerName, text, wholeNumber } from '../shared/config-fields.ts';
import { crossFieldRule, requireOneOf, sameOrAbsent, type CrossFieldIssue } from '../shared/config-rules.ts';
import { limitName } from './limit-window.ts';

/** Most requests of one limit and longest window: 366 days in seconds. */
export const LIMIT_MAX = 1_000_000_000;
export const WINDOW_SECONDS_MAX = 31_622_400;

/** Most windows in `limits`. Each costs a counter per client. */
export const LIMITS_MAX = 10;

/** What a counter can be kept for. */
export const LIMIT_BY = ['consumer', 'credential', 'ip', 'service', 'header', 'path'] as const;

/** What keeps counters apart beside the client. */
export const SCOPES = ['global', 'tenant', 'gateway', 'workspace', 'service', 'route', 'consumer'] as const;

const limit = (description: string) => wholeNumber(description, 1, LIMIT_MAX);
const windowSeconds = wholeNumber('Length of the window, in seconds', 1, WINDOW_SECONDS_MAX);

const windowLimit = configObject({
  limit: limit('Requests per window'),
  window_seconds: windowSeconds,
  name: v.optional(
    v.pipe(
      text('Name of the limit in the headers', 32),
      v.regex(/^[a-z][a-z0-9_-]*$/, 'must be lower-case letters, digits, _ and -, and begin with a letter'),
    ),
  ),
});

const SHARED_STORE = 'needs a shared store; not available in this release';

const fields = configObject({
  limit: v.optional(limit('Requests per window_seconds')),
  window_seconds: v.optional(windowSeconds),
  second: v.optional(limit('Requests per second')),
  minute: v.optional(limit('Requests per minute')),
  hour: v.optional(limit('Requests per hour')),
  day: v.optional(limit('Requests per day, in UTC')),
  month: v.optional(limit('Requests per calendar month, in UTC')),
  year: v.optional(limit('Requests per calendar year, in UTC')),
  limits: v.optional(
    v.pipe(
      v.array(windowLimit, 'must be a list'),
      v.minLength(1, 'must not be empty'),
      v.maxLength(LIMITS_MAX, `must have at most ${LIMITS_MAX} entries`),
      v.description('Several limits with a window each; a request passes when all have room'),
    ),
  ),
  limit_by: v.optional(
    choice(
      'What a counter is kept for; consumer when absent. A request without it is counted by its client address',
      LIMIT_BY,
    ),
  ),
  identifier: v.optional(choice("Another name of limit_by, as in Kong's advanced limiter", LIMIT_BY)),
  header_name: v.optional(headerName('Request header whose value a counter is kept for, with limit_by header')),
  path: v.optional(
    v.pipe(
      text('With limit_by path: only this path has its counter, other requests are counted by client address', 1024),
      v.regex(/^\//, 'must begin with /'),
    ),
  ),
  scope: v.optional(
    choice(
      'Counters are kept apart for each of these; global and tenant: all traffic of the instance together',
      SCOPES,
    ),
    'global',
  ),
  strategy: v.optional(
    choice('fixed begins at zero with each window of the calendar; sliding looks back one window from each request', [
      'fixed',
      'sliding',
      'fixed_window',
      'sliding_window',
    ]),
    'fixed',
  ),
  policy: v.optional(
    v.pipe(
      v.picklist(['local'], ({ input }) => (input === 'redis' ? SHARED_STORE : 'must be local')),
      v.description('Where counters are kept: local is per gateway process'),
    ),
    'local',
  ),
  sync_rate: v.optional(
    v.pipe(
      wholeNumber('Seconds between two synchronisations with a shared store; for policy redis only', 0, 3600),
      v.check(() => false, SHARED_STORE),
    ),
  ),
  fault_tolerant: v.optional(
    v.pipe(
      flag('Whether requests pass while a shared store is down; for policy redis only'),
      v.check(() => false, SHARED_STORE),
    ),
  ),
  hide_client_headers: v.optional(flag('Whether the limit headers are left out; Retry-After stays'), false),
  error_code: v.optional(wholeNumber('Status of a refusal', 400, 599), 429),
  error_message: v.optional(text('What a refusal says', 1024), 'the rate limit is exceeded'),
});

const PERIODS = ['second', 'minute', 'hour', 'day', 'month', 'year'] as const;

/** Config of `rate_limiter`. */
export const config = crossFieldRule(
  requireOneOf(fields, [['limit', 'window_seconds'], 'limits', ...PERIODS]),
  (settings) => [
    ...formIssues(settings),
    ...sameOrAbsent(settings, 'limit_by', 'identifier'),
    ...settingIssues(settings, 'header', 'header_name'),
    ...settingIssues(settings, 'path', 'path'),
    ...listIssues(settings.limits ?? []),
  ],
);

/** See {@link config}. Rules between fields do not change its form. */
export type Config = v.InferOutput<typeof fields>;

/** The limits are written in one form, so that nobody has to guess which of two counts. Source: spec, rate_limiter. */
function formIssues(settings: Config): readonly CrossFieldIssue[] {
  const { limit, window_seconds: seconds, limits } = settings;
  const issues: CrossFieldIssue[] = [];
  if (limit === undefined && seconds !== undefined) issues.push({ field: 'limit', message: TOGETHER });
  if (limit !== undefined && seconds === undefined) issues.push({ field: 'window_seconds', message: TOGETHER });
  const period = PERIODS.find((field) => settings[field] !== undefined);
  const isPair = limit !== undefined || seconds !== undefined;
  if (limits !== undefined && isPair) issues.push({ field: 'limits', message: ONE_FORM });
  if (period !== undefined && (isPair || limits !== undefined)) issues.push({ field: period, message: ONE_FORM });
  return issues;
}

const TOGETHER = 'is required: limit and window_seconds go together';
const ONE_FORM = 'is a second form: give limit with window_seconds, or limits, or second to year';

/** `header_name` and `path` say more about one kind of `limit_by` each, and nothing about the others. */
function settingIssues(settings: Config, kind: 'header' | 'path', field: 'header_name' | 'path'): CrossFieldIssue[] {
  const isKind = (settings.limit_by ?? settings.identifier) === kind;
  const isGiven = settings[field] !== undefined;
  if (isGiven && !isKind) return [{ field, message: `is only used with limit_by ${kind}` }];
  return kind === 'header' && isKind && !isGiven ? [{ field, message: 'is required with limit_by header' }] : [];
}

function listIssues(limits: NonNullable<Config['limits']>): CrossFieldIssue[] {
  const names = new Set(limits.map(({ name }, index) => limitName(name, index)));
  const seconds = new Set(limits.map((one) => one.window_seconds));
  return [
    ...(names.size < limits.length ? [{ field: 'limits', message: 'has two limits of one name' }] : []),
    ...(seconds.size < limits.length ? [{ field: 'limits', message: 'has two limits of one window' }] : []),
  ];
}
