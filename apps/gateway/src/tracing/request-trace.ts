import { traceParentText } from './trace-parent.ts';

/** What of a client's trace context came with a request. */
export interface ReceivedTrace {
  /** `traceparent`; empty where there is none, or more than one, which is none too. */
  parent: string;
  /** `tracestate`, several lines joined. */
  state: string;
  /** The lines as they came, name and value by turns. */
  readonly lines: string[];
}

/** One try of an upstream. */
export interface TracedAttempt {
  readonly spanId: string;
  readonly target: AttemptTarget;
  /** On the monotonic clock. */
  readonly startedMs: number;
  /** `undefined` while it is under way. */
  endedMs: number | undefined;
  status: number | undefined;
  /** Stable code of what went wrong. */
  failure: string | undefined;
}

/** Where an attempt goes. */
export interface AttemptTarget {
  readonly scheme: string;
  /** Name or address; IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  readonly path: string;
}

/** The trace that a request belongs to. */
export interface RequestTrace {
  readonly traceId: string;
  /** The client's span; `undefined` where the trace begins here. */
  readonly parentId: string | undefined;
  /** `tracestate` as it goes on. */
  readonly state: string;
  /** `undefined` where this gateway does not record the request. */
  readonly recorded: RecordedTrace | undefined;
}

/** A request that is recorded: its span, and those of the tries of upstreams. */
export class RecordedTrace {
  readonly spanId: string;
  readonly attempts: TracedAttempt[] = [];
  readonly #traceId: string;
  readonly #newSpanId: () => string;
  /** The `traceparent` that stands in the request at present. */
  #sent: string;

  /** @param sent what plugins see: the server's span is the parent */
  constructor(traceId: string, spanId: string, sent: string, newSpanId: () => string) {
    this.spanId = spanId;
    this.#traceId = traceId;
    this.#sent = sent;
    this.#newSpanId = newSpanId;
  }

  /**
   * A try begins: the upstream's parent is the span of it. A `traceparent` that a plugin set, or removed, stays so.
   * @param pairs fields of the request, name and value by turns; changed in place
   */
  begin(pairs: string[], target: AttemptTarget, nowMs: number): void {
    const spanId = this.#newSpanId();
    const next = traceParentText(this.#traceId, spanId, true);
    const at = pairs.indexOf(this.#sent);
    if (at > 0 && at % 2 === 1) {
      pairs[at] = next;
      this.#sent = next;
    }
    this.attempts.push({ spanId, target, startedMs: nowMs, endedMs: undefined, status: undefined, failure: undefined });
  }

  /** The head of the answer came. */
  answered(status: number): void {
    const attempt = this.attempts.at(-1);
    if (attempt !== undefined) attempt.status = status;
  }

  /** The last try is over. @param failure `undefined` when its answer came to its end */
  end(failure: string | undefined, nowMs: number): void {
    const attempt = this.attempts.at(-1);
    if (attempt === undefined || attempt.endedMs !== undefined) return;
    attempt.endedMs = nowMs;
    attempt.failure = failure;
  }
}
