import type { WatchedBody } from './slow-body-watch.ts';

/** What is written to a client's stream. */
export interface WrittenStream {
  /** Bytes that left. */
  readonly sentBytes: number;
  /** Whether bytes wait for the client. */
  readonly isWaiting: boolean;
  cut(): void;
}

/** A client that an answer of HTTP/2 waits for: the stream is cut when it takes next to nothing of it. */
export class Http2SlowReader implements WatchedBody {
  place = -1;
  bytesBefore = Number.NaN;
  /** Whether it was cut. */
  isCut = false;
  readonly #stream: WrittenStream;

  constructor(stream: WrittenStream) {
    this.#stream = stream;
  }

  get bytes(): number {
    return this.#stream.sentBytes;
  }

  get flowing(): boolean {
    return this.#stream.isWaiting;
  }

  cut(): void {
    this.isCut = true;
    this.#stream.cut();
  }
}
