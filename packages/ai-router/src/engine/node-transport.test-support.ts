import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Transport, TransportCall, TransportListener, TransportRequest } from '../transport.ts';

/** A transport on Node's own clients: as far as tests need one. It looks at no address and keeps no connections. */
export const nodeTransport: Transport = { open: (request, listener) => new NodeCall(request, listener) };

/** A failure as transports tell it. */
export class TransportError extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`the call failed: ${code}`);
    this.code = code;
  }
}

class NodeCall implements TransportCall {
  readonly #listener: TransportListener;
  readonly #sent: ClientRequest;
  #answer: IncomingMessage | undefined;
  #isOver = false;

  constructor(request: TransportRequest, listener: TransportListener) {
    this.#listener = listener;
    const open = request.url.startsWith('https:') ? requestHttps : requestHttp;
    this.#sent = open(request.url, { method: request.method ?? 'GET', headers: headersOf(request), agent: false });
    this.#sent.setTimeout(request.headTimeoutMs, () => this.#fail('timeout'));
    this.#sent.on('error', () => this.#fail('unreachable'));
    this.#sent.on('response', (answer) => this.#hear(answer, request.idleTimeoutMs));
    this.#sent.end(request.body);
  }

  resume(): void {
    this.#answer?.resume();
  }

  abort(): void {
    this.#isOver = true;
    this.#sent.destroy();
  }

  #hear(answer: IncomingMessage, idleTimeoutMs: number): void {
    if (this.#isOver) return;
    this.#answer = answer;
    this.#sent.setTimeout(idleTimeoutMs, () => this.#fail('timeout'));
    answer.on('error', () => this.#fail('unreachable'));
    answer.on('data', (bytes: Buffer) => {
      if (!this.#isOver && !this.#listener.onData(bytes)) answer.pause();
    });
    answer.on('end', () => {
      if (this.#isOver) return;
      this.#isOver = true;
      this.#listener.onEnd();
    });
    this.#listener.onHead(
      answer.statusCode ?? 0,
      answer.rawHeaders.map((word, at) => (at % 2 === 0 ? word.toLowerCase() : word)),
    );
  }

  #fail(code: string): void {
    if (this.#isOver) return;
    this.abort();
    this.#listener.onFailure(new TransportError(code));
  }
}

function headersOf({ headers = [] }: TransportRequest): Record<string, string> {
  const named: Record<string, string> = {};
  for (let at = 0; at + 1 < headers.length; at += 2) named[headers[at] ?? ''] = headers[at + 1] ?? '';
  return named;
}
