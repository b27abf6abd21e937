import { readConfig } from '../config/problems.ts';
import type { AiPolicy } from './policy.ts';
import { loosePolicySchema, type PolicyConfig } from './policy-schema.ts';

/** Window of `rate_limit` where none is given, in seconds. */
const RATE_WINDOW_SECONDS_DEFAULT = 60;

/** Names of policies for everybody without another one; the first goes before the second. Source: spec, AI gateway. */
export const defaultPolicyNames = ['default', '*'] as const;

/**
 * The policy that a config or an AI record means.
 * @param name the record's: the consumer's ID, `default` or `*`, unless a field says whom it is for
 * @param config unknown fields are left out
 * @param id what tells its counters from those of other policies of the tenant: the record's ID
 * @throws InvalidConfigError
 */
export function readPolicy(name: string, config: unknown, id: string = name): AiPolicy {
  return policyOf(readConfig(loosePolicySchema, config, `policy ${name}`), name, id);
}

/** As {@link readPolicy}, of a config that the schema made. @param group of its map, where that says it */
export function policyOf(config: PolicyConfig, name: string, id: string, group?: string): AiPolicy {
  const budget = config.token_budget ?? 0;
  const rateWindowSeconds = config.rate_window_seconds ?? RATE_WINDOW_SECONDS_DEFAULT;
  return {
    id,
    name,
    ...scopeOf(config, name, group),
    allowedModels: config.allowed_models ?? [],
    deniedModels: config.denied_models ?? [],
    tokenBudget: budget,
    tokenBudgetWindowMs: 1000 * (config.token_budget_window_seconds ?? 0),
    rateLimit: rateWindowSeconds === 0 ? 0 : (config.rate_limit ?? 0),
    rateWindowMs: 1000 * rateWindowSeconds,
  };
}

/** Whom a policy is for, even when the rest of it cannot be read. */
export function scopeOf(config: PolicyConfig, name: string, group?: string): Pick<AiPolicy, 'scope' | 'scopeName'> {
  const groupName = config.consumer_group ?? config.group ?? group;
  if (groupName !== undefined) return { scope: 'group', scopeName: groupName };
  const scopeName = config.consumer_id ?? name;
  const isDefault = defaultPolicyNames.some((known) => known === scopeName);
  return { scope: isDefault ? 'default' : 'consumer', scopeName };
}
