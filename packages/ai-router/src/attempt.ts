/** How an attempt at a target ended. Source: ai, Attempt list and headers. */
export const attemptOutcomes = [
  'success',
  'provider_error',
  'transport_error',
  'timeout',
  'provider_malformed_response',
  'provider_stream_error',
  'client_closed',
  'skipped',
] as const;

/** See {@link attemptOutcomes}. */
export type AttemptOutcome = (typeof attemptOutcomes)[number];

/** One attempt as headers, bodies and records show it: never a provider's body, a key or an address. */
export interface Attempt {
  readonly index: number;
  readonly provider: string;
  readonly model: string;
  readonly outcome: AttemptOutcome;
  /** Of the provider's answer; `null` when there was none. */
  readonly status: number | null;
  /** For instance `provider_malformed_response`, `overloaded_error`; `null` for a success. */
  readonly error_class: string | null;
  readonly retryable: boolean;
  readonly latency_ms: number;
  /** To the first valid event; `null` for what does not stream. */
  readonly ttft_ms: number | null;
  /** RFC 3339. */
  readonly started_at: string;
}
