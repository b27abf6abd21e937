import type { Provider } from '../providers/provider.ts';
import { ATTEMPTS_RECORD_LENGTH_MAX, type AttemptLog, boundedAttempts, roundedMs } from './attempt-log.ts';
import type { AiRequestOutcome, AiRequestRecord, RouterRequest } from './router-request.ts';
import { type Charge, costOf } from './usage-charge.ts';

/** What a record is made of. */
export interface RecordFacts {
  readonly request: RouterRequest;
  readonly stream: boolean;
  readonly model: string | undefined;
  readonly policy: string | undefined;
  readonly outcome: AiRequestOutcome;
  readonly errorClass: string | undefined;
  readonly attempts: AttemptLog;
  readonly responseModel: string | undefined;
  readonly charge: Charge | undefined;
  readonly pricing: Provider['pricing'];
  readonly gatewayMs: number;
  readonly providerMs: number;
  readonly unreadableEvents: number;
  readonly prompt: string | undefined;
  readonly response: string | undefined;
}

/** Characters of a model's name in a record: the provider says it, so it may be of any length. */
const RESPONSE_MODEL_LENGTH_MAX = 256;

/** The record of one request. Bounded: it fits into an observation. */
export function recordOf(facts: RecordFacts): AiRequestRecord {
  const { attempts, charge } = facts;
  const { decisive: last } = attempts;
  return {
    operation: facts.request.operation,
    stream: facts.stream,
    requested_model: facts.model ?? null,
    provider: last?.provider ?? null,
    model: last?.model ?? null,
    response_model: facts.responseModel?.slice(0, RESPONSE_MODEL_LENGTH_MAX) ?? null,
    policy: facts.policy ?? null,
    outcome: facts.outcome,
    error_class: facts.errorClass ?? null,
    fallback: attempts.fallbackCount > 0,
    attempts: boundedAttempts(attempts.all(), ATTEMPTS_RECORD_LENGTH_MAX),
    cache: facts.stream ? 'bypass' : 'disabled',
    usage:
      charge === undefined
        ? null
        : {
            input_tokens: charge.inputTokens,
            output_tokens: charge.outputTokens,
            cached_input_tokens: charge.cachedInputTokens,
            estimated: charge.isEstimated,
          },
    cost: charge === undefined ? null : costOf(charge, facts.pricing),
    ttft_ms: last?.ttft_ms ?? null,
    provider_ms: roundedMs(facts.providerMs),
    gateway_ms: roundedMs(facts.gatewayMs),
    unreadable_events: facts.unreadableEvents,
    ...(facts.prompt !== undefined && { prompt: facts.prompt }),
    ...(facts.response !== undefined && { response: facts.response }),
  };
}
