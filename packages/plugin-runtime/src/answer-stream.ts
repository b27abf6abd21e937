import type { BodyStream, BodyStreamSink } from './responder.ts';

/** What a responder's body is read by, and what makes it, each told no more than they can bear. */
type Phase = 'waiting' | 'flowing' | 'over';

/**
 * The body of a responder's answer, for hosts. Whatever its plugin throws, or says too late or twice, the sink hears of one end at most.
 */
export class AnswerStream {
  readonly #body: BodyStream;
  readonly #onFault: (error: unknown) => void;
  #phase: Phase = 'waiting';
  #sink: BodyStreamSink | undefined;

  /** @param onFault told what the plugin did wrong; the body has failed then */
  constructor(body: BodyStream, onFault: (error: unknown) => void) {
    this.#body = body;
    this.#onFault = onFault;
  }

  /** Whether it flows, or has. */
  get isStarted(): boolean {
    return this.#sink !== undefined;
  }

  /** Lets it flow, once. Nothing comes when it was cancelled before. */
  start(sink: BodyStreamSink): void {
    if (this.#phase !== 'waiting') return;
    this.#phase = 'flowing';
    this.#sink = sink;
    this.#guarded(() =>
      this.#body.start({
        write: (bytes) => this.#write(bytes),
        end: () => this.#end(() => sink.end()),
        fail: () => this.#end(() => sink.fail()),
      }),
    );
  }

  /** The sink takes more again. */
  resume(): void {
    if (this.#phase === 'flowing') this.#guarded(() => this.#body.resume());
  }

  /** Nobody wants the rest; the sink hears nothing more. Safe to call at any time, again too. */
  cancel(): void {
    if (this.#phase === 'over') return;
    this.#phase = 'over';
    try {
      this.#body.cancel();
    } catch (error) {
      this.#onFault(error);
    }
  }

  #write(bytes: Uint8Array): boolean {
    if (this.#phase !== 'flowing' || this.#sink === undefined) return false;
    if (bytes instanceof Uint8Array) return this.#sink.write(bytes);
    this.#fail(new TypeError('the body of an answer is made of bytes'));
    return false;
  }

  #end(tell: () => void): void {
    if (this.#phase !== 'flowing') return;
    this.#phase = 'over';
    tell();
  }

  #guarded(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** The plugin did something wrong: nothing more of it is taken. */
  #fail(error: unknown): void {
    this.#onFault(error);
    if (this.#phase !== 'flowing') return;
    this.cancel();
    this.#sink?.fail();
  }
}
