/** A span that is over, in nobody's form. Times are in milliseconds since 1970, with a fraction. */
export interface FinishedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** `undefined` for the first span of a trace. */
  readonly parentId: string | undefined;
  /** Whether the parent is in another process. */
  readonly isParentRemote: boolean;
  /** `tracestate`; empty for none. */
  readonly state: string;
  readonly kind: 'server' | 'client';
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly isError: boolean;
}

/** Takes spans. Never makes anybody wait. */
export interface SpanSink {
  push(spans: readonly FinishedSpan[]): void;
}
