import type { AnswerStream } from '../answer-stream.ts';
import type { ExchangeState } from '../exchange-state.ts';

/** So many bytes wait for a reader before the plugin is asked to wait. */
export const ANSWER_BYTES_WAITING_MAX = 65_536;

/** A responder's body as a web stream. Nothing flows before somebody reads; a client that left ends it in an error. */
export function answerReadable(body: AnswerStream, exchange: ExchangeState): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(new AnswerSource(body, exchange), {
    highWaterMark: 0,
    size: (bytes) => bytes.length,
  });
}

class AnswerSource {
  readonly #body: AnswerStream;
  readonly #exchange: ExchangeState;
  readonly #leaver = { abort: () => this.#leave() };
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #isFull = false;

  constructor(body: AnswerStream, exchange: ExchangeState) {
    this.#body = body;
    this.#exchange = exchange;
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#controller = controller;
    this.#exchange.watchLeaver(this.#leaver);
  }

  pull(controller: ReadableStreamDefaultController<Uint8Array>): void {
    if (!this.#body.isStarted) {
      this.#body.start({
        write: (bytes) => this.#write(controller, bytes),
        end: () => this.#end(() => controller.close()),
        fail: () => this.#end(() => controller.error(new TypeError('the answer broke off'))),
      });
    } else if (this.#isFull) {
      this.#isFull = false;
      this.#body.resume();
    }
  }

  cancel(): void {
    this.#end(() => this.#body.cancel());
  }

  #write(controller: ReadableStreamDefaultController<Uint8Array>, bytes: Uint8Array): boolean {
    controller.enqueue(bytes);
    this.#isFull = -(controller.desiredSize ?? 0) >= ANSWER_BYTES_WAITING_MAX;
    return !this.#isFull;
  }

  #leave(): void {
    this.#body.cancel();
    this.#controller?.error(new TypeError('the client left'));
  }

  #end(finish: () => void): void {
    this.#exchange.unwatchLeaver(this.#leaver);
    finish();
  }
}
