import type { Provider } from '../providers/provider.ts';
import { ATTEMPTS_RECORD_LENGTH_MAX, type AttemptLog, boundedAttempts, roundedMs } from './attempt-log.ts';
import type { AiRequestOutcome, AiRequestRecord, RouterRequest } from './router-request.ts';
import type { CacheState } from './answer-headers.ts';
import type { ToldHit } from './request-cache.ts';
import { type Charge, costOf } from './usage-charge.ts';

/** What a record is made of. */
export interface RecordFacts {
  readonly request: RouterRequest;
  readonly stream: boolean;
  readonly model: string | undefined;
  readonly modelRoute: string | undefined;
  readonly policy: string | undefined;
  readonly outcome: AiRequestOutcome;
  readonly errorClass: string | undefined;
  readonly attempts: AttemptLog;
  readonly responseModel: string | undefined;
  readonly charge: Charge | undefined;
  readonly cache: CacheState;
  readonly hit: ToldHit | undefined;
  readonly pricing: Provider['pricing'];
  readonly gatewayMs: number;
  readonly providerMs: number;
  readonly unreadableEvents: number;
  readonly prompt: string | undefined;
  readonly response: string | undefined;
}

/** Characters of a model's name in a record: the provider says it, so it may be of any length. */
const RESPONSE_MODEL_LENGTH_MAX = 256;

/** Characters of a record as JSON: an observation takes no more, and would drop the whole of it. Source: wire, Observations. */
export const RECORD_LENGTH_MAX = 4096;

/** Where texts are cut in a record that is too long, in characters of their JSON: one of a text may be six of its JSON. */
const CUT_LENGTH_MAX = 320;

/** The record of one request. Bounded: it fits into an observation, whatever clients and providers call things. */
export function recordOf(facts: RecordFacts): AiRequestRecord {
  const record = wholeRecord(facts);
  if (isPlain(record) || isShort(record)) return record;
  const { prompt, response, ...rest } = record;
  const cut: AiRequestRecord = {
    ...rest,
    requested_model: record.requested_model && cutText(record.requested_model),
    model_route: record.model_route && cutText(record.model_route),
    model: record.model && cutText(record.model),
    response_model: record.response_model && cutText(record.response_model),
    ...(prompt !== undefined && { prompt: cutText(prompt) }),
    ...(response !== undefined && { response: cutText(response) }),
  };
  if (isShort(cut)) return cut;
  return { ...cut, attempts: boundedAttempts(record.attempts, ATTEMPTS_RECORD_LENGTH_MAX / 2).slice(-LAST_ATTEMPTS) };
}

/** Attempts of a record that is still too long when its texts are cut. */
const LAST_ATTEMPTS = 2;

/** Most records are far from the bound: nothing has to be written to see that. */
function isPlain({ prompt, response, requested_model, model_route, ...rest }: AiRequestRecord): boolean {
  const { model, response_model, attempts } = rest;
  const asked = (requested_model?.length ?? 0) + (model_route?.length ?? 0);
  const names = asked + (model?.length ?? 0) + (response_model?.length ?? 0);
  return prompt === undefined && response === undefined && names < 150 && attempts.length < 4;
}

function isShort(record: AiRequestRecord): boolean {
  return JSON.stringify(record).length <= RECORD_LENGTH_MAX;
}

function cutText(text: string): string {
  let cut = text.slice(0, CUT_LENGTH_MAX);
  while (JSON.stringify(cut).length > CUT_LENGTH_MAX) cut = cut.slice(0, Math.floor(cut.length / 2));
  return cut;
}

function wholeRecord(facts: RecordFacts): AiRequestRecord {
  const { attempts, charge } = facts;
  const { decisive: last } = attempts;
  return {
    operation: facts.request.operation,
    stream: facts.stream,
    requested_model: facts.model ?? null,
    model_route: facts.modelRoute ?? null,
    provider: last?.provider ?? null,
    model: last?.model ?? null,
    response_model: facts.responseModel?.slice(0, RESPONSE_MODEL_LENGTH_MAX) ?? null,
    policy: facts.policy ?? null,
    outcome: facts.outcome,
    error_class: facts.errorClass ?? null,
    fallback: attempts.fallbackCount > 0,
    attempts: boundedAttempts(attempts.all(), ATTEMPTS_RECORD_LENGTH_MAX),
    cache: facts.cache,
    ...(facts.hit !== undefined && { cache_type: facts.hit.type, cache_age_ms: Math.round(facts.hit.ageMs) }),
    ...(facts.hit?.similarity !== undefined && { cache_similarity: facts.hit.similarity }),
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
