import * as v from 'valibot';
import { configObject, wholeNumber } from '../shared/config-fields.ts';
import { crossFieldRule, requireOneOf, sameOrAbsent, type CrossFieldIssue } from '../shared/config-rules.ts';
import {
  COST_MAX,
  limitCount,
  limitsField,
  listIssues,
  settingIssues,
  unitCountingFields,
  windowSecondsField,
} from '../shared/limits/limit-fields.ts';

const fields = configObject({
  limit: v.optional(limitCount('Units per window_seconds')),
  window_seconds: v.optional(windowSecondsField()),
  limits: v.optional(limitsField()),
  cost: v.optional(wholeNumber('Units that each request takes of every limit', 1, COST_MAX), 1),
  ...unitCountingFields(),
});

/** Config of `advanced_rate_limiter`. */
export const config = crossFieldRule(requireOneOf(fields, [['limit', 'window_seconds'], 'limits']), (settings) => [
  ...formIssues(settings),
  ...sameOrAbsent(settings, 'limit_by', 'identifier'),
  ...settingIssues(settings, 'header', 'header_name'),
  ...listIssues(settings.limits ?? []),
  ...costIssues(settings),
]);

/** See {@link config}. Rules between fields do not change its form. */
export type Config = v.InferOutput<typeof fields>;

/** The limits are written in one form, so that nobody has to guess which of two counts. */
function formIssues({ limit, window_seconds: seconds, limits }: Config): readonly CrossFieldIssue[] {
  const issues: CrossFieldIssue[] = [];
  if (limit === undefined && seconds !== undefined) issues.push({ field: 'limit', message: TOGETHER });
  if (limit !== undefined && seconds === undefined) issues.push({ field: 'window_seconds', message: TOGETHER });
  if (limits !== undefined && (limit ?? seconds) !== undefined) issues.push({ field: 'limits', message: ONE_FORM });
  return issues;
}

const TOGETHER = 'is required: limit and window_seconds go together';
const ONE_FORM = 'is a second form: give limit with window_seconds, or limits';

/** A request that costs more than a limit would never pass. */
function costIssues({ cost, limit, limits = [] }: Config): readonly CrossFieldIssue[] {
  const least = Math.min(limit ?? COST_MAX, ...limits.map((one) => one.limit));
  return cost > least ? [{ field: 'cost', message: 'must be at most the smallest limit, or no request passes' }] : [];
}
