export type { AdoptResponse } from './apply-result.ts';
export { buildRuntime, createRuntime, type RuntimeBuild } from './build-runtime.ts';
export type { Chain, StageResult } from './chain.ts';
export {
  checkInline,
  checkInstance,
  pluginsByName,
  type ConfigurationIssue,
  type RecordIssue,
} from './check-instance.ts';
export { CLOSED_CIRCUIT, nextCircuit, type CircuitEvent, type CircuitPolicy, type CircuitState } from './circuit.ts';
export type * from './decision.ts';
export { definePlugin } from './define-plugin.ts';
export { PluginConfigurationError, PluginRuntimeError, type PluginRuntimeErrorCode } from './errors.ts';
export { ExchangeState, type ExchangeParts, type HookOutcome, type PluginStep } from './exchange-state.ts';
export type * from './exchange.ts';
export { EXECUTION_RANGES, FAIL_CLOSED_CATEGORIES, PRIORITY_RANGE } from './execution-policy.ts';
export { explainChain, type ChainRecords, type ExplainedInstance } from './explain-chain.ts';
export { isFieldName, isFieldValue } from './header-field.ts';
export { HeaderList } from './header-list.ts';
export type * from './header-view.ts';
export type * from './instance.ts';
export type * from './plugin.ts';
export { RequestState, type BodyReader, type RequestParts } from './request-state.ts';
export { ResponseState, type ResponseParts } from './response-state.ts';
export type { HookFault, InstanceIdentity, RuntimeEvents } from './runtime-events.ts';
export type { RuntimeOptions } from './runtime-options.ts';
export type { ChainBuild, ChainRequest, InstanceStatus, Runtime } from './runtime.ts';
export type { ChainTarget } from './scope-matching.ts';
export type * from './services.ts';
export type * from './standard-schema.ts';
export type { Timers } from './timers.ts';
export { TRIGGER_STAGES } from './trigger-stages.ts';
