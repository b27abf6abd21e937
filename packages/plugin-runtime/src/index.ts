export type { AdoptResponse } from './apply-result.ts';
export {
  buildRuntime,
  buildRuntimeInSlices,
  createRuntime,
  type BuildSlices,
  type RuntimeBuild,
} from './build-runtime.ts';
export { noAiRecords, type AiRecord } from './ai-record.ts';
export { AnswerStream } from './answer-stream.ts';
export { callResponder, type ResponderReply } from './call-responder.ts';
export { ALONE, type ChainPlace } from './chain-place.ts';
export type { Chain } from './chain.ts';
export type { CheckedAnswer } from './checked-answer.ts';
export { checkInline, checkInstance, pluginsByName } from './check-instance.ts';
export { CLOSED_CIRCUIT, nextCircuit, type CircuitEvent, type CircuitPolicy, type CircuitState } from './circuit.ts';
export type { ConfigurationIssue, RecordIssue } from './configuration-issue.ts';
export type * from './decision.ts';
export { destinationOf, type Destination } from './destination.ts';
export * from './data-stores.ts';
export { definePlugin } from './define-plugin.ts';
export { PluginConfigurationError, PluginRuntimeError, type PluginRuntimeErrorCode } from './errors.ts';
export { endFailures } from './exchange-end.ts';
export { ExchangeState, type ExchangeParts } from './exchange-state.ts';
export type * from './exchange.ts';
export { EXECUTION_RANGES, FAIL_CLOSED_CATEGORIES, PRIORITY_RANGE } from './execution-policy.ts';
export { explainChain, type ChainRecords, type ExplainedInstance } from './explain-chain.ts';
export { isFieldName, isFieldValue } from './header-field.ts';
export { consumerFields } from './fetch/consumer-headers.ts';
export { HeaderList } from './header-list.ts';
export type * from './header-view.ts';
export type * from './instance.ts';
export type { HookOutcome, PluginStep } from './plugin-step.ts';
export { COPY_HOP, HOP_FIELD, HOP_NAME } from './hop-mark.ts';
export { LiveRuntime, type RuntimeLease } from './live-runtime.ts';
export * from './log-files.ts';
export type * from './plugin.ts';
export * from './plugin-metrics.ts';
export {
  noOutbound,
  OutboundError,
  outboundFailure,
  type Outbound,
  type OutboundAddress,
  type OutboundCall,
  type OutboundFailure,
  type OutboundListener,
  type OutboundRequest,
  type OutboundResponse,
  type OutboundStreamRequest,
} from './outbound.ts';
export type { BodyReader } from './peer-body.ts';
export { RequestState, type RequestParts } from './request-state.ts';
export { ResponseState, type ResponseParts } from './response-state.ts';
export type { EventSubject, HookFault, InstanceIdentity, RuntimeEvents } from './runtime-events.ts';
export type * from './responder.ts';
export type { RuntimeOptions } from './runtime-options.ts';
export type { ChainBuild, ChainRequest, InstanceStatus, Runtime } from './runtime.ts';
export type { ChainTarget } from './scope-matching.ts';
export { noSecrets, SecretError, secretFailure, type SecretFailure, type SecretSource } from './secret-source.ts';
export * from './services.ts';
export {
  noSharedStore,
  SharedStoreError,
  sharedStoreFailure,
  type SharedStore,
  type SharedStoreFailure,
  type StoreCallOptions,
  type StoreScript,
} from './shared-store.ts';
export type { StageResult } from './stage-run.ts';
export type * from './standard-schema.ts';
export type * from './stream-chunk.ts';
export { TcpConnectionState, type TcpConnectionParts } from './tcp-connection-state.ts';
export type * from './tcp-connection.ts';
export type { Timers } from './timers.ts';
export { TRIGGER_STAGES } from './trigger-stages.ts';
