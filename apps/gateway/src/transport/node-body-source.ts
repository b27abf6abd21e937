import type { IncomingMessage } from 'node:http';
import type { BodySink, BodySource } from './body-source.ts';
import type { SlowBodyWatch, WatchedBody } from './slow-body-watch.ts';

/** The body of a request that `node:http` received. */
export class NodeBodySource implements BodySource, WatchedBody {
  place = -1;
  bytesBefore = Number.NaN;
  readonly length: number | undefined;
  /** Bytes received so far. */
  bytes = 0;
  /** Whether bytes are asked for: a sender is slow only while somebody waits for it. */
  flowing = false;
  readonly #request: IncomingMessage;
  readonly #watch: SlowBodyWatch;
  readonly #askForBody: () => void;
  #over = false;

  /** @param askForBody called once, when the first byte is wanted: the moment for `100 Continue` */
  constructor(request: IncomingMessage, watch: SlowBodyWatch, askForBody: () => void) {
    this.#request = request;
    this.#watch = watch;
    this.#askForBody = askForBody;
    const length = request.headers['content-length'];
    this.length = length === undefined ? undefined : Number(length);
  }

  get trailers(): readonly string[] {
    return this.#request.rawTrailers;
  }

  read(sink: BodySink): void {
    const request = this.#request;
    this.#askForBody();
    request.on('data', (chunk: Buffer) => {
      this.bytes += chunk.length;
      sink.onChunk(chunk);
    });
    request.on('end', () => {
      if (!this.#finish()) return;
      sink.onEnd();
    });
    const fail = (): void => {
      if (this.#finish()) sink.onError(new Error('the client went away before its body was whole'));
    };
    request.on('error', fail);
    request.on('close', fail);
    this.flowing = true;
    this.#watch.add(this);
  }

  pause(): void {
    this.flowing = false;
    this.#request.pause();
  }

  resume(): void {
    this.flowing = true;
    this.#request.resume();
  }

  /** Cuts a sender that is too slow. */
  cut(): void {
    this.#request.socket.destroy();
  }

  #finish(): boolean {
    if (this.#over) return false;
    this.#over = true;
    this.flowing = false;
    this.#watch.delete(this);
    return true;
  }
}
