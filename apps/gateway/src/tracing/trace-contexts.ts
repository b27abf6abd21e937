import type { SpanSink } from '../telemetry/finished-span.ts';
import type { TraceIds } from './adapters/random-ids.ts';
import { RecordedTrace, type ReceivedTrace, type RequestTrace } from './request-trace.ts';
import type { Sampler } from './sampler.ts';
import { readTraceParent, traceParentText, type TraceParent } from './trace-parent.ts';
import { passedTraceState } from './trace-state.ts';

/**
 * `on`: a trace context that came is passed on, and where none came one is made. `restart`: that of a peer that is not trusted counts as
 * none. `off`: the fields pass like any other.
 */
export const traceContextModes = ['on', 'restart', 'off'] as const;

/** See {@link traceContextModes}. */
export type TraceContextMode = (typeof traceContextModes)[number];

/** What trace contexts are made with. */
export interface TraceContextParts {
  readonly mode: TraceContextMode;
  /** Decides for traces that begin here, and for all where this gateway records. */
  readonly sampler: Sampler;
  readonly ids: TraceIds;
  /** Takes the spans of requests that are recorded; `undefined` where this gateway records none. */
  readonly spans: SpanSink | undefined;
}

/**
 * Gives each request the trace context that goes on with it: plugins see it as the request's fields. A gateway that records nothing passes
 * on what came as it came, since it has no span of its own to be the parent. Source: W3C Trace Context, sections 3.4 and 4.3; ADR 0056.
 */
export class TraceContexts {
  readonly #parts: TraceContextParts;

  /** See {@link TraceContextParts}. */
  get spans(): SpanSink | undefined {
    return this.#parts.spans;
  }

  constructor(parts: TraceContextParts) {
    this.#parts = parts;
  }

  /**
   * @param received `undefined` where the request has neither field
   * @param pairs fields that go on, name and value by turns, without those of a trace context: they are added
   * @returns `undefined` where traces are left alone
   */
  begin(received: ReceivedTrace | undefined, isFromTrustedPeer: boolean, pairs: string[]): RequestTrace | undefined {
    const { mode } = this.#parts;
    if (mode === 'off') {
      if (received !== undefined) pairs.push(...received.lines);
      return undefined;
    }
    const isBelieved = mode === 'on' || isFromTrustedPeer;
    const parent = received === undefined || !isBelieved ? undefined : readTraceParent(received.parent);
    if (received === undefined || parent === undefined) return this.#root(pairs);
    return this.#follow(parent, received, pairs);
  }

  #root(pairs: string[]): RequestTrace {
    const { ids, sampler, spans } = this.#parts;
    const traceId = ids.newTraceId();
    const spanId = ids.newSpanId();
    const isSampled = sampler(traceId, undefined);
    const text = traceParentText(traceId, spanId, isSampled);
    pairs.push('traceparent', text);
    const recorded =
      spans !== undefined && isSampled ? new RecordedTrace(traceId, spanId, text, ids.newSpanId) : undefined;
    return { traceId, parentId: undefined, state: '', recorded };
  }

  #follow({ traceId, parentId, isSampled }: TraceParent, received: ReceivedTrace, pairs: string[]): RequestTrace {
    const { ids, sampler, spans } = this.#parts;
    const isRecording = spans !== undefined;
    const state = passedTraceState(received.state);
    const isWanted = isRecording ? sampler(traceId, isSampled) : isSampled;
    let recorded: RecordedTrace | undefined;
    if (isRecording && (isWanted || isSampled)) {
      // Who changes the decision, or records, is the parent of what follows.
      const spanId = ids.newSpanId();
      const text = traceParentText(traceId, spanId, isWanted);
      pairs.push('traceparent', text);
      if (isWanted) recorded = new RecordedTrace(traceId, spanId, text, ids.newSpanId);
    } else pairs.push('traceparent', received.parent);
    if (state !== '') pairs.push('tracestate', state);
    return { traceId, parentId, state, recorded };
  }
}
