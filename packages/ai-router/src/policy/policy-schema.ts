import * as v from 'valibot';
import {
  looseObject,
  modelPatternsField,
  nameField,
  recordIdField,
  strictObject,
  wholeNumberField,
} from '../config/fields.ts';
import { aliasProblems, fieldRule, type AliasProblem } from '../config/problems.ts';

/** Other names of a policy's fields. */
export const policyAliases = { group: 'consumer_group' } as const;

/** A year is the longest window. */
const WINDOW_SECONDS_MAX = 31_536_000;

/** A policy as AI records and maps of configs hold it. */
export interface PolicyConfig {
  allowed_models?: string[] | undefined;
  denied_models?: string[] | undefined;
  token_budget?: number | undefined;
  token_budget_window_seconds?: number | undefined;
  rate_limit?: number | undefined;
  rate_window_seconds?: number | undefined;
  consumer_group?: string | undefined;
  group?: string | undefined;
  consumer_id?: string | undefined;
}

/** A policy as lists of configs hold it. */
export interface ListedPolicyConfig extends PolicyConfig {
  name?: string | undefined;
}

/** The config of a policy, without defaults. Unknown fields are refused. Source: spec, AI gateway records. */
export const policySchema: v.GenericSchema<PolicyConfig> = ruled(strictObject({ ...limits(), ...scopes() }));

/** The same, and unknown fields are left out: see `readPolicy`. */
export const loosePolicySchema: v.GenericSchema<unknown, PolicyConfig> = ruled(
  looseObject({ ...limits(), ...scopes() }),
);

/** A policy in a list of `ai_proxy`, where `consumer_id` may be `default` or `*`. */
export const listedPolicySchema: v.GenericSchema<ListedPolicyConfig> = ruled(
  strictObject({ ...limits(), ...scopes(), ...listedScopes() }),
);

/** The same, and unknown fields are left out. */
export const looseListedPolicySchema: v.GenericSchema<unknown, ListedPolicyConfig> = ruled(
  looseObject({ ...limits(), ...scopes(), ...listedScopes() }),
);

function limits() {
  return {
    allowed_models: v.optional(modelPatternsField('Models that may be asked for; all where there are none')),
    denied_models: v.optional(modelPatternsField('Models that may not be asked for, allowed or not')),
    token_budget: v.optional(wholeNumberField('Tokens that may be used; 0 for any number', 0)),
    token_budget_window_seconds: v.optional(
      wholeNumberField('After which the budget begins anew; never where absent or 0', 0, WINDOW_SECONDS_MAX),
    ),
    rate_limit: v.optional(wholeNumberField('Requests for one model in a window; 0 for any number', 0)),
    rate_window_seconds: v.optional(
      wholeNumberField('Rolling window of rate_limit; 60 where absent, 0 for no limit', 0, WINDOW_SECONDS_MAX),
    ),
  };
}

function scopes() {
  return {
    consumer_group: v.optional(nameField('The group that it is for')),
    group: v.optional(nameField('The same as consumer_group')),
    consumer_id: v.optional(recordIdField('The consumer that it is for')),
  };
}

function listedScopes() {
  return {
    name: v.optional(nameField('The consumer or group that it is for, where no other field says so')),
    consumer_id: v.optional(nameField('The consumer that it is for; default or * for all others')),
  };
}

function ruled<Config extends object>(schema: v.GenericSchema<Config>): v.GenericSchema<Config> {
  return fieldRule(schema, (given) => [...aliasProblems(given, policyAliases), ...scopeProblems(given)]);
}

function scopeProblems(given: Readonly<Record<string, unknown>>): readonly AliasProblem[] {
  const hasGroup = (given['consumer_group'] ?? given['group']) !== undefined;
  if (!hasGroup || given['consumer_id'] === undefined) return [];
  return [{ field: 'consumer_id', message: 'cannot be given together with a group' }];
}
