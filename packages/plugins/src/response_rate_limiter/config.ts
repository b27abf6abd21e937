import * as v from 'valibot';
import { configObject, wholeNumber, writtenHeaderName } from '../shared/config-fields.ts';
import { crossFieldRule, sameOrAbsent, type CrossFieldIssue } from '../shared/config-rules.ts';
import { statusCodes } from '../shared/status-codes.ts';
import {
  COST_MAX,
  limitCount,
  settingIssues,
  unitCountingFields,
  windowSecondsField,
} from '../shared/limits/limit-fields.ts';

/** Most entries of `count_statuses`: all statuses that a response can have. */
const STATUSES_MAX = 400;

const fields = configObject({
  limit: limitCount('Units per window_seconds'),
  window_seconds: windowSecondsField(),
  cost: v.optional(
    wholeNumber('Units that a response is charged when cost_header does not say another number', 0, COST_MAX),
    1,
  ),
  cost_header: v.optional(
    writtenHeaderName('Response header with the units that a response is charged; it is removed from the response'),
  ),
  count_statuses: v.optional(
    statusCodes('Only responses of these statuses are charged; all when absent', {
      min: 200,
      max: 599,
      entriesMax: STATUSES_MAX,
    }),
  ),
  ...unitCountingFields(),
});

/** Config of `response_rate_limiter`. */
export const config = crossFieldRule(fields, (settings) => [
  ...sameOrAbsent(settings, 'limit_by', 'identifier'),
  ...settingIssues(settings, 'header', 'header_name'),
  ...costIssues(settings),
]);

/** See {@link config}. Rules between fields do not change its form. */
export type Config = v.InferOutput<typeof fields>;

/** What could never be charged, or never pass. */
function costIssues({ cost, cost_header: header, limit }: Config): readonly CrossFieldIssue[] {
  if (header !== undefined) return [];
  if (cost === 0) return [{ field: 'cost', message: 'must be at least 1 without cost_header, or nothing is charged' }];
  return cost > limit ? [{ field: 'cost', message: 'must be at most limit, or no request passes' }] : [];
}
