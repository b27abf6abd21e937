import { readWhole, type ReadOutcome } from '../transport/body-reader.ts';
import type { BodySource } from '../transport/body-source.ts';

/** A plugin may read at most this much of a body, whatever it asks for. */
export const bodyReadBytesMax: number = 16 * 1024 * 1024;

/** A body that plugins may read into memory before it goes on. Nothing is read unless one asks. */
export class HeldBody {
  #source: BodySource;
  #bytes: Uint8Array | undefined;
  #pending: Promise<ReadOutcome> | undefined;

  constructor(source: BodySource) {
    this.#source = source;
  }

  /** For the runtime. A bound property: it is passed on by itself. */
  readonly read = async (bytesMax: number): Promise<Uint8Array | undefined> => {
    const limit = Math.min(bytesMax, bodyReadBytesMax);
    await this.#settle();
    if (this.#bytes !== undefined) return this.#bytes.length <= limit ? this.#bytes : undefined;
    if (this.#source.length !== undefined && this.#source.length > limit) return undefined;
    this.#pending = readWhole(this.#source, limit);
    await this.#settle();
    return this.#bytes;
  };

  /** What goes on: the bytes when they were read, else the stream. Waits for a read that its hook has given up. */
  async forward(): Promise<Uint8Array | BodySource> {
    await this.#settle();
    return this.#bytes ?? this.#source;
  }

  /** Whether nobody has read: the stream can go on at once. */
  get untouched(): boolean {
    return this.#pending === undefined && this.#bytes === undefined;
  }

  async #settle(): Promise<void> {
    if (this.#pending === undefined) return;
    const outcome = await this.#pending;
    this.#pending = undefined;
    if (outcome.whole) this.#bytes = outcome.bytes;
    else this.#source = outcome.rest;
  }
}
