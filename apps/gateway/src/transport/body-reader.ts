import type { BodySink, BodySource } from './body-source.ts';

/** A body that was read into memory, or the part of it that was read before it proved too long. */
export type ReadOutcome =
  | { readonly whole: true; readonly bytes: Uint8Array }
  | { readonly whole: false; readonly rest: BodySource };

/**
 * Reads a body into memory.
 * @param bytesMax a longer body is not kept: `rest` gives all of it, from its first byte
 * @throws the sender's error, when the body ends early
 */
export function readWhole(source: BodySource, bytesMax: number): Promise<ReadOutcome> {
  return new Promise((resolve, reject) => {
    source.read(new Collector(source, bytesMax, resolve, reject));
  });
}

class Collector implements BodySink {
  readonly #source: BodySource;
  readonly #bytesMax: number;
  readonly #resolve: (outcome: ReadOutcome) => void;
  readonly #reject: (error: Error) => void;
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;
  #resumed: ResumedBody | undefined;

  constructor(
    source: BodySource,
    bytesMax: number,
    resolve: (outcome: ReadOutcome) => void,
    reject: (error: Error) => void,
  ) {
    this.#source = source;
    this.#bytesMax = bytesMax;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  onChunk(chunk: Uint8Array): void {
    if (this.#resumed !== undefined) {
      this.#resumed.onChunk(chunk);
      return;
    }
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes <= this.#bytesMax) return;
    this.#source.pause();
    this.#resumed = new ResumedBody(this.#source, this.#chunks);
    this.#resolve({ whole: false, rest: this.#resumed });
  }

  onEnd(): void {
    if (this.#resumed !== undefined) this.#resumed.onEnd();
    else this.#resolve({ whole: true, bytes: Buffer.concat(this.#chunks) });
  }

  onError(error: Error): void {
    if (this.#resumed !== undefined) this.#resumed.onError(error);
    else this.#reject(error);
  }
}

/** What was read already, followed by what is still to come. */
class ResumedBody implements BodySource, BodySink {
  readonly length: number | undefined;
  readonly #source: BodySource;
  readonly #held: Uint8Array[];
  #sink: BodySink | undefined;
  #ended: 'end' | Error | undefined;
  #paused = false;

  constructor(source: BodySource, held: Uint8Array[]) {
    this.#source = source;
    this.#held = held;
    this.length = source.length;
  }

  read(sink: BodySink): void {
    this.#sink = sink;
    this.resume();
  }

  pause(): void {
    this.#paused = true;
    this.#source.pause();
  }

  resume(): void {
    this.#paused = false;
    while (this.#sink !== undefined && !this.#paused) {
      const chunk = this.#held.shift();
      if (chunk === undefined) break;
      this.#sink.onChunk(chunk);
    }
    if (this.#paused || this.#sink === undefined) return;
    if (this.#ended === 'end') this.#sink.onEnd();
    else if (this.#ended !== undefined) this.#sink.onError(this.#ended);
    else this.#source.resume();
  }

  onChunk(chunk: Uint8Array): void {
    if (this.#sink === undefined || this.#paused || this.#held.length > 0) this.#held.push(chunk);
    else this.#sink.onChunk(chunk);
  }

  onEnd(): void {
    this.#ended = 'end';
    if (this.#sink !== undefined && !this.#paused && this.#held.length === 0) this.#sink.onEnd();
  }

  onError(error: Error): void {
    this.#ended = error;
    if (this.#sink !== undefined && !this.#paused && this.#held.length === 0) this.#sink.onError(error);
  }
}
