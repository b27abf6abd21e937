import type { BodySink, BodySource } from './body-source.ts';
import { HeldPieces } from './held-pieces.ts';

/** A body that was read into memory, or the part of it that was read before it proved too long. */
export type ReadOutcome =
  | { readonly whole: true; readonly bytes: Uint8Array }
  | { readonly whole: false; readonly rest: BodySource };

/** What a body may take of the memory that all bodies share. */
export interface Allowance {
  /** Asked for each piece before it is kept. @returns `false` when it must not be */
  take(bytes: number): boolean;
  /** A piece that was kept has gone on. */
  give(bytes: number): void;
}

/**
 * Reads a body into memory.
 * @param bytesMax a longer body is not kept: `rest` gives all of it, from its first byte
 * @throws the sender's error, when the body ends early; an error of its own, when the allowance ends: then what came is dropped,
 *   and the source stands still
 */
export function readWhole(source: BodySource, bytesMax: number, allowance: Allowance): Promise<ReadOutcome> {
  return new Promise((resolve, reject) => {
    source.read(new Collector(source, bytesMax, allowance, resolve, reject));
  });
}

class Collector implements BodySink {
  readonly #source: BodySource;
  readonly #bytesMax: number;
  readonly #allowance: Allowance;
  readonly #resolve: (outcome: ReadOutcome) => void;
  readonly #reject: (error: Error) => void;
  readonly #held = new HeldPieces();
  #bytes = 0;
  #isRefused = false;
  #resumed: ResumedBody | undefined;

  constructor(
    source: BodySource,
    bytesMax: number,
    allowance: Allowance,
    resolve: (outcome: ReadOutcome) => void,
    reject: (error: Error) => void,
  ) {
    this.#source = source;
    this.#bytesMax = bytesMax;
    this.#allowance = allowance;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  onChunk(chunk: Uint8Array): void {
    if (this.#resumed !== undefined) {
      this.#resumed.onChunk(chunk);
      return;
    }
    if (this.#isRefused) return;
    if (!this.#allowance.take(chunk.length)) {
      this.#isRefused = true;
      this.#held.takeAll();
      this.#source.pause();
      this.#reject(new Error('no more bodies can be held'));
      return;
    }
    this.#held.add(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes <= this.#bytesMax) return;
    this.#source.pause();
    this.#resumed = new ResumedBody(this.#source, this.#held, this.#allowance);
    this.#resolve({ whole: false, rest: this.#resumed });
  }

  onEnd(): void {
    if (this.#resumed !== undefined) this.#resumed.onEnd();
    else {
      // Taken out: the source knows this reader for as long as it lives, and the body would be there twice.
      this.#resolve({ whole: true, bytes: Buffer.concat(this.#held.takeAll()) });
    }
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
  readonly #held: HeldPieces;
  readonly #allowance: Allowance;
  /** Pieces at the front of `#held` that the allowance was asked for. */
  #taken: number;
  #sink: BodySink | undefined;
  #ended: 'end' | Error | undefined;
  #paused = false;

  constructor(source: BodySource, held: HeldPieces, allowance: Allowance) {
    this.#source = source;
    this.#held = held;
    this.#allowance = allowance;
    this.#taken = held.count;
    held.seal();
    this.length = source.length;
  }

  get trailers(): readonly string[] {
    return this.#source.trailers;
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
      if (this.#taken > 0) {
        this.#taken -= 1;
        this.#allowance.give(chunk.length);
      }
      this.#sink.onChunk(chunk);
    }
    if (this.#paused || this.#sink === undefined) return;
    if (this.#ended === 'end') this.#sink.onEnd();
    else if (this.#ended !== undefined) this.#sink.onError(this.#ended);
    else this.#source.resume();
  }

  onChunk(chunk: Uint8Array): void {
    if (this.#sink === undefined || this.#paused || this.#held.count > 0) this.#held.add(chunk);
    else this.#sink.onChunk(chunk);
  }

  onEnd(): void {
    this.#ended = 'end';
    if (this.#sink !== undefined && !this.#paused && this.#held.count === 0) this.#sink.onEnd();
  }

  onError(error: Error): void {
    this.#ended = error;
    if (this.#sink !== undefined && !this.#paused && this.#held.count === 0) this.#sink.onError(error);
  }
}
