import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { ConnectionLine, type Waiting } from './connection-line.ts';
import { NodeBodySource } from './node-body-source.ts';
import { EarlyAnswerDrain } from './early-answer-drain.ts';
import type { ServerState } from './server-state.ts';
import { connectionOf } from './connection-facts.ts';
import type { AbortCause, CallObserver, ConnectionFacts, HttpVersion, ServerCall } from './server-transport.ts';
import { resetSocket } from './raw-socket.ts';
import { SlowReader } from './slow-reader.ts';

const calls: unique symbol = Symbol('call');

/** A response with its call, so that listeners can be shared functions: none is made per request. */
interface TaggedResponse extends ServerResponse {
  [calls]?: NodeServerCall;
}

/** Calls that sent headers and no byte of the body yet. They go out when the present turn brings no body. */
const headersHeld: NodeServerCall[] = [];

/** One request of a `node:http` server. */
export class NodeServerCall implements ServerCall, Waiting {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly string[];
  readonly httpVersion: HttpVersion;
  readonly connection: ConnectionFacts;
  readonly body: NodeBodySource | undefined;
  readonly #request: IncomingMessage;
  readonly #response: TaggedResponse;
  readonly #socket: Socket;
  readonly #server: ServerState;
  readonly #line: ConnectionLine;
  #observer: CallObserver | undefined;
  /** Set from when the socket was full until the answer is out. */
  #reader: SlowReader | undefined;
  #held = false;
  /** Room in the socket is awaited: pieces that are written meanwhile wait for the same. */
  #isDrainAwaited = false;
  /** Whether whoever writes was told to wait for it. */
  #isWriterWaiting = false;
  /** Small pieces of one turn, which leave as one: a chunk and its framing cost as much as some kilobytes. */
  #pieces: Uint8Array[] = [];
  #piecesBytes = 0;
  /** The client sends its body only when told to. */
  #awaitsContinue: boolean;

  constructor(request: IncomingMessage, response: ServerResponse, server: ServerState, expectsContinue: boolean) {
    this.method = request.method ?? '';
    this.target = request.url ?? '';
    this.headers = request.rawHeaders;
    this.httpVersion = versionOf(request);
    this.connection = connectionOf(request.socket);
    this.body = hasBody(request)
      ? new NodeBodySource(request, server.slowSenders, () => this.#askForBody())
      : undefined;
    this.#awaitsContinue = expectsContinue;
    this.#request = request;
    this.#response = response;
    this.#socket = request.socket;
    this.#server = server;
    this.#line = ConnectionLine.of(request.socket);
    this.#response[calls] = this;
    response.on('close', onClose);
  }

  /** Takes its place on the connection. */
  enter(): void {
    this.#line.enter(this);
  }

  /** Its turn on the connection has come. */
  take(last: boolean): void {
    if (last) this.#response.shouldKeepAlive = false;
    this.#server.handler(this);
  }

  get bodyBytes(): number {
    return this.body?.bytes ?? 0;
  }

  get begun(): boolean {
    return this.#response.headersSent;
  }

  get isSettled(): boolean {
    return this.#request.complete || this.#response.headersSent;
  }

  observe(observer: CallObserver): void {
    this.#observer = observer;
  }

  respond(status: number, headers: readonly string[], body: string | Uint8Array | undefined, close: boolean): void {
    const length = body === undefined ? 0 : Buffer.byteLength(body);
    const framed = status === 204 || status === 304 ? headers : [...headers, 'content-length', `${length}`];
    if (close) this.#response.shouldKeepAlive = false;
    this.#writeHead(status, framed);
    if (typeof body === 'string' && length === body.length && length <= pieceBytes) {
      // Head and ASCII go out as one text: an answer of the gateway's own is cheap.
      this.#response.end(body, 'latin1');
      if (this.#socket.writableLength > 0) this.#watchReader();
      return;
    }
    const bytes = typeof body === 'string' ? Buffer.from(body, 'utf8') : body;
    if (bytes === undefined || bytes.length <= pieceBytes) this.end(bytes);
    else this.#sendPieces(bytes);
  }

  begin(status: number, headers: readonly string[]): void {
    this.#writeHead(status, headers);
    this.#held = true;
    if (headersHeld.push(this) === 1) setImmediate(flushHeldHeaders);
  }

  write(chunk: Uint8Array): boolean {
    this.#held = false;
    if (this.#pieces.push(chunk) === 1 && chunk.length < turnBytesMax) process.nextTick(flushPieces, this);
    this.#piecesBytes += chunk.length;
    if (this.#piecesBytes >= turnBytesMax) this.flushPieces();
    if (!this.#isDrainAwaited) return true;
    this.#isWriterWaiting = true;
    return false;
  }

  end(chunk?: Uint8Array, trailers?: readonly string[]): void {
    if (trailers !== undefined && trailers.length > 0) this.#response.addTrailers(fieldsOf(trailers));
    const last = this.#joinedWith(chunk);
    // With the head it goes out as one text: one write of a string costs half of what one of two pieces does.
    if (this.#held && last !== undefined && last.length <= joinedBytesMax) {
      this.#response.end(bufferOf(last).toString('latin1'), 'latin1');
    } else this.#response.end(last);
    this.#held = false;
    if (this.#socket.writableLength > 0) this.#watchReader();
  }

  abort(): void {
    this.#held = false;
    this.flushPieces();
    const socket = this.#socket;
    // An answer of HTTP/1.0 ends with the connection: only a reset shows that it is not whole.
    if (this.httpVersion === '1.0') resetSocket(socket);
    else socket.destroySoon();
  }

  /** Sends headers that still wait for a body. */
  flushHeaders(): void {
    if (this.#held) this.#response.flushHeaders();
    this.#held = false;
  }

  /** Sends the pieces of this turn. */
  flushPieces(): void {
    const bytes = this.#joinedWith(undefined);
    if (bytes === undefined || this.#response.destroyed || this.#response.write(bytes)) return;
    if (!this.#isDrainAwaited) this.#response.once('drain', onDrain);
    this.#isDrainAwaited = true;
    this.#watchReader();
  }

  /** The socket has room again. */
  drained(): void {
    this.#isDrainAwaited = false;
    if (!this.#isWriterWaiting) return;
    this.#isWriterWaiting = false;
    this.#observer?.onDrain();
  }

  /** Whoever was given the connection is through with it, or the server was cut. */
  protected switched(): void {
    if (this.#server.destroyed) this.#observer?.onAborted('gatewayStopped');
    this.#observer?.onClosed();
    this.#line.close();
  }

  /** The answer is out, or the connection is gone. */
  closed(): void {
    this.#held = false;
    if (!this.#response.writableFinished) this.#observer?.onAborted(this.#abortCause());
    this.#observer?.onClosed();
    if (this.#reader !== undefined) this.#server.slowReaders.delete(this.#reader);
    if (this.body !== undefined && !this.#request.complete) this.#drain();
    if (this.#socket.destroyed) this.#line.close();
    this.#line.leave();
  }

  #abortCause(): AbortCause {
    if (this.#reader?.isCut === true) return 'clientTooSlow';
    return this.#server.destroyed ? 'gatewayStopped' : 'clientLeft';
  }

  /** The pieces of this turn and one more, in one. */
  #joinedWith(chunk: Uint8Array | undefined): Uint8Array | undefined {
    if (this.#pieces.length === 0) return chunk;
    if (chunk !== undefined) this.#pieces.push(chunk);
    const joined = this.#pieces.length === 1 ? this.#pieces[0] : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#piecesBytes = 0;
    return joined;
  }

  #sendPieces(bytes: Uint8Array): void {
    Readable.from(piecesOf(bytes), { objectMode: false }).pipe(this.#response);
    this.#watchReader();
  }

  #watchReader(): void {
    if (this.#reader !== undefined) return;
    this.#reader = new SlowReader(this.#socket);
    this.#server.slowReaders.add(this.#reader);
  }

  #drain(): void {
    if (!this.#socket.destroyed) new EarlyAnswerDrain(this.#request, this.#server.drains).start();
  }

  #askForBody(): void {
    if (this.#awaitsContinue) this.#response.writeContinue();
    this.#awaitsContinue = false;
  }

  #writeHead(status: number, headers: readonly string[]): void {
    // Whether a client that waited for `100 Continue` still sends its body is unknown: the connection ends with the answer.
    if (this.#awaitsContinue || this.#server.stopping) this.#response.shouldKeepAlive = false;
    const closes = !this.#response.shouldKeepAlive;
    if (closes) this.#line.close();
    const fields = status === 204 ? withoutLength(headers) : headers;
    this.#response.writeHead(status, (closes ? closing(fields) : fields) as string[]);
  }
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

function versionOf({ httpVersionMajor: major, httpVersionMinor: minor }: IncomingMessage): HttpVersion {
  if (major !== 1) return 'other';
  return minor === 0 ? '1.0' : '1.1';
}

function hasBody(request: IncomingMessage): boolean {
  const length = request.headers['content-length'];
  return (length !== undefined && length !== '0') || request.headers['transfer-encoding'] !== undefined;
}

/** In the form that `node:http` takes. Where an answer has its length and is not in chunks, it leaves them out. */
function fieldsOf(pairs: readonly string[]): [string, string][] {
  const fields: [string, string][] = [];
  for (let at = 0; at < pairs.length; at += 2) fields.push([pairs[at] ?? '', pairs[at + 1] ?? '']);
  return fields;
}

/** RFC 9110, section 8.6: an answer with 204 states no length. */
function withoutLength(headers: readonly string[]): string[] {
  return headers.filter((_part, at) => headers[at - (at % 2)]?.toLowerCase() !== 'content-length');
}

/** Longer ones are not worth the copying. */
const joinedBytesMax = 4096;

/** Pieces of one turn that are sent together at most: a piece of so much goes by itself, and is not copied. */
const turnBytesMax = 16 * 1024;

/** An answer that names connection options of its own says with them that the connection ends. Without any, the server says it. */
function closing(headers: readonly string[]): readonly string[] {
  return headers.map((part, at) =>
    at % 2 === 1 && headers[at - 1]?.toLowerCase() === 'connection' ? `${part}, close` : part,
  );
}

/** Large answers go in pieces: only then does the socket tell how much of them a client takes. */
const pieceBytes = 64 * 1024;

function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

function flushPieces(call: NodeServerCall): void {
  call.flushPieces();
}

function flushHeldHeaders(): void {
  for (const call of headersHeld.splice(0)) call.flushHeaders();
}

function onDrain(this: TaggedResponse): void {
  this[calls]?.drained();
}

function onClose(this: TaggedResponse): void {
  this[calls]?.closed();
}
