import type { Readable } from 'node:stream';

const KEPT_BYTES_MAX = 4 * 1024 * 1024;

/** Collects what a stream prints, the last 4 MiB of it, so that a child that floods its output cannot fill the memory. */
export class OutputBuffer {
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(stream: Readable | null) {
    stream?.on('data', (chunk: Buffer) => this.#push(chunk));
    stream?.on('error', () => undefined); // The stream of a killed child may break; what came before it counts.
  }

  /** Everything kept, decoded as UTF-8. */
  text(): string {
    const whole = Buffer.concat(this.#chunks);
    this.#chunks = [whole];
    return whole.toString('utf8');
  }

  #push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes > 2 * KEPT_BYTES_MAX) {
      this.#chunks = [Buffer.concat(this.#chunks).subarray(-KEPT_BYTES_MAX)];
      this.#bytes = KEPT_BYTES_MAX;
    }
  }
}
