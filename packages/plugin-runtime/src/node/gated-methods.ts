import type { ServerResponse } from 'node:http';
import type { Written } from './gated-body.ts';
import type { HeadFields } from './response-head.ts';
import type { ResponseGate } from './response-gate.ts';
import { ResponseWriter, type WriteCallback } from './response-writer.ts';

/** Gates of responses by their response: the methods below are shared, so that a request costs no closure for each. */
const gates = new WeakMap<ServerResponse, { readonly gate: ResponseGate; readonly writer: ResponseWriter }>();

/** The gate of a response, once it has one. */
export function gateOf(response: ServerResponse): ResponseGate | undefined {
  return gates.get(response)?.gate;
}

/** Puts a gate in front of a response: from now on the application's writes go through it. */
export function installGate(response: ServerResponse, gateFor: (writer: ResponseWriter) => ResponseGate): ResponseGate {
  const writer = new ResponseWriter(response);
  const gate = gateFor(writer);
  gates.set(response, { gate, writer });
  Object.assign(response, METHODS);
  return gate;
}

type Chunk = string | Uint8Array;

const METHODS = {
  writeHead(this: ServerResponse, status: number, ...rest: readonly unknown[]): ServerResponse {
    const { gate, writer } = gated(this);
    const message = typeof rest[0] === 'string' ? rest[0] : undefined;
    const fields = (message === undefined && rest[0] !== undefined ? rest[0] : rest[1]) ?? {};
    // Node says what is wrong with a status that none may be.
    if (!gate.isCommitted && (!Number.isInteger(status) || status < 200 || status > 999)) {
      writer.writeHead(status, message, fields as HeadFields);
    } else gate.writeHead(status, message, fields as HeadFields);
    return this;
  },

  /** Node's own, which middleware calls too: while hooks run, the head is already as the application wants it. */
  _implicitHeader(this: ServerResponse): void {
    if (!gated(this).gate.isStaged) this.writeHead(this.statusCode);
  },

  flushHeaders(this: ServerResponse): void {
    gated(this).gate.flushHeaders();
  },

  write(this: ServerResponse, chunk: unknown, ...rest: readonly unknown[]): boolean {
    const { gate, writer } = gated(this);
    const written = writtenOf(chunk, rest, false);
    // Node says what is wrong with a chunk that is neither text nor bytes.
    if (!isChunk(chunk)) return writer.write(chunk as Chunk, written.encoding, written.callback);
    return gate.write(written);
  },

  end(this: ServerResponse, ...args: readonly unknown[]): ServerResponse {
    const { gate, writer } = gated(this);
    const [chunk, ...rest] = typeof args[0] === 'function' ? [undefined, args[0]] : args;
    const written = writtenOf(chunk ?? undefined, rest, true);
    if (written.chunk !== undefined && !isChunk(chunk)) writer.end(chunk as Chunk, written.encoding, written.callback);
    else gate.write(written);
    return this;
  },
};

function gated(response: ServerResponse): { readonly gate: ResponseGate; readonly writer: ResponseWriter } {
  const found = gates.get(response);
  if (found === undefined) throw new TypeError('the methods of a response were called on another one');
  return found;
}

function isChunk(chunk: unknown): chunk is Chunk {
  return typeof chunk === 'string' || chunk instanceof Uint8Array;
}

/** The arguments of `write` and `end`: encoding and callback may each be left out. */
function writtenOf(chunk: unknown, [first, second]: readonly unknown[], isEnd: boolean): Written {
  const callback = typeof first === 'function' ? first : second;
  return {
    chunk: chunk as Chunk | undefined,
    encoding: typeof first === 'string' ? (first as BufferEncoding) : 'utf8',
    callback: typeof callback === 'function' ? (callback as WriteCallback) : undefined,
    isEnd,
  };
}
