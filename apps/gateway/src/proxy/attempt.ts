import type { Endpoint } from '../balancing/endpoint.ts';
import type { UpstreamFailure } from '../transport/upstream-transport.ts';

/**
 * The attempt that a request makes at present. It counts as in flight from {@link begin} to {@link end}, and its endpoint is told once how
 * it ended, whatever comes first: the head of an answer, or a failure.
 */
export class Attempt {
  #endpoint: Endpoint | undefined;
  #startedMs = 0;
  #isReported = true;

  /** Ends the one before, if nobody has. */
  begin(endpoint: Endpoint, nowMs: number): void {
    this.end();
    endpoint.begin(nowMs);
    this.#endpoint = endpoint;
    this.#startedMs = nowMs;
    this.#isReported = false;
  }

  /** The head of an answer came. */
  answered(status: number, nowMs: number): void {
    if (this.#isReported) return;
    this.#isReported = true;
    this.#endpoint?.answered(status, nowMs - this.#startedMs, nowMs);
  }

  /** It came to nothing; an answer that breaks off after its head has been reported. */
  failed(code: UpstreamFailure['code'], nowMs: number): void {
    if (this.#isReported) return;
    this.#isReported = true;
    this.#endpoint?.failed(code, nowMs - this.#startedMs, nowMs);
  }

  /** Nothing of it is under way any more. May be called again. */
  end(): void {
    this.#endpoint?.end();
    this.#endpoint = undefined;
  }
}
