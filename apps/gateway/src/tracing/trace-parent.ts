/** What a `traceparent` says. Source: W3C Trace Context, section 3.2. */
export interface TraceParent {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits: the span of who sent it. */
  readonly parentId: string;
  /** Whether who sent it may have recorded the request. */
  readonly isSampled: boolean;
}

/** Length of version 00, which is all of it; later versions may add to it. */
const VERSION_00_LENGTH = 55;
const LENGTH_MAX = 256;

const FORM = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}/;

const SAMPLED = 1;

/** Reads a `traceparent`; `undefined` for what is none: then a new trace begins. */
export function readTraceParent(value: string): TraceParent | undefined {
  if (value.length < VERSION_00_LENGTH || value.length > LENGTH_MAX || !FORM.test(value)) return undefined;
  if (value.length > VERSION_00_LENGTH && (value.startsWith('00') || value[VERSION_00_LENGTH] !== '-'))
    return undefined;
  const flags = Number.parseInt(value.slice(53, 55), 16);
  return { traceId: value.slice(3, 35), parentId: value.slice(36, 52), isSampled: (flags & SAMPLED) !== 0 };
}

/** A `traceparent` of our own. Flags that later versions may give a meaning are not passed on. */
export function traceParentText(traceId: string, spanId: string, isSampled: boolean): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}
