/** Bytes of one event of a stream. Source: ai, Streaming. */
export const EVENT_BYTES_MAX: number = 1024 * 1024;

/** A provider cannot do what a request asks for: the next target may. The message is for the client and names no secret. */
export class UnsupportedRequestError extends Error {
  override readonly name = 'UnsupportedRequestError';
}

/** A provider's answer is none. The message holds nothing of it. */
export class MalformedAnswerError extends Error {
  override readonly name = 'MalformedAnswerError';
}

/** An event of a stream is longer than {@link EVENT_BYTES_MAX}. */
export class StreamTooLargeError extends Error {
  override readonly name = 'StreamTooLargeError';
}
