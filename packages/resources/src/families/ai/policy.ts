import * as v from 'valibot';
import * as field from '../../fields.ts';
import {
  aiListItemsMax,
  aiName,
  type ConfigAliases,
  countFrom,
  integerBetween,
  modelPattern,
  withAliases,
} from './config-fields.ts';

/** Seconds of the windows in which requests and tokens are counted. A year is the longest. */
const windowSecondsMax = 31_536_000;

/** Other names of a policy's fields. */
export const aiPolicyAliases: ConfigAliases = { group: 'consumer_group' };

const patterns = v.pipe(
  v.array(modelPattern),
  v.maxLength(aiListItemsMax, `must have at most ${aiListItemsMax} items`),
);

/**
 * The config of a policy: which models a consumer may use, how many tokens and requests. Zero switches a limit off; a budget
 * without a window never begins anew. It is for
 * the consumer of `consumer_id` (the record's name when neither is given) or for a group. Source: spec, AI gateway records.
 */
export const policyConfig: v.GenericSchema = v.strictObject(
  withAliases(
    {
      allowed_models: v.optional(patterns),
      denied_models: v.optional(patterns),
      token_budget: v.optional(countFrom(0)),
      token_budget_window_seconds: v.optional(integerBetween(0, windowSecondsMax)),
      rate_limit: v.optional(countFrom(0)),
      rate_window_seconds: v.optional(integerBetween(0, windowSecondsMax)),
      consumer_group: v.optional(aiName),
      consumer_id: v.optional(field.reference),
    },
    aiPolicyAliases,
  ),
);
