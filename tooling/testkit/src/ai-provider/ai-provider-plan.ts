/*
 * What a fake provider does with one request. A plan is told before the request comes; the requests take the plans in their order, and the last
 * plan stays for all that follow.
 */

/** See the head of this file. */
export type AiProviderPlan =
  /** Answers with a status and JSON. */
  | {
      readonly kind: 'json';
      readonly status?: number;
      readonly body: unknown;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Answers with any bytes and content type. */
  | {
      readonly kind: 'bytes';
      readonly status?: number;
      readonly contentType?: string;
      readonly body: string | Uint8Array;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Streams: each part as one piece of its own, then the end. */
  | {
      readonly kind: 'stream';
      readonly parts: readonly StreamPart[];
      readonly contentType?: string;
      readonly status?: number;
      /** What comes after the last part. Default `end`. */
      readonly ending?: 'end' | 'cut' | 'silence';
    }
  /** Takes the request and says nothing. */
  | { readonly kind: 'silent' }
  /** Sends the head and then nothing. */
  | { readonly kind: 'stalled'; readonly contentType?: string }
  /** Closes the connection without an answer. */
  | { readonly kind: 'cut' }
  /** Says how long its body is, and closes the connection in its middle. */
  | { readonly kind: 'half'; readonly body: string };

/** A piece of a stream: text, or a wait for the test, that lets it go on by {@link Gate.open}. */
export type StreamPart = string | Uint8Array | Gate;

/** Holds a stream until the test opens it. */
export interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

/** Makes a gate. */
export function gate(): Gate {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}
