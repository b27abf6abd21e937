import { readAiObservation, type AiObservation } from './ai-observation.ts';
import { durationBucketsSeconds } from './durations.ts';
import { Histogram } from './histogram.ts';
import { SeriesTable } from './series-table.ts';

/** A number that only grows. */
export interface Count {
  value: number;
}

/** Series of one AI metric; of histograms fewer, since each has some twenty lines. */
export const aiSeriesMax = { counters: 500, histograms: 200 } as const;

/** From 1 to 67,108,864, each four times the one before. Source: OpenTelemetry, gen_ai.client.token.usage. */
const tokenBounds: readonly number[] = Array.from({ length: 14 }, (_, power) => 4 ** power);

/** From 10 ms to 81.92 s, each twice the one before. Source: OpenTelemetry, gen_ai.client.operation.duration. */
const operationBoundsSeconds: readonly number[] = Array.from({ length: 14 }, (_, power) => 2 ** power / 100);

/** Source: OpenTelemetry, gen_ai.server.time_to_first_token. */
const firstTokenBoundsSeconds: readonly number[] = [
  0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
];

/** OpenTelemetry's words for operations; all others go by their own. */
const operationNames: ReadonlyMap<string, string> = new Map([
  ['messages', 'chat'],
  ['completions', 'text_completion'],
]);

const counters = (): SeriesTable<Count> => new SeriesTable(aiSeriesMax.counters, () => ({ value: 0 }));
const histograms = (bounds: readonly number[]): SeriesTable<Histogram> =>
  new SeriesTable(aiSeriesMax.histograms, () => new Histogram(bounds));

/** What the AI requests of this process came to, since it began, raw record or not. Source: ai, Metrics. */
export class AiMetrics {
  readonly requests: SeriesTable<Count> = counters();
  readonly tokens: SeriesTable<Count> = counters();
  readonly attempts: SeriesTable<Count> = counters();
  readonly cache: SeriesTable<Count> = counters();
  fallbacks = 0;
  readonly overheadSeconds: Histogram = new Histogram(durationBucketsSeconds);
  readonly tokenUsage: SeriesTable<Histogram> = histograms(tokenBounds);
  readonly operationSeconds: SeriesTable<Histogram> = histograms(operationBoundsSeconds);
  readonly firstTokenSeconds: SeriesTable<Histogram> = histograms(firstTokenBoundsSeconds);

  /**
   * Counts one request.
   * @param said the `ai` part of its observation: what is none of an AI request's counts nothing
   * @param durationUs from the request to the end of its answer
   */
  add(said: Readonly<Record<string, unknown>>, durationUs: number): void {
    const request = readAiObservation(said);
    if (request === undefined) return;
    const { provider, model, operation, outcome } = request;
    this.requests.of(provider, model, operation, outcome).value += 1;
    const { inputTokens, outputTokens, cachedInputTokens } = request;
    if (inputTokens !== undefined) this.tokens.of(provider, model, 'input').value += inputTokens;
    if (outputTokens !== undefined) this.tokens.of(provider, model, 'output').value += outputTokens;
    if (cachedInputTokens !== undefined) this.tokens.of(provider, model, 'cached_input').value += cachedInputTokens;
    for (const attempt of request.attempts) {
      this.attempts.of(attempt.provider, attempt.model, attempt.class).value += 1;
    }
    if (request.isFallback) this.fallbacks += 1;
    if (request.cache !== '') this.cache.of(request.cache).value += 1;
    if (request.gatewayMs !== undefined) this.overheadSeconds.add(request.gatewayMs / 1000);
    // What no provider was asked for is no operation of a client of one.
    if (provider !== '') this.#addOperation(request, durationUs);
  }

  #addOperation(request: AiObservation, durationUs: number): void {
    const { providerType, requestedModel, responseModel, errorClass, ttftMs, inputTokens, outputTokens } = request;
    const operation = operationNames.get(request.operation) ?? request.operation;
    this.operationSeconds.of(operation, providerType, requestedModel, responseModel, errorClass).add(durationUs / 1e6);
    if (ttftMs !== undefined) {
      const firstToken = this.firstTokenSeconds.of(operation, providerType, requestedModel, responseModel, errorClass);
      firstToken.add(ttftMs / 1000);
    }
    if (inputTokens !== undefined) {
      this.tokenUsage.of(operation, providerType, requestedModel, responseModel, 'input').add(inputTokens);
    }
    if (outputTokens !== undefined) {
      this.tokenUsage.of(operation, providerType, requestedModel, responseModel, 'output').add(outputTokens);
    }
  }
}
