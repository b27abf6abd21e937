import type { JsonObject } from '../json.ts';
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

/** What a model that was asked for is called elsewhere. */
export interface OtherNames {
  /** The own model name of the route that has it. */
  readonly routeModel?: string | undefined;
  /** What a provider is asked for where no route has it. */
  readonly sentAs?: readonly string[];
}

/**
 * Whether a policy lets a model be asked for, by the name that the client sent and those that it stands for. Denied ones are denied whatever is allowed, under
 * any of the names, however its letters are written: an alias, or another spelling that a provider takes, is no way round. No allowed ones are all. What is allowed is the
 * name itself or its route's. Without a policy everything is allowed. Source: spec, AI gateway records.
 */
export function isAllowed(policy: AiPolicy | undefined, model: string, others: OtherNames = {}): boolean {
  if (policy === undefined) return true;
  const { allowedModels, deniedModels } = policy;
  const { routeModel, sentAs = [] } = others;
  const own = routeModel === undefined || routeModel === model ? [model] : [model, routeModel];
  if (deniedModels.length > 0) {
    const names = [...own, ...sentAs].map((name) => name.toLowerCase());
    const isDenied = (pattern: string): boolean => names.some((name) => matchesModel(pattern.toLowerCase(), name));
    if (deniedModels.some(isDenied)) return false;
  }
  return allowedModels.length === 0 || allowedModels.some((pattern) => own.some((name) => matchesModel(pattern, name)));
}

/** Members of requests by which some providers take other models than `model`, or as well. */
const otherModelFields = ['models', 'fallbacks', 'fallback_models'] as const;

/** Whether what a request says of models beside `model` may go on: not where a policy says which models may be asked for. */
export function mayName({ allowedModels, deniedModels }: AiPolicy, body: JsonObject): boolean {
  if (allowedModels.length === 0 && deniedModels.length === 0) return true;
  return !otherModelFields.some((field) => Object.hasOwn(body, field));
}

/** What a provider may take a name for: some write before it what it belongs to, for instance `models/NAME`. */
export function namesOf(sent: string): readonly string[] {
  return [sent, sent.slice(sent.lastIndexOf('/') + 1)];
}

function keyOf(scope: AiPolicy['scope'], name: string): string {
  return `${scope}:${name}`;
}
