/** IDs of a W3C trace context. */
export interface TraceIds {
  readonly traceId: string;
  readonly spanId: string;
}

const FORM = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(?:-|$)/;

/** Longest `traceparent` that is looked at: later versions may add to it. */
const LENGTH_MAX = 256;

/** What a `traceparent` says; `undefined` for none, and for one that is not valid. Source: W3C Trace Context, 3.2. */
export function traceIds(traceparent: string | undefined): TraceIds | undefined {
  if (traceparent === undefined || traceparent.length > LENGTH_MAX) return undefined;
  const [, traceId, spanId] = FORM.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined) return undefined;
  const isWhole = !traceparent.startsWith('00-') || traceparent.length === 55;
  return isWhole ? { traceId, spanId } : undefined;
}
