import {
  cacheSchema,
  consumerPoliciesSchema,
  groupPoliciesSchema,
  modelRoutesSchema,
  namedEntries,
  providerSchema,
  strategies,
  strategyAliases,
} from '@portcullis/ai-router';
import * as v from 'valibot';
import { choice, configObject, flag, text, wholeNumber } from '../shared/config-fields.ts';
import { crossFieldRule, type CrossFieldIssue } from '../shared/config-rules.ts';
import { guardrailMistakes, guardrailsField, piiRedactionField } from './guard-fields.ts';

const PROVIDERS_MAX = 100;
const NAME_LENGTH_MAX = 128;

/** Characters of a prompt and of an answer that a record may hold each: records are bounded as a whole. */
export const LOGGED_LENGTH_MAX = 256;

/** What clients ask for; `preserve` goes by the path, like no word at all. Source: ai, Endpoints. */
export const routeTypes = [
  'llm/v1/chat',
  'llm/v1/completions',
  'llm/v1/embeddings',
  'llm/v1/responses',
  'llm/v1/messages',
  'preserve',
] as const;

const selections = [...strategies, ...(Object.keys(strategyAliases) as (keyof typeof strategyAliases)[])] as const;

const fields = configObject({
  consumer_group_policies: v.optional(groupPoliciesSchema),
  consumer_policies: v.optional(consumerPoliciesSchema),
  default_provider: v.optional(
    text(
      'Name of the provider that takes models which no route has, under the name that the client gave',
      NAME_LENGTH_MAX,
    ),
  ),
  guardrails: v.optional(guardrailsField),
  model_routes: v.optional(modelRoutesSchema),
  pii_redaction: v.optional(piiRedactionField),
  prompt_response_logging: v.optional(
    v.pipe(
      configObject({
        enabled: v.optional(flag('Whether the beginnings of prompts and answers are kept with the request'), false),
        max_chars: v.optional(wholeNumber('Characters of each that are kept', 1, LOGGED_LENGTH_MAX), LOGGED_LENGTH_MAX),
      }),
      v.description("What of prompts and answers is kept in the request's observation"),
    ),
  ),
  providers: v.pipe(
    v.array(providerSchema, 'must be a list of providers'),
    v.minLength(1, 'must not be empty'),
    v.maxLength(PROVIDERS_MAX, `must have at most ${PROVIDERS_MAX} entries`),
    v.description('Who answers; targets of routes name them'),
  ),
  route_type: v.optional(
    choice("What clients ask for; when absent or `preserve`, the end of the request's path says it", routeTypes),
  ),
  semantic_cache: v.optional(
    v.pipe(
      cacheSchema,
      v.description(
        "Cache of answers; when absent, the tenant's record of kind `cache` called `default`, else its first",
      ),
    ),
  ),
  target_selection: v.optional(choice('Strategy of routes that name none; ordered by default', selections)),
  trust_consumer_headers: v.optional(
    flag('Whether X-Consumer-ID and X-Consumer-Groups of a trusted proxy say who asks where no plugin did'),
    false,
  ),
});

/** Config of `ai_proxy`. Source: spec, Contract and AI policies. */
export const config = crossFieldRule(fields, (given) => [
  ...repeatedProviders(given),
  ...unknownProviders(given),
  ...(given.guardrails === undefined ? [] : guardrailMistakes(given.guardrails)).map((message) => ({
    field: 'guardrails',
    message,
  })),
]);

/** See {@link config}. */
export type Config = v.InferOutput<typeof fields>;

function repeatedProviders({ providers }: Config): readonly CrossFieldIssue[] {
  return providers.flatMap(({ name }, index) =>
    providers.findIndex((other) => other.name === name) === index
      ? []
      : [{ field: 'providers', index, message: 'has the name of a provider before it' }],
  );
}

function unknownProviders(given: Config): readonly CrossFieldIssue[] {
  const names = new Set(given.providers.map(({ name }) => name));
  const { default_provider: fallback, model_routes: routes } = given;
  const issues: CrossFieldIssue[] = [];
  if (fallback !== undefined && !names.has(fallback)) {
    issues.push({ field: 'default_provider', message: 'names no provider of this config' });
  }
  for (const { entry, key } of namedEntries(routes)) {
    const at = entry.targets.findIndex(({ provider }) => !names.has(provider));
    const message = `target ${at + 1} names no provider of this config`;
    if (at !== -1) issues.push({ field: 'model_routes', message, ...(typeof key === 'number' && { index: key }) });
  }
  const { semantic_cache: cache } = given;
  const source = cache?.embedding_provider ?? cache?.embedding;
  const embedder = typeof source === 'object' ? source.provider : source;
  if (embedder !== undefined && !names.has(embedder)) {
    issues.push({ field: 'semantic_cache', message: 'embedding_provider names no provider of this config' });
  }
  return issues;
}
