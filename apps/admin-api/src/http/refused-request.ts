import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { standardHeaders } from './answer.ts';
import { type ProblemCode, problemStatuses } from './problem.ts';
import { problemBody } from './problem-answer.ts';

/** A request that never reached an operation, because it is no proper HTTP. */
export interface Refusal {
  readonly code: ProblemCode;
  readonly detail: string;
}

/** What is wrong with a request that Node's parser, or its clock, gave up. */
export function refusalOf(error: NodeJS.ErrnoException): Refusal {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return { code: 'headers_too_large', detail: 'The head of the request is too large' };
    case 'HPE_INVALID_METHOD':
      return { code: 'malformed_request', detail: 'The request has no known method' };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { code: 'request_timeout', detail: 'The request arrived too slowly' };
    default:
      return { code: 'malformed_request', detail: 'The request is not valid HTTP' };
  }
}

/**
 * What is wrong with a head that Node's parser let pass: it keeps the first of several hosts, and drops fields beyond its
 * bound without a word. Source: RFC 9112, 3.2; security, Smuggling.
 * @param rawHeaders names and values in turn, as received
 */
export function headRefusalOf(rawHeaders: readonly string[], headersMax: number): Refusal | undefined {
  if (rawHeaders.length > 2 * headersMax) {
    return { code: 'headers_too_large', detail: `The request has more than ${headersMax} header fields` };
  }
  const hosts = rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host');
  return hosts.length > 1 ? { code: 'malformed_request', detail: 'The request names its host twice' } : undefined;
}

/** The answer to it. The connection ends with it: where the next request would begin is unknown. */
export function refusedResponse(refusal: Refusal, requestId: string): Response {
  const { status, headers, text } = documentOf(refusal, requestId);
  return new Response(text, { status, headers });
}

/** Writes the same answer in its turn, after those that are still owed on the connection. */
export function refuseWith(outgoing: ServerResponse, refusal: Refusal, requestId: string): void {
  const { status, headers, text } = documentOf(refusal, requestId);
  outgoing.writeHead(status, headers).end(text);
}

/** Writes the same answer on a connection that has no response object, and ends it. */
export function refuseOn(socket: Duplex, refusal: Refusal, requestId: string): void {
  const { status, headers, text } = documentOf(refusal, requestId);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`, () => socket.destroy());
}

function documentOf({ code, detail }: Refusal, requestId: string) {
  const status = problemStatuses[code];
  const text = JSON.stringify(problemBody({ code, detail, errors: [], status }, requestId));
  const headers: Readonly<Record<string, string>> = {
    ...standardHeaders,
    'content-type': 'application/problem+json',
    'content-length': String(Buffer.byteLength(text)),
    'x-request-id': requestId,
    connection: 'close',
    ...(status === 405 && { allow: 'GET, HEAD, POST, PUT, PATCH, DELETE' }),
  };
  return { status, headers, text };
}
