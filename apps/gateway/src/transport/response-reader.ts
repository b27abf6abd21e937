import { ChunkFraming } from './chunk-framing.ts';
import { LineBlock } from './line-block.ts';
import { ResponseFields } from './response-fields.ts';

/** Bytes of an answer's head, and of the trailers behind it. */
export const responseHeadBytesMax: number = 64 * 1024;

/** Bytes of all interim answers to one request. */
export const interimBytesMax: number = 64 * 1024;

/** What hears of an answer as it is read. */
export interface ReadingSink {
  /** Whether nothing more is wanted for now, or at all. */
  readonly isHeld: boolean;
  onHead(status: number, pairs: string[]): void;
  onBody(chunk: Uint8Array): void;
  /** @param trailers name and value by turns */
  onWhole(trailers: string[] | undefined): void;
}

/** What of an answer is due. `switched`: the connection speaks another protocol; `malformed`: nothing that follows means anything. */
type Due = 'head' | 'bytes' | 'chunkFrame' | 'chunk' | 'trailers' | 'rest' | 'nothing' | 'switched' | 'malformed';

/**
 * Reads the answers of one connection in HTTP/1.1, one after the other, from bytes as they come. It takes what RFC 9112 allows and nothing
 * that two readers could understand in two ways; what it refuses ends the connection. Interim answers are left out.
 */
export class ResponseReader {
  readonly #sink: ReadingSink;
  readonly #block = new LineBlock(responseHeadBytesMax);
  readonly #chunks = new ChunkFraming();
  #due: Due = 'nothing';
  /** Bytes that the body, or the chunk, still has to bring. */
  #left = 0;
  /** Bytes of interim answers to the request. */
  #interimBytes = 0;
  #method = '';
  #protocol: string | undefined;
  /** Fields of an answer that switches protocols. */
  switchPairs: string[] = [];
  /** Whether another answer may follow on the connection. */
  isPersistent = false;
  /** Seconds that the upstream keeps the connection; `undefined` where it does not say. */
  keepAliveSeconds: number | undefined;

  constructor(sink: ReadingSink) {
    this.#sink = sink;
  }

  /** @param protocol what the request asked the connection to be switched to */
  begin(method: string, protocol: string | undefined): void {
    this.#method = method;
    this.#protocol = protocol;
    this.#due = 'head';
    this.#interimBytes = 0;
    this.#block.clear();
  }

  get isMalformed(): boolean {
    return this.#due === 'malformed';
  }

  get isSwitched(): boolean {
    return this.#due === 'switched';
  }

  /** The connection ended. @returns whether that ends the answer as it should be */
  end(): boolean {
    if (this.#due !== 'rest') return false;
    this.#finish(undefined);
    return true;
  }

  /** Reads until the bytes or the answer are over, or the sink wants no more. @returns where it stopped */
  read(bytes: Buffer, start: number): number {
    let at = start;
    while (!this.#sink.isHeld) {
      // An answer without a body, or what is left of one whose reader waited, needs no byte.
      if (this.#due === 'bytes' && this.#left === 0) this.#finish(undefined);
      if (at === bytes.length) return at;
      switch (this.#due) {
        case 'head':
          at = this.#readHead(bytes, at);
          break;
        case 'bytes':
        case 'chunk':
          at = this.#readCounted(bytes, at);
          break;
        case 'chunkFrame':
          at = this.#readFrame(bytes, at);
          break;
        case 'trailers':
          at = this.#readTrailers(bytes, at);
          break;
        case 'rest':
          this.#sink.onBody(at === 0 ? bytes : bytes.subarray(at));
          at = bytes.length;
          break;
        default:
          return at;
      }
    }
    return at;
  }

  #readHead(bytes: Buffer, start: number): number {
    const at = this.#block.take(bytes, start);
    const { text } = this.#block;
    if (text === undefined) {
      // Whoever speaks another protocol need not be waited for.
      if (this.#block.isTooLong || !isVersionBegun(this.#block.beginning(version.length))) this.#due = 'malformed';
      return at;
    }
    this.#block.clear();
    if (!this.#takeHead(text)) this.#due = 'malformed';
    return at;
  }

  #takeHead(text: string): boolean {
    const lineEnd = text.indexOf('\r\n');
    const line = statusLine.exec(text.slice(0, lineEnd));
    const fields = new ResponseFields();
    if (line === null || !fields.read(text, lineEnd + 2)) return false;
    const status = Number(line[2]);
    if (status < 100 || status > 599 || (fields.isChunked && fields.length !== undefined)) return false;
    // RFC 9112, section 6.1: whoever passed it on in HTTP/1.0 did not know of codings.
    const isOld = line[1] === '0';
    if (isOld && fields.isChunked) return false;
    if (status === 101) return this.#switch(fields);
    if (status < 200) {
      this.#interimBytes += text.length;
      return this.#interimBytes <= interimBytesMax;
    }
    const isFramed = this.#frame(status, fields);
    this.isPersistent = isFramed && persists(isOld, fields.connection);
    this.keepAliveSeconds = secondsOf(fields.keepAlive);
    this.#sink.onHead(status, fields.pairs);
    return true;
  }

  /** @returns whether the answer says where its body ends. Source: RFC 9112, section 6.3 */
  #frame(status: number, { isChunked, length }: ResponseFields): boolean {
    this.#due = 'bytes';
    this.#left = 0;
    if (this.#method === 'HEAD' || status === 204 || status === 304) return true;
    if (isChunked) {
      this.#due = 'chunkFrame';
      this.#chunks.begin();
    } else if (length === undefined) this.#due = 'rest';
    else this.#left = length;
    return isChunked || length !== undefined;
  }

  /** RFC 9110, section 15.2.2: the answer names the protocol. Another one than was asked for is nothing that the client could speak. */
  #switch({ upgrade, pairs }: ResponseFields): boolean {
    if (this.#protocol === undefined || upgrade !== this.#protocol) return false;
    this.#due = 'switched';
    this.switchPairs = pairs;
    return true;
  }

  #readCounted(bytes: Buffer, start: number): number {
    const at = Math.min(bytes.length, start + this.#left);
    this.#left -= at - start;
    if (this.#left === 0 && this.#due === 'chunk') {
      this.#due = 'chunkFrame';
      this.#chunks.endChunk();
    }
    this.#sink.onBody(start === 0 && at === bytes.length ? bytes : bytes.subarray(start, at));
    return at;
  }

  #readFrame(bytes: Buffer, start: number): number {
    const at = this.#chunks.take(bytes, start);
    if (this.#chunks.isMalformed) this.#due = 'malformed';
    if (at === -1) return bytes.length;
    this.#left = this.#chunks.size;
    this.#due = this.#left === 0 ? 'trailers' : 'chunk';
    // An empty line alone says that there are no trailers: it is one to which the line before belongs.
    if (this.#left === 0) this.#block.take(lineEndBytes, 0);
    return at;
  }

  #readTrailers(bytes: Buffer, start: number): number {
    const at = this.#block.take(bytes, start);
    const { text, isTooLong } = this.#block;
    if (text === undefined) {
      if (isTooLong) this.#due = 'malformed';
      return at;
    }
    this.#block.clear();
    const fields = new ResponseFields();
    if (!fields.read(text, lineEndBytes.length)) this.#due = 'malformed';
    else this.#finish(fields.pairs.length === 0 ? undefined : fields.pairs);
    return at;
  }

  #finish(trailers: string[] | undefined): void {
    this.#due = 'nothing';
    this.#sink.onWhole(trailers);
  }
}

const version = 'HTTP/1.';
const statusLine = /^HTTP\/1\.([01]) (\d{3})(?: [\t\x20-\x7e\x80-\xff]*)?$/;
const lineEndBytes = Buffer.from('\r\n', 'latin1');

function isVersionBegun(text: string): boolean {
  return version.startsWith(text);
}

/** Whether the upstream keeps the connection: in HTTP/1.0 it has to say so, else what it does not deny. */
function persists(isOld: boolean, connection: string): boolean {
  if (connection === ',keep-alive') return true;
  if (connection === '') return !isOld;
  const options = connection.split(',').map((option) => option.trim());
  return isOld ? options.includes('keep-alive') && !options.includes('close') : !options.includes('close');
}

function secondsOf(keepAlive: string): number | undefined {
  if (keepAlive === '') return undefined;
  const [, seconds] = /(?:^|[\s,])timeout=(\d{1,9})/i.exec(keepAlive) ?? [];
  return seconds === undefined ? undefined : Number(seconds);
}
