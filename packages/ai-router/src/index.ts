export type * from './attempt.ts';
export type * from './json.ts';
export type * from './operation.ts';
export type * from './providers/adapter.ts';
export * from './providers/errors.ts';
export * from './providers/provider.ts';
export { adapterOf } from './providers/adapters.ts';
export type { ProviderConfig, UnnamedProviderConfig } from './providers/provider-config.ts';
export { providerDefaults, providerSchema, unnamedProviderSchema } from './providers/provider-schema.ts';
export { readProvider } from './providers/read-provider.ts';
export { surfaceOf } from './surfaces/surfaces.ts';
export type * from './surfaces/surface.ts';
export type * from './transport.ts';
export type * from './usage.ts';
export { compileGuard, MASK_DEFAULT, piiTypesOf, type GuardConfig, type GuardTexts } from './guards/guardrails.ts';
export { piiTypes, type PiiType } from './guards/pii/pii-finder.ts';
export { TERM_LENGTH_MAX, TERMS_MAX } from './guards/terms.ts';
export * from './guards/text-guard.ts';
export type * from './guards/text-range.ts';
export type * from './policy/limits.ts';
export type * from './policy/policy.ts';
export * from './routing/route.ts';
export { orderTargets, type RoutedRequest } from './routing/order-targets.ts';
export { routingPrompt } from './routing/routing-prompt.ts';
export * from './routing/target-order.ts';
export { estimateTokens, tokensOfText, type TokenEstimate } from './policy/estimate-tokens.ts';
export { type ListOrMap } from './config/list-or-map.ts';
export { InvalidConfigError, type ConfigProblem } from './config/problems.ts';
export { matchesModel } from './routing/model-pattern.ts';
export { readModelRoute } from './routing/read-route.ts';
export { modelRoutesSchema, readModelRoutes } from './routing/route-list.ts';
export { modelRouteSchema, type ModelRouteConfig, type TargetConfig } from './routing/route-schema.ts';
export { RouteTable } from './routing/route-table.ts';
export { readAiRecords, type TenantAiConfig, type TenantAiRecord } from './config/tenant-records.ts';
export {
  consumerPoliciesSchema,
  groupPoliciesSchema,
  readConsumerPolicies,
  readGroupPolicies,
} from './policy/policy-list.ts';
export { policySchema, type ListedPolicyConfig, type PolicyConfig } from './policy/policy-schema.ts';
export { readPolicy } from './policy/read-policy.ts';
export { isAllowed, policySubject, PolicyTable, selectPolicy } from './policy/select-policy.ts';
export {
  createLocalLimits,
  type LimitsClock,
  type LocalLimits,
  type LocalLimitsOptions,
} from './policy/local-limits.ts';
export { rateLimitHeaders } from './policy/rate-limit-headers.ts';
export * from './engine/body-stream.ts';
export { CLIENT_CLOSED_STATUS } from './engine/request-run.ts';
export { MODEL_LENGTH_MAX, REQUEST_BYTES_MAX, tooLarge } from './engine/read-request.ts';
export { vendorHeaderNames } from './providers/request/vendor-headers.ts';
export { isRetryableStatus } from './engine/provider-answer.ts';
export { createRouter, type Router } from './engine/router.ts';
export * from './engine/router-options.ts';
export type * from './engine/router-request.ts';
export type { SecretReader } from './engine/provider-slot.ts';
export { errorBody } from './errors/error-bodies.ts';
export * from './errors/router-error.ts';
export { createSharedLimits, type LimitStore, type SharedLimitsOptions } from './policy/shared-limits.ts';
export {
  explainRequest,
  type ExplainedRequest,
  type ExplainedTarget,
  type RequestExplanation,
} from './explain/explain-request.ts';
export { namedEntries, type NamedEntry } from './config/list-or-map.ts';
export { strategyAliases } from './routing/route-schema.ts';
export { cacheSchema, type CacheConfig } from './cache/cache-schema.ts';
export type { EmbeddingConfig } from './cache/embedding-schema.ts';
export * from './cache/cache-settings.ts';
export * from './cache/answer-store.ts';
export { cacheOf, readCache } from './cache/read-cache.ts';
export { createEmbedder, type EmbedderPorts } from './cache/embedding/create-embedder.ts';
export { type Embedder, EmbeddingError } from './cache/embedding/embedder.ts';
export { createAnswerStore } from './cache/stores/create-answer-store.ts';
export { type AnswerStorePorts, SHARED_SPACE, type StoreSettings } from './cache/stores/store-options.ts';
export { answerTexts, chunkTexts, dropLogprobs, hasTokenIds, requestTexts } from './engine/answer-texts.ts';
export { judgeTexts, type TextsVerdict } from './engine/judge-texts.ts';
export { TextSearch, type KeyOf, type TextPlace } from './engine/text-places.ts';
export { editedBody, withMembers, type BodyEdits } from './providers/request/edited-body.ts';
export { SseParser, type SseFrame } from './providers/framing/sse.ts';
export { awsSegment, signatureV4, type AwsCredential, type AwsRequest } from './providers/bedrock/signature-v4.ts';
export { isJsonObject } from './json.ts';
export { AnswerCache, type AnswerCacheOptions, type CacheTrouble } from './cache/answer-cache.ts';
export { AnswerMemory, type AnswerMemoryOptions } from './cache/memory/answer-memory.ts';
