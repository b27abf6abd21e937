/** What metrics take of the `ai` part of an observation, whatever a plugin put there. Texts are empty and numbers absent where it says none. */
export interface AiObservation {
  readonly operation: string;
  /** What the config calls the model that was asked for: clients choose among what it has. {@link PASSED_THROUGH} for what it does not name. */
  readonly requestedModel: string;
  /** Name of the provider that was asked last. */
  readonly provider: string;
  /** What kind of provider it is; its name where the plugin does not say. */
  readonly providerType: string;
  readonly model: string;
  /** Empty where the provider calls itself by a name that the config does not have. */
  readonly responseModel: string;
  readonly outcome: string;
  /** Empty for a success. */
  readonly errorClass: string;
  readonly isFallback: boolean;
  readonly cache: string;
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
  readonly cachedInputTokens: number | undefined;
  readonly ttftMs: number | undefined;
  readonly gatewayMs: number | undefined;
  readonly attempts: readonly AiAttempt[];
}

/** One attempt at a provider. */
export interface AiAttempt {
  readonly provider: string;
  readonly model: string;
  /** `success`, or what went wrong. */
  readonly class: string;
}

/** In place of the models that clients pass through to the default provider: they may name any number of them. */
export const PASSED_THROUGH = 'passed_through';

/** Attempts of one request that are looked at. */
const attemptsMax = 64;

/**
 * Reads the `ai` part of an observation.
 * @returns `undefined` for what is none of an AI gateway's request: it names no operation, or cannot be read
 */
export function readAiObservation(said: Readonly<Record<string, unknown>>): AiObservation | undefined {
  try {
    return read(said);
  } catch {
    // A plugin may give any object, also one whose fields throw.
    return undefined;
  }
}

function read(said: Readonly<Record<string, unknown>>): AiObservation | undefined {
  const operation = textOf(said['operation']);
  if (operation === '') return undefined;
  const usage = fieldsOf(said['usage']);
  const outcome = textOf(said['outcome']);
  const provider = textOf(said['provider']);
  const attempts = said['attempts'];
  const isPassedThrough = provider !== '' && said['model_route'] === null;
  const nameOf = (model: string): string => (isPassedThrough ? PASSED_THROUGH : model);
  const requested = nameOf(textOf(said['model_route'] ?? said['requested_model']));
  const model = textOf(said['model']);
  const responseModel = textOf(said['response_model']);
  const isKnown = !isPassedThrough && (responseModel === model || responseModel === requested);
  return {
    operation,
    // A model that no provider was asked for is whatever a client wrote.
    requestedModel: provider === '' ? '' : requested,
    provider,
    providerType: textOf(said['provider_type']) || provider,
    model: nameOf(model),
    responseModel: isKnown ? responseModel : '',
    outcome,
    errorClass: outcome === 'success' ? '' : textOf(said['error_class']) || outcome,
    isFallback: said['fallback'] === true,
    cache: textOf(said['cache']),
    inputTokens: countOf(usage['input_tokens']),
    outputTokens: countOf(usage['output_tokens']),
    cachedInputTokens: countOf(usage['cached_input_tokens']),
    ttftMs: countOf(said['ttft_ms']),
    gatewayMs: countOf(said['gateway_ms']),
    attempts: Array.isArray(attempts) ? attempts.slice(0, attemptsMax).map((one) => attemptOf(one, nameOf)) : [],
  };
}

function attemptOf(said: unknown, nameOf: (model: string) => string): AiAttempt {
  const fields = fieldsOf(said);
  const outcome = textOf(fields['outcome']);
  const isSuccess = outcome === 'success';
  return {
    provider: textOf(fields['provider']),
    model: nameOf(textOf(fields['model'])),
    class: isSuccess ? outcome : textOf(fields['error_class']) || outcome,
  };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}
