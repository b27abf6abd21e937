import type { AttemptOutcome } from '../attempt.ts';
import type { ModelRoute, Target } from './route.ts';

/** What an order depends on. */
export interface OrderRequest {
  /** Whether the time to the first event counts, or that of the whole answer. */
  readonly stream: boolean;
  /** The text that hints are compared with; asked for by semantic routes only. See `routingPrompt`. */
  promptText(): string;
}

/** How an attempt went. */
export interface LatencySample {
  readonly stream: boolean;
  /** Successes count, and timeouts with the limit as their latency; a provider that fails fast must not look fast. */
  readonly outcome: AttemptOutcome;
  /** Of the whole answer, in milliseconds; for a timeout the limit that was reached. */
  readonly latencyMs: number;
  /** To the first valid event, in milliseconds. */
  readonly ttftMs?: number;
}

/** What orders the targets of a tenant's routes, with what it learns of them. Make one per tenant. Bounded. */
export interface TargetOrdering {
  /** All enabled targets, each once, in the order in which they are to be tried. */
  order(route: ModelRoute, request: OrderRequest): readonly Target[];
  noteLatency(route: ModelRoute, target: Target, sample: LatencySample): void;
}
