import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

/** Bytes that are no request. */
export interface Malformed {
  readonly status: number;
  readonly detail: string;
  readonly peerAddress: string;
  /** What the answer calls it. Default: a malformed request. */
  readonly code?: string;
  /** Whether they belong to a request that was handed over already: its body went wrong. */
  readonly underway: boolean;
}

/** Takes note of bytes that are no request, and makes headers and body of the answer. */
export type MalformedAnswer = (malformed: Malformed) => { headers: readonly string[]; body: string };

/** What is wrong, by status. */
const details: Readonly<Record<number, string>> = {
  400: 'the request is malformed',
  408: 'the request headers took too long',
  431: 'the request headers are too large or too many',
  501: 'this gateway does not tunnel',
};

/** The sentence for a status. */
export function detailOf(status: number): string {
  return details[status] ?? 'the request is malformed';
}

/** Answers bytes that are no request, and ends their connection. */
export function refuseBytes(
  socket: Socket,
  refusal: Omit<Malformed, 'detail'> & Partial<Pick<Malformed, 'detail'>>,
  malformedAnswer: MalformedAnswer,
): void {
  const { status } = refusal;
  const detail = refusal.detail ?? detailOf(status);
  const { headers, body } = malformedAnswer({ ...refusal, detail });
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Connection: close',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  for (let at = 0; at < headers.length; at += 2) lines.push(`${headers[at] ?? ''}: ${headers[at + 1] ?? ''}`);
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}
