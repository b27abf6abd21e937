import type { BodySink, BodySource } from '../transport/body-source.ts';
import { HeldPieces } from '../transport/held-pieces.ts';
import type { UpstreamCall } from '../transport/upstream-transport.ts';

/** The body of an upstream's answer as a source, for answers that plugins may read. The upstream waits until it is read. */
export class AnswerBody implements BodySource, BodySink {
  readonly length: number | undefined;
  trailers: readonly string[] = [];
  readonly #call: UpstreamCall;
  readonly #early = new HeldPieces();
  #sink: BodySink | undefined;
  #ended: 'end' | Error | undefined;

  constructor(call: UpstreamCall, length: number) {
    this.#call = call;
    this.length = length < 0 ? undefined : length;
  }

  read(sink: BodySink): void {
    this.#sink = sink;
    for (const chunk of this.#early.takeAll()) sink.onChunk(chunk);
    if (this.#ended === 'end') sink.onEnd();
    else if (this.#ended !== undefined) sink.onError(this.#ended);
    else this.#call.resume();
  }

  pause(): void {
    this.#call.pause();
  }

  resume(): void {
    this.#call.resume();
  }

  onChunk(chunk: Uint8Array): void {
    if (this.#sink === undefined) this.#early.add(chunk);
    else this.#sink.onChunk(chunk);
  }

  onEnd(): void {
    this.#ended = 'end';
    this.#sink?.onEnd();
  }

  onError(error: Error): void {
    this.#ended = error;
    this.#sink?.onError(error);
  }
}
