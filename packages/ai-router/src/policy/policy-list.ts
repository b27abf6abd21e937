import type * as v from 'valibot';
import { entriesOf, entriesRule, readEntries, type EntryProblem } from '../config/entries.ts';
import { listOrMap, type ListOrMap } from '../config/list-or-map.ts';
import { readConfig } from '../config/problems.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import type { AiPolicy } from './policy.ts';
import { listedPolicySchema, looseListedPolicySchema, type ListedPolicyConfig } from './policy-schema.ts';
import { policyOf } from './read-policy.ts';

/** `consumer_policies`: a map by consumer ID, `default` or `*`, or a list whose entries have `consumer_id` or `name`. Source: wire, AI. */
export const consumerPoliciesSchema: v.GenericSchema<ListOrMap<ListedPolicyConfig>> = entriesRule(
  listOrMap(listedPolicySchema, 'Policies of consumers: a map by consumer ID, default or *, or a list'),
  (given) => listProblems(given, consumerOf, 'consumer_id'),
);

/** `consumer_group_policies`: a map by group, or a list whose entries have `consumer_group`, `group` or `name`. Source: wire, AI. */
export const groupPoliciesSchema: v.GenericSchema<ListOrMap<ListedPolicyConfig>> = entriesRule(
  listOrMap(listedPolicySchema, 'Policies of consumer groups: a map by group, or a list'),
  (given) => listProblems(given, groupOf, 'consumer_group'),
);

/**
 * The policies of such a list or map.
 * @param given unknown fields are left out; `undefined` gives none
 * @param idPrefix what tells policies of this list from others of the tenant: the plugin instance's ID
 * @throws InvalidConfigError
 */
export function readConsumerPolicies(given: unknown, idPrefix: string): readonly AiPolicy[] {
  return readList(given, 'consumer_policies', listProblems(given, consumerOf, 'consumer_id'), (config, name) => {
    const consumer = name ?? consumerOf(config as JsonObject) ?? '';
    return policyOf(config, consumer, `${idPrefix}:consumer:${consumer}`);
  });
}

/** As {@link readConsumerPolicies}, of groups. @throws InvalidConfigError */
export function readGroupPolicies(given: unknown, idPrefix: string): readonly AiPolicy[] {
  return readList(given, 'consumer_group_policies', listProblems(given, groupOf, 'consumer_group'), (config, name) => {
    const group = name ?? groupOf(config as JsonObject) ?? '';
    return policyOf(config, group, `${idPrefix}:group:${group}`, group);
  });
}

function readList(
  given: unknown,
  what: string,
  problems: readonly EntryProblem[],
  read: (config: ListedPolicyConfig, name: string | undefined) => AiPolicy,
): readonly AiPolicy[] {
  return readEntries(given, problems, what, ({ name, entry }) =>
    read(readConfig(looseListedPolicySchema, entry, 'policy'), name),
  );
}

/** An entry that does not say whom it is for, says it otherwise than its key, is for the other kind, or for whom another one is. */
function listProblems(
  given: unknown,
  nameOf: (config: JsonObject) => string | undefined,
  field: 'consumer_id' | 'consumer_group',
): readonly EntryProblem[] {
  const otherFields = field === 'consumer_id' ? ['consumer_group', 'group'] : ['consumer_id'];
  const seen = new Set<string>();
  const problems: EntryProblem[] = [];
  for (const { name, entry, key } of entriesOf(given)) {
    if (!isJsonObject(entry)) continue;
    const own = nameOf(entry);
    const subject = name ?? own;
    if (subject === undefined) problems.push({ key, field, message: 'is required' });
    else if (seen.has(subject)) problems.push({ key, field, message: 'is the same as of an entry before' });
    else seen.add(subject);
    if (name !== undefined && own !== undefined && own !== name) {
      problems.push({ key, field, message: 'is another than the key' });
    }
    for (const other of otherFields) {
      if (entry[other] !== undefined) problems.push({ key, field: other, message: 'is no field of this list' });
    }
  }
  return problems;
}

function consumerOf({ consumer_id: id, name }: JsonObject): string | undefined {
  return textOf(id) ?? textOf(name);
}

function groupOf({ consumer_group: consumerGroup, group, name }: JsonObject): string | undefined {
  return textOf(consumerGroup) ?? textOf(group) ?? textOf(name);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
