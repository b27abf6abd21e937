import type { BodyReader } from '../peer-body.ts';

/**
 * The body of a web message: read by plugins up to a bound and still there, whole, for whoever it goes to. What was read
 * is kept; the rest of a body beyond the bound stays in its stream.
 */
export class BodyKeeper {
  readonly #source: ReadableStream<Uint8Array> | null;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  readonly #kept: Uint8Array[] = [];
  #keptBytes = 0;
  #isWhole: boolean;
  #isPassedOn = false;
  /** The read that is under way: a plugin that was given up may still wait for a chunk when the body is passed on. */
  #reading: Promise<void> | undefined;

  constructor(source: ReadableStream<Uint8Array> | null) {
    this.#source = source;
    this.#isWhole = source === null;
  }

  /** Whether there is nothing to read, and never was. */
  get isAbsent(): boolean {
    return this.#source === null;
  }

  /**
   * The whole body, or `undefined` when it has more than `bytesMax` bytes or went on before all of it was kept.
   * At most one chunk beyond the bound is kept.
   */
  readonly read: BodyReader = async (bytesMax) => {
    while (!this.#isWhole && !this.#isPassedOn && this.#keptBytes <= bytesMax) await this.#readChunk();
    return this.#isWhole && this.#keptBytes <= bytesMax ? joined(this.#kept, this.#keptBytes) : undefined;
  };

  /** The body to pass on, once: the stream itself when nobody read it, else what was kept and then the rest. */
  toBody(): ReadableStream<Uint8Array> | null {
    const source = this.#source;
    this.#isPassedOn = true;
    if (source === null || this.#reader === undefined) return source;
    const reader = this.#reader;
    let next = 0;
    return new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        await this.#reading;
        const chunk = this.#kept[next] ?? (this.#isWhole ? undefined : (await reader.read()).value);
        next += 1;
        if (chunk === undefined) controller.close();
        else controller.enqueue(chunk);
      },
      cancel: (reason) => reader.cancel(reason),
    });
  }

  /** Tells the sender that nobody will read the body. What the sender makes of it does not matter. */
  async discard(): Promise<void> {
    await (this.#reader ?? this.#source)?.cancel().catch(() => undefined);
  }

  async #readChunk(): Promise<void> {
    this.#reading ??= this.#keepNext().finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
  }

  async #keepNext(): Promise<void> {
    this.#reader ??= this.#source?.getReader();
    const next = await this.#reader?.read();
    if (next === undefined || next.done) {
      this.#isWhole = true;
      return;
    }
    this.#kept.push(next.value);
    this.#keptBytes += next.value.length;
  }
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [only] = chunks;
  if (chunks.length === 1 && only !== undefined) return only;
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}
