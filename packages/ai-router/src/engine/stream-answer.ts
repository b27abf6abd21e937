import { streamErrorFrame } from '../errors/stream-error.ts';
import type { AttemptEnd } from './attempt-log.ts';
import { errorWord } from './provider-answer.ts';
import type { RequestRun } from './request-run.ts';
import type { StreamOutput } from './stream-output.ts';
import type { StreamReading, StreamStep } from './stream-reading.ts';
import { type RelaySource, StreamRelay } from './stream-relay.ts';
import type { LiveAttempt } from './target-attempts.ts';
import type { Charge } from './usage-charge.ts';

/** What a streamed answer is made of. */
export interface StreamAnswerParts {
  readonly run: RequestRun;
  readonly live: LiveAttempt;
  readonly reading: StreamReading;
  readonly output: StreamOutput;
  readonly ttftMs: number;
  readonly chargeIf: (isWhole: boolean) => Charge;
}

/**
 * A streamed answer that has begun: from here on nothing is tried again. Source: spec, AI provider stream; ai, Streaming.
 */
export class StreamAnswer implements RelaySource {
  readonly #parts: StreamAnswerParts;
  readonly relay: StreamRelay = new StreamRelay(this);

  constructor(parts: StreamAnswerParts) {
    this.#parts = parts;
  }

  /** What a piece brought goes on. @returns `false` to hold the rest */
  piece(step: StreamStep): boolean {
    const bytes = this.#parts.output.take();
    const takesMore = bytes === undefined || this.relay.write(bytes);
    if (step === 'done') this.#whole();
    else if (step === 'error') this.broken(errorWord(this.#parts.reading.errorClass) ?? 'provider_error');
    return takesMore;
  }

  /** The provider's stream broke off. */
  broken(errorClass: string): void {
    const { run } = this.#parts;
    if (run.isOver) return;
    const bytes = this.#parts.output.take();
    if (bytes !== undefined) this.relay.write(bytes);
    this.#amend({ outcome: 'provider_stream_error', errorClass });
    this.#end('provider_stream_error', 'provider_stream_error', false);
    this.relay.write(streamErrorFrame(run.request.operation));
    this.relay.end();
  }

  onResume(): void {
    this.#parts.live.call.resume();
  }

  onCancel(): void {
    this.#parts.live.call.abort();
    if (this.#parts.run.isOver) return;
    this.#amend({ outcome: 'client_closed', errorClass: 'client_closed' });
    this.#end('client_closed', 'client_closed', false);
  }

  #whole(): void {
    if (this.#parts.run.isOver) return;
    this.#amend({ outcome: 'success' });
    this.#end('success', undefined, true);
    this.relay.end();
  }

  #amend(end: AttemptEnd): void {
    const { run, live, ttftMs } = this.#parts;
    run.attempts.amend(live.open, { ...end, status: live.call.status, ttftMs }, run.config.options.clock.monotonicMs());
  }

  #end(
    outcome: 'success' | 'provider_stream_error' | 'client_closed',
    errorClass: string | undefined,
    isWhole: boolean,
  ): void {
    const { run, reading, chargeIf } = this.#parts;
    run.end({
      outcome,
      errorClass,
      charge: chargeIf(isWhole),
      responseModel: reading.model,
      unreadableEvents: reading.unreadableEvents,
      response: reading.sample?.text,
    });
  }
}
