import {
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type HrTime,
  type SpanContext,
  type TraceState,
} from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import type { FinishedSpan } from '../finished-span.ts';

/** A span in the form that exporters take. */
export function readableSpan(
  span: FinishedSpan,
  resource: Resource,
  scope: ReadableSpan['instrumentationScope'],
): ReadableSpan {
  const { traceId, spanId, parentId, isParentRemote, state } = span;
  const traceState = state === '' ? {} : { traceState: traceStateOf(state) };
  const context: SpanContext = { traceId, spanId, traceFlags: TraceFlags.SAMPLED, ...traceState };
  const parent = parentId === undefined ? undefined : { ...context, spanId: parentId, isRemote: isParentRemote };
  return {
    name: span.name,
    kind: span.kind === 'server' ? SpanKind.SERVER : SpanKind.CLIENT,
    spanContext: () => context,
    ...(parent === undefined ? {} : { parentSpanContext: parent }),
    startTime: hrTimeOf(span.startMs),
    endTime: hrTimeOf(span.endMs),
    duration: hrTimeOf(span.endMs - span.startMs),
    status: { code: span.isError ? SpanStatusCode.ERROR : SpanStatusCode.UNSET },
    attributes: span.attributes,
    links: [],
    events: [],
    ended: true,
    resource,
    instrumentationScope: scope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

/** Seconds and nanoseconds. */
export function hrTimeOf(milliseconds: number): HrTime {
  const seconds = Math.floor(milliseconds / 1000);
  return [seconds, Math.min(Math.round((milliseconds - seconds * 1000) * 1e6), 999_999_999)];
}

/** Exporters ask for its text only. */
function traceStateOf(text: string): TraceState {
  const state: TraceState = { serialize: () => text, get: () => undefined, set: () => state, unset: () => state };
  return state;
}
