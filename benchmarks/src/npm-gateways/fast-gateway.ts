import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import gateway from 'fast-gateway';
import type { StartNpmGateway } from './npm-gateway.ts';
import { recordPolicies } from './record-policies.ts';
import type { HeaderRecord } from './record-policies.ts';

/** `fast-gateway` on its own proxy, which keeps connections without being told. */
export const start: StartNpmGateway = async ({ mode, upstream }) => {
  const app = gateway({
    routes: [
      {
        prefix: '/bench',
        prefixRewrite: '/bench',
        target: upstream,
        disableQsOverwrite: true, // Otherwise a path without a query gets `?`.
        ...(mode === 'policies' ? { middlewares: [admit], hooks: { rewriteHeaders: editAnswer } } : {}),
      },
    ],
  });
  const server = await app.start(0, '127.0.0.1');
  return (server.address() as AddressInfo).port;
};

/** What is left of the limit as of the request admitted last: the hook of answers is not told which request is theirs. */
let lastLeft = 0;

function admit(request: IncomingMessage, response: ServerResponse, next: () => void): void {
  const left = recordPolicies.admit(request, response);
  if (left === undefined) return;
  lastLeft = left;
  next();
}

function editAnswer(headers: HeaderRecord): HeaderRecord {
  recordPolicies.editAnswer(headers, lastLeft);
  return headers;
}
