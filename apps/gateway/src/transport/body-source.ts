/** What receives a body. `onEnd` or `onError` comes once, and nothing after it. */
export interface BodySink {
  onChunk(chunk: Uint8Array): void;
  onEnd(): void;
  /** The sender went away or the body was malformed: what came so far is not the whole body. */
  onError(error: Error): void;
}

/** A body on its way in. Nothing flows before `read`; while paused nothing is taken from the socket. */
export interface BodySource {
  /** Length in bytes when the message states it, else `undefined`. */
  readonly length: number | undefined;
  /** Fields that came behind the body, name and value by turns; empty before its end, and where there are none. */
  readonly trailers: readonly string[];
  /** Lets the body flow into a sink. May be called once. */
  read(sink: BodySink): void;
  pause(): void;
  resume(): void;
}
