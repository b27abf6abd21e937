import type { ServerResponse } from 'node:http';
import type { HeadFields } from './response-head.ts';

/** Called when a write is done or has failed, as Node's streams do. */
export type WriteCallback = (error?: Error | null) => void;

type Chunk = string | Uint8Array;
type Write = (chunk: Chunk, encoding: BufferEncoding, callback?: WriteCallback) => boolean;
type End = (chunk?: Chunk, encoding?: BufferEncoding, callback?: WriteCallback) => unknown;
type WriteHead = (...head: unknown[]) => unknown;

/**
 * The methods of a Node response as they were before the gate took their place: Node's own, or those of a middleware that
 * came earlier.
 */
export class ResponseWriter {
  readonly #response: ServerResponse;
  readonly #write: Write;
  readonly #end: End;
  readonly #writeHead: WriteHead;
  readonly #flushHeaders: () => void;
  #bytes = 0;
  /** What the last write said of the socket's buffer. */
  #mayWrite = true;

  constructor(response: ServerResponse) {
    this.#response = response;
    this.#write = response.write as Write;
    this.#end = response.end as End;
    this.#writeHead = response.writeHead as WriteHead;
    this.#flushHeaders = response.flushHeaders;
  }

  /** Whether the socket's buffer has room; when not, Node will emit `drain`. */
  get mayWrite(): boolean {
    return this.#mayWrite;
  }

  /** Bytes of the body that were written, whether they may be sent or not (a HEAD's are not). */
  get bytes(): number {
    return this.#bytes;
  }

  write(chunk: Chunk, encoding: BufferEncoding, callback: WriteCallback | undefined): boolean {
    this.#bytes += Buffer.byteLength(chunk, encoding);
    this.#mayWrite = this.#write.call(this.#response, chunk, encoding, callback);
    return this.#mayWrite;
  }

  end(chunk: Chunk | undefined, encoding: BufferEncoding, callback: WriteCallback | undefined): void {
    if (chunk === undefined) this.#end.call(this.#response, undefined, undefined, callback);
    else {
      this.#bytes += Buffer.byteLength(chunk, encoding);
      this.#end.call(this.#response, chunk, encoding, callback);
    }
  }

  writeHead(status: number, message: string | undefined, fields: HeadFields): void {
    if (message === undefined) this.#writeHead.call(this.#response, status, fields);
    else this.#writeHead.call(this.#response, status, message, fields);
  }

  flushHeaders(): void {
    this.#flushHeaders.call(this.#response);
  }
}
