import type { AdapterCall, PreparedRequest, ProviderAdapter, ReadAnswer } from '../providers/adapter.ts';
import { StreamTooLargeError } from '../providers/errors.ts';
import type { Transport, TransportCall, TransportListener } from '../transport.ts';
import type { AttemptEnd } from './attempt-log.ts';
import { ANSWER_VALUES_MAX, bodyBoundsIssue } from './body-bounds.ts';
import { MALFORMED, malformed, transportClasses } from './call-failures.ts';
import { contentTypeOf, errorWord, isPacked, jsonObjectOf, retryAfterOf } from './provider-answer.ts';
import type { CallBounds, ProviderCallListener } from './provider-call-listener.ts';
import type { RouterTimers } from './router-options.ts';
import { joined } from './stream-output.ts';
import type { StreamReading, StreamStep } from './stream-reading.ts';

/** Bytes that a provider may send after its stream's end, before its connection is cut. */
const BYTES_AFTER_END_MAX = 64 * 1024;

type State = 'waiting' | 'collecting' | 'streaming' | 'over';

/** One call of a provider: takes what the transport brings and says what it is. */
export class ProviderCall implements TransportListener {
  readonly #adapter: ProviderAdapter;
  readonly #call: AdapterCall;
  readonly #listener: ProviderCallListener;
  readonly #bounds: CallBounds;
  /** Makes the reading of a stream, when the client wants one. */
  readonly #openReading: (() => StreamReading) | undefined;
  #transportCall: TransportCall | undefined;
  #stopTimer: (() => void) | undefined;
  #state: State = 'waiting';
  #status = 0;
  #headers: readonly string[] = [];
  #pieces: Uint8Array[] = [];
  #bytes = 0;
  #reading: StreamReading | undefined;
  #hasBegun = false;

  constructor(
    adapter: ProviderAdapter,
    call: AdapterCall,
    bounds: CallBounds,
    listener: ProviderCallListener,
    openReading: (() => StreamReading) | undefined,
  ) {
    this.#adapter = adapter;
    this.#call = call;
    this.#bounds = bounds;
    this.#listener = listener;
    this.#openReading = openReading;
  }

  get status(): number | undefined {
    return this.#status === 0 ? undefined : this.#status;
  }

  get reading(): StreamReading | undefined {
    return this.#reading;
  }

  begin(request: PreparedRequest, transport: Transport, timers: RouterTimers): void {
    const { connectMs, answerMs, idleMs } = this.#bounds;
    this.#stopTimer = timers.after(answerMs, () => this.#timeOut());
    this.#transportCall = transport.open(
      {
        url: request.url,
        method: 'POST',
        headers: request.headers,
        body: request.body,
        connectTimeoutMs: connectMs,
        headTimeoutMs: answerMs,
        idleTimeoutMs: idleMs,
        requiresTls: true,
      },
      this,
    );
  }

  /** Nobody waits any more. The listener hears nothing more. */
  abort(): void {
    if (this.#state === 'over') return;
    this.#close();
    this.#transportCall?.abort();
  }

  resume(): void {
    if (this.#state === 'streaming') this.#transportCall?.resume();
  }

  /** What comes of a stream from here on is not bound by the time for answers: the client has its beginning. */
  keepOpen(): void {
    this.#hasBegun = true;
    this.#stopTimer?.();
  }

  onHead(status: number, headers: readonly string[]): void {
    try {
      this.#takeHead(status, headers);
    } catch (error) {
      this.#crash(error);
    }
  }

  onData(bytes: Uint8Array): boolean {
    try {
      return this.#takeData(bytes);
    } catch (error) {
      this.#crash(error);
      return true;
    }
  }

  onEnd(): void {
    try {
      this.#takeEnd();
    } catch (error) {
      this.#crash(error);
    }
  }

  onFailure(error: Error): void {
    try {
      this.#takeFailure(error);
    } catch (mistake) {
      this.#crash(mistake);
    }
  }

  #takeHead(status: number, headers: readonly string[]): void {
    if (this.#state === 'over') return;
    this.#status = status;
    this.#headers = headers;
    this.#state = 'collecting';
    if (isPacked(headers)) return this.#fail(malformed(status, 'answer_is_packed'));
    if (status >= 400) return;
    if (status < 200 || status > 299) return this.#fail(malformed(status, 'unexpected_status'));
    if (this.#openReading === undefined) return;
    if (!this.#adapter.streamTypes.has(contentTypeOf(headers))) return this.#fail(malformed(status));
    this.#state = 'streaming';
    this.#reading = this.#openReading();
  }

  #takeData(bytes: Uint8Array): boolean {
    this.#bytes += bytes.byteLength;
    if (this.#state === 'over') {
      if (this.#bytes > BYTES_AFTER_END_MAX) this.#transportCall?.abort();
      return true;
    }
    if (this.#state === 'streaming') return this.#read(bytes);
    if (this.#bytes > this.#bounds.responseBytesMax) this.#fail(malformed(this.#status, 'answer_too_large'));
    else this.#pieces.push(bytes);
    return true;
  }

  #takeEnd(): void {
    if (this.#state === 'streaming') return this.#endStream();
    if (this.#state === 'over') return;
    const bytes = joined(this.#pieces);
    this.#close();
    const isBounded = this.#call.operation === 'embeddings' || bodyBoundsIssue(bytes, ANSWER_VALUES_MAX) === undefined;
    const body = isBounded ? jsonObjectOf(bytes) : undefined;
    const status = this.#status;
    if (status >= 400) {
      return this.#listener.onProviderError({ status, body, retryAfter: retryAfterOf(this.#headers) });
    }
    if (body === undefined) return this.#listener.onCallFailure(malformed(status));
    let answer: ReadAnswer;
    try {
      answer = this.#adapter.readAnswer(this.#call, body);
    } catch {
      return this.#listener.onCallFailure(malformed(status));
    }
    this.#listener.onAnswer(answer, bytes);
  }

  #takeFailure(error: Error): void {
    if (this.#state === 'over') return;
    const code = 'code' in error && typeof error.code === 'string' ? error.code : 'unreachable';
    if (this.#hasBegun) {
      this.#close();
      this.#listener.onStreamBroken(code === 'timeout' ? 'stream_idle_timeout' : 'stream_cut');
      return;
    }
    this.#fail({
      outcome: code === 'timeout' ? 'timeout' : 'transport_error',
      status: this.status,
      errorClass: transportClasses.get(code) ?? 'unreachable',
      isRetryable: true,
    });
  }

  #read(bytes: Uint8Array): boolean {
    const reading = this.#reading;
    if (reading === undefined) return true;
    if (reading.isHeld && this.#bytes > this.#bounds.responseBytesMax) {
      this.#fail(malformed(this.#status, 'answer_too_large'));
      return true;
    }
    let step: StreamStep;
    try {
      step = reading.push(bytes);
    } catch (error) {
      this.#breakStream(error instanceof StreamTooLargeError ? 'stream_event_too_large' : MALFORMED);
      return true;
    }
    return this.#hear(step, reading);
  }

  #hear(step: StreamStep, reading: StreamReading): boolean {
    if (step === 'error') {
      const errorClass = errorWord(reading.errorClass) ?? 'provider_error';
      // Whatever came with it in the same piece was not handed on: the next target may still answer.
      if (!this.#hasBegun) {
        this.#fail({
          outcome: 'provider_error',
          status: reading.errorStatus ?? this.#status,
          errorClass,
          isRetryable: true,
        });
        return true;
      }
    }
    if (step === 'more') return !reading.hasBegun || reading.isHeld || this.#listener.onStreamPiece(step);
    this.#close();
    // After a proper end the provider closes the answer by itself, and its connection can be used again.
    this.#bytes = 0;
    if (step === 'error') this.#transportCall?.abort();
    this.#listener.onStreamPiece(step);
    return true;
  }

  #endStream(): void {
    const reading = this.#reading;
    if (reading === undefined) return;
    let step: StreamStep = 'more';
    try {
      step = reading.end();
    } catch {
      // What was left is no event: the stream is not whole.
    }
    if (step !== 'more') {
      this.#hear(step, reading);
      return;
    }
    // What ended without an event is no answer of its kind at all.
    this.#breakStream('stream_incomplete');
  }

  #breakStream(errorClass: string): void {
    if (!this.#hasBegun) return this.#fail(malformed(this.#status));
    this.#close();
    this.#transportCall?.abort();
    this.#listener.onStreamBroken(errorClass);
  }

  #timeOut(): void {
    if (this.#state === 'over') return;
    try {
      this.#fail({ outcome: 'timeout', status: this.status, errorClass: 'timeout', isRetryable: true });
    } catch (error) {
      this.#crash(error);
    }
  }

  /** A mistake must not end in the transport: the request would wait for ever, and keep its tokens. */
  #crash(error: unknown): void {
    this.#close();
    this.#transportCall?.abort();
    this.#listener.onCrash(error);
  }

  #fail(end: AttemptEnd): void {
    this.#close();
    this.#transportCall?.abort();
    this.#listener.onCallFailure(end);
  }

  #close(): void {
    this.#state = 'over';
    this.#stopTimer?.();
    this.#pieces = [];
  }
}
