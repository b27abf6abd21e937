import { matchesModel } from '../routing/model-pattern.ts';
import type { AiPolicy, PolicyConsumer } from './policy.ts';
import { defaultPolicyNames } from './read-policy.ts';

/** The subject that all clients share whom nobody identified. No consumer has this ID. */
export const ANONYMOUS_SUBJECT = '*';

/**
 * Which policy a consumer has: that of its ID; the first that one of its groups has, in the consumer's stored order; the one named `default`, then `*`; or none. Of policies
 * for the same the first counts: give those of a config before those of records. Usernames are not looked at. Source: spec, AI gateway.
 */
export class PolicyTable {
  readonly #policies = new Map<string, AiPolicy>();

  constructor(policies: readonly AiPolicy[]) {
    for (const policy of policies) {
      const key = keyOf(policy.scope, policy.scopeName);
      if (!this.#policies.has(key)) this.#policies.set(key, policy);
    }
  }

  /** @param consumer `undefined` for a client whom nobody identified: default policies are for it, too */
  select(consumer: PolicyConsumer | undefined): AiPolicy | undefined {
    if (consumer !== undefined) {
      const own = this.#policies.get(keyOf('consumer', consumer.id));
      if (own !== undefined) return own;
      for (const group of consumer.groups) {
        const policy = this.#policies.get(keyOf('group', group));
        if (policy !== undefined) return policy;
      }
    }
    for (const name of defaultPolicyNames) {
      const policy = this.#policies.get(keyOf('default', name));
      if (policy !== undefined) return policy;
    }
    return undefined;
  }
}

/** As {@link PolicyTable} does, for one question. */
export function selectPolicy(
  policies: readonly AiPolicy[],
  consumer: PolicyConsumer | undefined,
): AiPolicy | undefined {
  return new PolicyTable(policies).select(consumer);
}

/**
 * Whose use a policy's limits count: the consumer's, where it is for one consumer or for everybody (each has its own); that of all of the group together,
 * where it is for a group.
 */
export function policySubject(policy: AiPolicy, consumer: Pick<PolicyConsumer, 'id'> | undefined): string {
  return policy.scope === 'group' ? policy.scopeName : (consumer?.id ?? ANONYMOUS_SUBJECT);
}

/**
 * Whether a policy lets a model be asked for. The name is the one that the client sent, not what a route makes of it: to forbid a model, deny its aliases, too.
 * A denied model is denied whatever is allowed; no allowed ones are all. Without a policy everything is allowed. Source: spec, AI gateway records.
 */
export function isAllowed(policy: AiPolicy | undefined, model: string): boolean {
  if (policy === undefined) return true;
  const matches = (pattern: string): boolean => matchesModel(pattern, model);
  if (policy.deniedModels.some(matches)) return false;
  return policy.allowedModels.length === 0 || policy.allowedModels.some(matches);
}

function keyOf(scope: AiPolicy['scope'], name: string): string {
  return `${scope}:${name}`;
}
