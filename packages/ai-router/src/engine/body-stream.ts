/*
 * Bodies that are made while they go, in the shape of `BodyStream` of `@portcullis/plugin-runtime`, so that a plugin answers with them as
 * they are.
 */

/** See the head of this file. */
export interface BodyStream {
  /** Lets it flow. Called at most once, and not at all when nobody wants it: then {@link cancel} is called. */
  start(sink: BodyStreamSink): void;
  /** The sink takes more, after a `write` that gave `false`. */
  resume(): void;
  /** Nobody wants the rest. */
  cancel(): void;
}

/** What takes a body. `end` or `fail` comes once, and nothing after it. */
export interface BodyStreamSink {
  /** @returns `false` when the next one should wait for `resume` */
  write(bytes: Uint8Array): boolean;
  end(): void;
  fail(): void;
}
