import type { BodyStream, BodyStreamSink } from './body-stream.ts';

/** Bytes that are taken from a provider before anybody takes them: enough for what comes until the client's answer has begun. */
export const EARLY_BYTES_MAX: number = 64 * 1024;

/** Where a relay's bytes come from. */
export interface RelaySource {
  /** More may come. */
  onResume(): void;
  /** Nobody wants the rest. */
  onCancel(): void;
}

/** The body of a streamed answer. What comes before the sink is there is kept, up to {@link EARLY_BYTES_MAX} and one piece. */
export class StreamRelay implements BodyStream {
  readonly #source: RelaySource;
  #sink: BodyStreamSink | undefined;
  #early: Uint8Array[] = [];
  #earlyBytes = 0;
  #isEnded = false;
  #isHeld = false;

  constructor(source: RelaySource) {
    this.#source = source;
  }

  /** @returns `false` to wait for `onResume` */
  write(bytes: Uint8Array): boolean {
    if (this.#sink !== undefined) return this.#sink.write(bytes);
    this.#early.push(bytes);
    this.#earlyBytes += bytes.byteLength;
    this.#isHeld = this.#earlyBytes >= EARLY_BYTES_MAX;
    return !this.#isHeld;
  }

  end(): void {
    this.#isEnded = true;
    this.#sink?.end();
  }

  start(sink: BodyStreamSink): void {
    this.#sink = sink;
    const early = this.#early;
    this.#early = [];
    let takesMore = true;
    for (const bytes of early) takesMore = sink.write(bytes);
    if (this.#isEnded) sink.end();
    else if (this.#isHeld && takesMore) this.#source.onResume();
  }

  resume(): void {
    this.#source.onResume();
  }

  cancel(): void {
    this.#early = [];
    this.#source.onCancel();
  }
}
