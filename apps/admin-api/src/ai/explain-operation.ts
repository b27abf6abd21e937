import { type CacheSettings, explainRequest, type RequestExplanation } from '@portcullis/ai-router';
import { familyNamed } from '@portcullis/resources';
import type { Operation, OperationOutput } from '../http/operation.ts';
import { questionPlaces } from '../http/question-places.ts';
import { tenantIdParameter } from '../http/query-parameters.ts';
import type { FamilyHandlerParts } from '../resources/family-handlers.ts';
import { consumerOf, type ConsumerOfChain } from '../route-match/plugin-chain.ts';
import type { ResourceStore } from '../store/resource-store.ts';
import { aiRules, type AiRules, type RulesView } from './ai-rules.ts';
import { proxyOfPlugin, proxyOfRoute, type ExplainedProxy } from './explained-proxy.ts';
import {
  explainRequestSchema,
  explainResultSchema,
  type ExplainRequestBody,
  type ExplainResult,
} from './explain-schemas.ts';

const aiRecords = familyNamed('ai-records');

/** What gateways answer by themselves. Source: ai, Endpoints and model_route config. */
const OUTCOME_STATUS = { routed: null, default_provider: null, no_route: 404, model_not_allowed: 403 } as const;

/** What the operation works with. */
export interface ExplainParts extends FamilyHandlerParts {
  readonly store: ResourceStore;
}

/** `POST /ai-gateway/explain`: where a request would go, and what its policy says; no provider is asked. Source: wire contract, AI records. */
export function explainAiOperation(parts: ExplainParts): Operation {
  // Routes with very many hints take tenths of a second.
  const places = questionPlaces();
  return {
    id: 'explainAiRequest',
    method: 'POST',
    paths: ['/admin/ai-gateway/explain'],
    tag: aiRecords.name,
    summary:
      'Which targets a request for a model would try, why, and what policy it has; asks no provider and changes nothing',
    access: aiRecords.access.read,
    query: [tenantIdParameter],
    body: { schema: explainRequestSchema },
    responses: [{ status: 200, description: 'What would happen to the request', schema: explainResultSchema }],
    async handler(input) {
      const body = input.body as ExplainRequestBody;
      const tenantId = await parts.tenantOf(aiRecords, input, { body });
      const view = { store: parts.store, executor: parts.database.read, tenantId };
      return await places.run(tenantId, () => explain(view, body), input.request.signal);
    },
  };
}

async function explain(view: RulesView, body: ExplainRequestBody): Promise<OperationOutput> {
  const consumer = await consumerOf(view, body.consumer_id);
  const { model } = body;
  const proxy = await proxyOf(view, body, consumer);
  const rules = await aiRules(view, proxy, model);
  const explanation = explainRequest({ ...rules, operation: 'chat', body, model, consumer });
  const result = shown(model, explanation, rules);
  return {
    status: 200,
    body: proxy === undefined ? { ...result, warnings: [...result.warnings, unseen(body)] } : result,
  };
}

async function proxyOf(
  view: RulesView,
  { plugin_id: pluginId, route_id: routeId }: ExplainRequestBody,
  consumer: ConsumerOfChain | undefined,
): Promise<ExplainedProxy | undefined> {
  if (pluginId !== undefined) return await proxyOfPlugin(view, pluginId);
  return routeId === undefined ? undefined : await proxyOfRoute(view, routeId, consumer);
}

/** Why records alone were looked at. */
function unseen({ route_id: routeId }: ExplainRequestBody): string {
  return routeId === undefined
    ? 'routes, policies and providers of ai_proxy plugins are looked at with plugin_id or route_id only'
    : 'no ai_proxy answers requests of the route';
}

function shown(model: string, explanation: RequestExplanation, rules: AiRules): ExplainResult {
  const { outcome, reason, route, policy, subject, isAllowed, estimate } = explanation;
  const sourceOf = (id: string): 'plugin' | 'record' => (rules.pluginIds.has(id) ? 'plugin' : 'record');
  return {
    model,
    outcome,
    status: OUTCOME_STATUS[outcome],
    reason,
    route: route ? { id: route.id, source: sourceOf(route.id), model: route.model, strategy: route.strategy } : null,
    targets: shownTargets(model, explanation, rules.defaultProvider),
    policy: policy
      ? {
          id: policy.id,
          source: sourceOf(policy.id),
          name: policy.name,
          scope: policy.scope,
          subject: subject ?? '*',
          allowed: isAllowed,
          token_budget: policy.tokenBudget,
          token_budget_window_seconds: policy.tokenBudgetWindowMs / 1000,
          rate_limit: policy.rateLimit,
          rate_window_seconds: policy.rateWindowMs / 1000,
        }
      : null,
    cache: rules.cache ? shownCache(rules.cache, sourceOf) : null,
    token_estimate: {
      prompt_tokens: estimate.promptTokens,
      max_tokens: estimate.maxTokens,
      total_tokens: estimate.total,
      prompt_characters: estimate.promptCharacters,
    },
    warnings: [
      ...explanation.warnings,
      ...(policy?.rateWindowMs === 0 ? ['the policy’s rate window is 0, which switches its rate limit off'] : []),
      ...unknownProviders(explanation, rules),
      ...rules.warnings,
    ],
  };
}

function shownCache(cache: CacheSettings, sourceOf: (id: string) => 'plugin' | 'record'): ExplainResult['cache'] {
  return {
    id: cache.id,
    source: sourceOf(cache.id),
    mode: cache.mode,
    ttl_seconds: cache.ttlMs / 1000,
    similarity_threshold: cache.similarityMin,
    vary_by_tenant: cache.variesByTenant,
    vary_by_consumer: cache.variesByConsumer,
    vector_backend: cache.vectorBackend,
  };
}

function shownTargets(
  model: string,
  { outcome, targets, reason }: RequestExplanation,
  defaultProvider: string | undefined,
): ExplainResult['targets'] {
  if (outcome === 'default_provider' && defaultProvider !== undefined) {
    const none = { score: null, share: null, priority: 0, weight: 1, latency_ms: null, timeout_ms: null };
    return [{ position: 1, provider: defaultProvider, model, ...none, reason }];
  }
  return targets.map(({ target, score, share, reason: why }, index) => ({
    position: index + 1,
    provider: target.provider,
    model: target.model,
    score: score ?? null,
    share: share ?? null,
    priority: target.priority,
    weight: target.weight,
    latency_ms: target.latencyMs ?? null,
    timeout_ms: target.timeoutMs ?? null,
    reason: why,
  }));
}

function unknownProviders({ route }: RequestExplanation, { providers }: AiRules): readonly string[] {
  if (providers === undefined) return [];
  const names = (route?.targets ?? []).map(({ provider }) => provider).filter((name) => !providers.has(name));
  return [...new Set(names)].map((name) => `the plugin has no enabled provider ${name}: its targets are left out`);
}
