/** What came to an end with the bytes read last. */
export type ReadOutcome = 'incomplete' | 'complete' | 'malformed';

const headEnd = Buffer.from('\r\n\r\n');
const lastChunk = Buffer.from('\r\n0\r\n\r\n');
const headBytesMax = 16 * 1024;

/**
 * Reads the responses of one keep-alive connection, one request at a time, as sparingly as possible: status, and where the
 * body ends. Chunked bodies are taken to end with an empty chunk and no trailers, as all peers send them.
 */
export class ResponseReader {
  /** Status of the response that is complete, or of the one being read once its head is in. */
  status = 0;
  #head: Buffer | undefined;
  #bodyLeft = 0;
  #isChunked = false;
  #tail: Buffer = Buffer.alloc(0);

  /** Takes bytes from the socket. After `malformed` the connection is of no more use. */
  read(bytes: Buffer): ReadOutcome {
    if (this.#bodyLeft > 0) return this.#readBody(bytes);
    if (this.#isChunked) return this.#readChunks(bytes);
    const head = this.#head === undefined ? bytes : Buffer.concat([this.#head, bytes]);
    const end = head.indexOf(headEnd);
    if (end < 0) {
      this.#head = head;
      return head.length > headBytesMax ? 'malformed' : 'incomplete';
    }
    this.#head = undefined;
    return this.#readHead(head.toString('latin1', 0, end + 2), head.subarray(end));
  }

  /** @param rest what follows the head, with the blank line before it */
  #readHead(head: string, rest: Buffer): ReadOutcome {
    this.status = head.startsWith('HTTP/1.1 ') ? Number(head.slice(9, 12)) : 0;
    if (!(this.status >= 200 && this.status <= 599)) return 'malformed';
    const length = /\r\ncontent-length: *(\d+)\r\n/i.exec(head)?.[1];
    if (length !== undefined) {
      this.#bodyLeft = Number(length);
      return this.#readBody(rest.subarray(headEnd.length));
    }
    if (!/\r\ntransfer-encoding: *chunked\r\n/i.test(head)) return 'malformed';
    this.#isChunked = true;
    // The line end before the first chunk stays, so that an empty body is found like any other's end.
    return this.#readChunks(rest.subarray(2));
  }

  #readBody(bytes: Buffer): ReadOutcome {
    this.#bodyLeft -= bytes.length;
    if (this.#bodyLeft < 0) return 'malformed';
    return this.#bodyLeft === 0 ? 'complete' : 'incomplete';
  }

  #readChunks(bytes: Buffer): ReadOutcome {
    const seen = this.#tail.length === 0 ? bytes : Buffer.concat([this.#tail, bytes]);
    if (seen.subarray(-lastChunk.length).equals(lastChunk)) {
      this.#isChunked = false;
      this.#tail = Buffer.alloc(0);
      return 'complete';
    }
    this.#tail = Buffer.from(seen.subarray(-lastChunk.length));
    return 'incomplete';
  }
}
