import type { AnswerStream } from '@portcullis/plugin-runtime';
import { failures } from '../transport/upstream-failures.ts';
import type { ResponseSink, UpstreamCall } from '../transport/upstream-transport.ts';

/** The body of a responder's answer as the body of a call. Nothing of it is kept here: who pauses takes what still comes. */
export class ResponderStream implements UpstreamCall {
  readonly #body: AnswerStream;
  readonly #sink: ResponseSink;
  #isPaused = false;
  /** Whether the plugin was told to wait. */
  #isHeld = false;

  constructor(body: AnswerStream, sink: ResponseSink) {
    this.#body = body;
    this.#sink = sink;
  }

  /** Lets the body flow, unless somebody has paused it: then `resume` does. */
  begin(): void {
    if (this.#isPaused) return;
    const sink = this.#sink;
    this.#body.start({
      write: (bytes) => {
        sink.onChunk(bytes);
        this.#isHeld = this.#isPaused;
        return !this.#isHeld;
      },
      end: () => sink.onEnd(),
      fail: () => sink.onFailure(failures.reset),
    });
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    if (!this.#body.isStarted) this.begin();
    else if (this.#isHeld) {
      this.#isHeld = false;
      this.#body.resume();
    }
  }

  /** The plugin hears of it at once, so that it can say more of the request before that is observed. */
  abort(): void {
    this.#body.cancel();
  }
}

/** The call of an answer that is there. */
export const finishedCall: UpstreamCall = {
  pause: () => undefined,
  resume: () => undefined,
  abort: () => undefined,
};
