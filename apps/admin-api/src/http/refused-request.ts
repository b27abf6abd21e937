import { STATUS_CODES } from 'node:http';
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

/** The answer to it. The connection ends with it: where the next request would begin is unknown. */
export function refusedResponse(refusal: Refusal, requestId: string): Response {
  const { status, headers, text } = documentOf(refusal, requestId);
  return new Response(text, { status, headers });
}

/** Writes the same answer on a connection that has no response object, and ends it. */
export function refuseOn(socket: Duplex, refusal: Refusal, requestId: string): void {
  const { status, headers, text } = documentOf(refusal, requestId);
  const lines = Object.entries({ ...headers, 'content-length': String(Buffer.byteLength(text)) });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...lines.map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`, () => socket.destroy());
}

function documentOf({ code, detail }: Refusal, requestId: string) {
  const status = problemStatuses[code];
  const headers: Readonly<Record<string, string>> = {
    ...standardHeaders,
    'content-type': 'application/problem+json',
    'x-request-id': requestId,
    connection: 'close',
    ...(status === 405 && { allow: 'GET, HEAD, POST, PUT, PATCH, DELETE' }),
  };
  return { status, headers, text: JSON.stringify(problemBody({ code, detail, errors: [] }, requestId)) };
}
