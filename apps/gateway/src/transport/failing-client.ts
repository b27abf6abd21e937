import { failures } from './upstream-failures.ts';
import type { ResponseSink, UpstreamCall, UpstreamClient, UpstreamFailure } from './upstream-transport.ts';

/** Stands for an address that must not be called. */
export const refusingClient: UpstreamClient = failingClient(failures.refused);

/** A client that sends nothing, and says why. */
export function failingClient(failure: UpstreamFailure): UpstreamClient {
  return { connectTimeoutMs: 0, send: (_request, sink) => failingCall(failure, sink), close: () => undefined };
}

/** A call that has failed before it began. */
export function failingCall(failure: UpstreamFailure, sink: ResponseSink): UpstreamCall {
  queueMicrotask(() => sink.onFailure(failure));
  return { pause: () => undefined, resume: () => undefined, abort: () => undefined };
}
