import { Readable } from 'node:stream';
import type { BodySink, BodySource } from './body-source.ts';

/** A body source as the stream that undici takes. Nothing flows before undici reads. */
export class SourceStream extends Readable implements BodySink {
  readonly #source: BodySource;
  readonly #onFlow: (flowing: boolean) => void;
  #begun = false;

  /** @param onFlow told `false` when the reader takes no more for now, and `true` when it does again */
  constructor(source: BodySource, onFlow: (flowing: boolean) => void) {
    super();
    this.#source = source;
    this.#onFlow = onFlow;
  }

  onChunk(chunk: Uint8Array): void {
    if (this.destroyed || this.push(chunk)) return;
    this.#source.pause();
    this.#onFlow(false);
  }

  onEnd(): void {
    if (!this.destroyed) this.push(null);
  }

  onError(error: Error): void {
    this.destroy(error);
  }

  override _read(): void {
    if (this.#begun) {
      this.#source.resume();
      this.#onFlow(true);
      return;
    }
    this.#begun = true;
    this.#source.read(this);
  }

  /** Given up before its end: the rest is taken from the socket and dropped, so that the client can read its answer. */
  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    if (this.#begun) this.#source.resume();
    callback(error);
  }
}
