import type { Attempt } from '../attempt.ts';
import type { AiOperation } from '../operation.ts';
import type { CacheState } from './answer-headers.ts';
import type { BodyStream } from './body-stream.ts';

/** Who asks, for policies. */
export interface AiConsumer {
  readonly id: string;
  /** In the consumer's stored order: the first that has a policy decides. */
  readonly groups: readonly string[];
}

/** One request of a client. */
export interface RouterRequest {
  readonly operation: AiOperation;
  /** As it arrived: JSON in UTF-8. Not changed. */
  readonly body: Uint8Array;
  readonly consumer?: AiConsumer | undefined;
  /**
   * Headers that vendors read, such as `anthropic-beta`: name and value by turns, names in lower case. Those that are known go on to
   * a provider that speaks the client's form; see {@link vendorHeaderNames}.
   */
  readonly vendorHeaders?: readonly string[] | undefined;
  /** The client's `Cache-Control`: `no-store` and `no-cache` count. */
  readonly cacheControl?: string | undefined;
  /** Shown in bodies of the router's own. */
  readonly requestId: string;
  /** Whether answers tell of attempts in their body, as `gateway_ai`, when their body is JSON. */
  readonly isToldInBody?: boolean;
  /** Characters of the prompt and of the answer that the record holds, each. Default: none of them. */
  readonly keptLength?: number;
  /** Called once for each request, when it is over: of a stream, when its last byte was handed on or nobody wanted it any more. */
  readonly onRecord?: (record: AiRequestRecord) => void;
}

/** What the client gets. */
export interface RouterAnswer {
  readonly status: number;
  /** Name and value by turns, names in lower case. */
  readonly headers: readonly string[];
  readonly body: string | Uint8Array | BodyStream;
  /** Whether a provider said it, or the router itself. */
  readonly source: 'provider' | 'router';
}

/** How a request ended. */
export type AiRequestOutcome =
  | 'success'
  /** The router refused it before any attempt: wrong, not allowed, over a limit. */
  | 'refused'
  /** A provider's error was passed on. */
  | 'provider_error'
  | 'ai_targets_exhausted'
  | 'provider_stream_error'
  | 'client_closed';

/** One request as records and metrics show it. No key, no address, and nothing of prompts and answers that nobody asked for. Source: spec, Events. */
export interface AiRequestRecord {
  readonly operation: AiOperation;
  readonly stream: boolean;
  readonly requested_model: string | null;
  /** What the route calls the model; `null` for what no route has. Of a config, where {@link requested_model} may be any text of a client. */
  readonly model_route: string | null;
  /** Of the target that answered, or that was tried last. */
  readonly provider: string | null;
  readonly model: string | null;
  /** As the provider called what answered. */
  readonly response_model: string | null;
  readonly policy: string | null;
  readonly outcome: AiRequestOutcome;
  /** For instance `provider_malformed_response`, `model_not_allowed`; `null` for a success. */
  readonly error_class: string | null;
  readonly fallback: boolean;
  readonly attempts: readonly Attempt[];
  /** What the cache did; of a hit `provider` is `null`, and nothing is used. */
  readonly cache: CacheState;
  readonly cache_type?: 'exact' | 'semantic';
  /** How long the answer had been kept. */
  readonly cache_age_ms?: number;
  /** Cosine of the texts; of a semantic hit. */
  readonly cache_similarity?: number;
  readonly usage: {
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly cached_input_tokens: number;
    /** Whether the provider did not say, so that they were counted from text. */
    readonly estimated: boolean;
  } | null;
  /** By the provider's pricing; `null` where it has none, or nothing was used. */
  readonly cost: number | null;
  readonly ttft_ms: number | null;
  /** Waiting for providers, until the answer or its first event was there. */
  readonly provider_ms: number;
  /** All other time until then. */
  readonly gateway_ms: number;
  /** Events of a stream that could not be read and were left out. */
  readonly unreadable_events: number;
  /** The beginning of what the user said last, and of the answer: only where {@link RouterRequest.keptLength} asks for it. */
  readonly prompt?: string;
  readonly response?: string;
}
