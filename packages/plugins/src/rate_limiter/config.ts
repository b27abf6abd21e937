import * as v from 'valibot';
import { choice, configObject, flag, text, wholeNumber } from '../shared/config-fields.ts';
import { crossFieldRule, requireOneOf, sameOrAbsent, type CrossFieldIssue } from '../shared/config-rules.ts';
import {
  hideClientHeadersField,
  identifierField,
  limitByField,
  limitCount,
  limitHeaderNameField,
  limitsField,
  listIssues,
  scopeField,
  settingIssues,
  strategyField,
  windowSecondsField,
} from '../shared/limits/limit-fields.ts';

/** Bounds of the time between two tellings, in seconds. Source: Kong's sync_rate, which also has -1 for none. */
const SYNC_SECONDS_MIN = 0.02;
const SYNC_SECONDS_MAX = 3600;

const fields = configObject({
  limit: v.optional(limitCount('Requests per window_seconds')),
  window_seconds: v.optional(windowSecondsField()),
  second: v.optional(limitCount('Requests per second')),
  minute: v.optional(limitCount('Requests per minute')),
  hour: v.optional(limitCount('Requests per hour')),
  day: v.optional(limitCount('Requests per day, in UTC')),
  month: v.optional(limitCount('Requests per calendar month, in UTC')),
  year: v.optional(limitCount('Requests per calendar year, in UTC')),
  limits: v.optional(limitsField()),
  limit_by: v.optional(limitByField()),
  identifier: v.optional(identifierField()),
  header_name: v.optional(limitHeaderNameField()),
  path: v.optional(
    v.pipe(
      text('Only this path has its counter, other requests are counted by client address; limit_by is then path', 1024),
      v.regex(/^\//, 'must begin with /'),
    ),
  ),
  scope: v.optional(scopeField(), 'global'),
  strategy: v.optional(strategyField(), 'fixed'),
  policy: v.optional(
    choice(
      'Where counters are kept: local is per gateway process; redis is one place for all gateways of the tenant that run the instance',
      ['local', 'redis'],
    ),
    'local',
  ),
  sync_rate: v.optional(
    v.pipe(
      v.number('must be a number'),
      v.minValue(-1, 'must be at least -1'),
      v.maxValue(SYNC_SECONDS_MAX, `must be at most ${SYNC_SECONDS_MAX}`),
      v.check(
        (given) => given === -1 || given === 0 || given >= SYNC_SECONDS_MIN,
        `must be -1, 0, or at least ${SYNC_SECONDS_MIN}`,
      ),
      v.description(
        'With policy redis: 0 or -1 asks Redis about each request; else, from 0.02, each process counts by itself and tells the others after so many seconds',
      ),
    ),
    0,
  ),
  fault_tolerant: v.optional(
    flag('With policy redis: whether requests are counted by the process alone while Redis is down; else they get 503'),
    false,
  ),
  hide_client_headers: v.optional(hideClientHeadersField(), false),
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
