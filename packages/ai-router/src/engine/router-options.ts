import type { AnswerCache } from '../cache/answer-cache.ts';
import type { TextGuard } from '../guards/text-guard.ts';
import type { AiLimits } from '../policy/limits.ts';
import type { AiPolicy } from '../policy/policy.ts';
import type { Provider } from '../providers/provider.ts';
import type { ModelRoute } from '../routing/route.ts';
import type { TargetOrder } from '../routing/target-order.ts';
import type { Transport } from '../transport.ts';
import type { SecretReader } from './provider-slot.ts';

/**
 * How long a request may wait for its answer, or for the first event of its stream, over all its attempts: the time-outs of several targets
 * do not add up beyond it, unless one alone is longer. In milliseconds.
 */
export const ANSWER_DEADLINE_MS = 120_000;

/** Time as the router reads it. */
export interface RouterClock {
  /** Milliseconds since 1970-01-01 UTC. */
  nowMs(): number;
  /** Milliseconds since an arbitrary start; never goes back. */
  monotonicMs(): number;
}

/** Calls that come later. `systemTimers` is one; tests pass their own. */
export interface RouterTimers {
  /** @returns what ends it before its time */
  after(ms: number, callback: () => void): () => void;
}

/** Texts of requests and answers are judged by these, in their order. */
export interface RouterGuards {
  readonly request: readonly TextGuard[];
  /** With any of them an answer is held back whole, a stream too, until it is judged. Source: spec, AI gateway, rule 7. */
  readonly response: readonly TextGuard[];
  /** 400 to 599; what a blocked request or answer gets. */
  readonly status: number;
  readonly message: string;
}

/** What a router is made of. It is compiled once; make another for another configuration, and pass the same `ordering` and `limits` on. */
export interface RouterOptions {
  readonly tenantId: string;
  /** Enabled ones, each name once. */
  readonly providers: readonly Provider[];
  /** Enabled ones. Where two mean the same model, the first counts. */
  readonly routes: readonly ModelRoute[];
  readonly policies: readonly AiPolicy[];
  /** Takes models that no route has. */
  readonly defaultProvider?: string | undefined;
  readonly ordering: Pick<TargetOrder, 'order' | 'noteLatency'>;
  readonly limits: AiLimits;
  readonly transport: Transport;
  /** Default: every reference fails. */
  readonly readSecret?: SecretReader;
  readonly guards?: RouterGuards | undefined;
  /** Answers what was asked before. Default: none. */
  readonly cache?: AnswerCache | undefined;
  readonly clock: RouterClock;
  readonly timers: RouterTimers;
  /** Default {@link ANSWER_DEADLINE_MS}, or the longest time-out of a provider or target above it. */
  readonly answerDeadlineMs?: number;
}

/** The process's timers; none of them keeps it alive. */
export const systemTimers: RouterTimers = {
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
