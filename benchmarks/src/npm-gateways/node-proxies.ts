import { once } from 'node:events';
import { Agent, createServer } from 'node:http';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Mode } from '../peers/terms.ts';
import { upstreamConnections } from './npm-gateway.ts';
import { recordPolicies } from './record-policies.ts';

/** What the libraries on `node:http` have in common: an agent that keeps connections. */
export function keepAliveAgent(): Agent {
  return new Agent({ keepAlive: true, maxSockets: upstreamConnections, maxFreeSockets: upstreamConnections });
}

/** Listens. @returns the port */
export async function listen(listener: RequestListener): Promise<number> {
  const server = createServer({ keepAliveTimeout: 65_000 }, listener).listen(0, '127.0.0.1', 4096);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** What is left of the limit, from admission to the answer. */
const lefts = new WeakMap<IncomingMessage, number>();

/** A listener that runs the policies before it lets a library forward; without policies the library's own. */
export function guarded(
  mode: Mode,
  forward: (request: IncomingMessage, response: ServerResponse) => void,
): RequestListener {
  if (mode === 'plain') return forward;
  return (request, response) => {
    const left = recordPolicies.admit(request, response);
    if (left === undefined) return;
    lefts.set(request, left);
    forward(request, response);
  };
}

/** For a library's event of an answer that has come. */
export function editAnswerOf(answer: IncomingMessage, request: IncomingMessage): void {
  recordPolicies.editAnswer(answer.headers, lefts.get(request) ?? 0);
}

/** A library's event of an upstream that failed. */
export function answerFailure(response: unknown): void {
  const answer = response as ServerResponse;
  if (answer.headersSent) answer.destroy();
  else answer.writeHead(502).end();
}
