import type { ServerHttp2Stream } from 'node:http2';
import type { BodySink, BodySource } from './body-source.ts';
import type { SlowBodyWatch, WatchedBody } from './slow-body-watch.ts';

const none: readonly string[] = [];

/** The body of a request of HTTP/2. While it is paused its stream's window fills up, and those of other streams do not. */
export class Http2BodySource implements BodySource, WatchedBody {
  place = -1;
  bytesBefore = Number.NaN;
  readonly length: number | undefined;
  trailers: readonly string[] = none;
  /** Bytes received so far. */
  bytes = 0;
  /** Whether bytes are asked for: a sender is slow only while somebody waits for it. */
  flowing = false;
  /** Whether all of it came. */
  isWhole = false;
  readonly #stream: ServerHttp2Stream;
  readonly #watch: SlowBodyWatch;
  readonly #askForBody: () => void;
  #over = false;

  /** @param askForBody called once, when the first byte is wanted: the moment for `100 Continue` */
  constructor(stream: ServerHttp2Stream, length: number | undefined, watch: SlowBodyWatch, askForBody: () => void) {
    this.#stream = stream;
    this.length = length;
    this.#watch = watch;
    this.#askForBody = askForBody;
    // They may come before anybody reads: nothing keeps them but this.
    stream.on('trailers', (_fields, _flags, raw?: readonly string[]) => {
      this.trailers = raw ?? none;
    });
  }

  read(sink: BodySink): void {
    const stream = this.#stream;
    this.#askForBody();
    stream.on('data', (chunk: Buffer) => {
      this.bytes += chunk.length;
      sink.onChunk(chunk);
    });
    const fail = (): void => {
      if (this.#finish()) sink.onError(new Error('the client went away before its body was whole'));
    };
    stream.on('end', () => {
      // A stream that was reset ends as well.
      if (stream.aborted) fail();
      else if (this.#finish()) {
        this.isWhole = true;
        sink.onEnd();
      }
    });
    stream.on('close', fail);
    this.flowing = true;
    this.#watch.add(this);
  }

  pause(): void {
    this.flowing = false;
    this.#stream.pause();
  }

  resume(): void {
    this.flowing = true;
    this.#stream.resume();
  }

  /** Cuts a sender that is too slow. */
  cut(): void {
    this.#stream.close(cancelled);
  }

  #finish(): boolean {
    if (this.#over) return false;
    this.#over = true;
    this.flowing = false;
    this.#watch.delete(this);
    return true;
  }
}

/** `CANCEL` of RFC 9113, section 7. */
const cancelled = 8;
