import type { IncomingMessage } from 'node:http';
import type { BodyReader } from '../peer-body.ts';

/**
 * The body of a Node request: read by plugins up to a bound and put back, whole, for the application. The stream's end is
 * never taken from it, so that an application that listens later sees the body as if nobody had read it.
 */
export class IncomingBody {
  readonly #request: IncomingMessage;
  readonly #kept: Buffer[] = [];
  #keptBytes = 0;
  #isPassedOn = false;

  constructor(request: IncomingMessage) {
    this.#request = request;
  }

  /**
   * The whole body, or `undefined` when it has more than `bytesMax` bytes, went on to the application before all of it was
   * kept, or was read by somebody else before the plugins. At most one chunk beyond the bound is kept.
   * @throws Error when the client leaves meanwhile
   */
  readonly read: BodyReader = async (bytesMax) => {
    if (this.#request.readableDidRead && this.#keptBytes === 0) return undefined;
    while (!this.#isPassedOn && !this.#isWhole && this.#keptBytes <= bytesMax) this.#keep(await this.#nextChunk());
    if (!this.#isWhole || this.#keptBytes > bytesMax) return undefined;
    return Buffer.concat(this.#kept);
  };

  /** Gives the body to the application: what was read goes back in front of what was not. */
  restore(): void {
    this.#isPassedOn = true;
    if (this.#keptBytes > 0) this.#request.unshift(Buffer.concat(this.#kept));
  }

  /** Puts other bytes in the place of the whole body. What the client still sends of its own is read and forgotten. */
  async replace(bytes: Uint8Array): Promise<void> {
    this.#isPassedOn = true;
    while (!this.#isWhole) await this.#nextChunk();
    if (bytes.length > 0) this.#request.unshift(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  }

  /** Nothing is left to read, neither in the stream nor on the wire. */
  get #isWhole(): boolean {
    return this.#request.complete && this.#request.readableLength === 0;
  }

  #keep(chunk: Buffer | undefined): void {
    if (chunk === undefined || this.#isPassedOn) return;
    this.#kept.push(chunk);
    this.#keptBytes += chunk.length;
  }

  /** The next piece; `undefined` when the end came without one. Asking for exactly what is there does not end the stream. */
  async #nextChunk(): Promise<Buffer | undefined> {
    const request = this.#request;
    // Waiting for a stream that has ended already would take its end from it: what arrived with the head is told first.
    if (request.readableLength === 0 && !request.complete) await Promise.resolve();
    if (request.readableLength === 0 && !request.complete) await readable(request);
    return request.readableLength === 0 ? undefined : (request.read(request.readableLength) as Buffer);
  }
}

/** Waits until there is something to read, or the end. */
function readable(request: IncomingMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      request.off('readable', onReadable);
      request.off('close', onClose);
    };
    const onReadable = (): void => {
      stop();
      resolve();
    };
    const onClose = (): void => {
      stop();
      reject(new Error('the client left before its body had arrived'));
    };
    if (request.destroyed) {
      reject(new Error('the client left before its body had arrived'));
      return;
    }
    request.on('readable', onReadable);
    request.on('close', onClose);
  });
}
