/**
 * The leanest proxy that Node's own server and undici's `dispatch` allow, as the measure for the gateway:
 * `node minimal-proxy.entry.js MODE UPSTREAM_PORT`. Prints its port. It streams both ways, drops hop-by-hop headers and
 * keeps connections alive; in mode `policies` it also runs three policy functions.
 */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import { MinimalCall } from './minimal-call.ts';
import { consumerOf, countRequest, editRequest } from './minimal-policies.ts';
import { apiKey } from './terms.ts';

const [mode, upstreamPort] = process.argv.slice(2);
const hasPolicies = mode === 'policies';
const pool = new Pool(`http://127.0.0.1:${upstreamPort}`, { connections: 1024, pipelining: 1 });
const notForwarded = new Set(['host', 'connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'te', 'trailer']);

const server = createServer((request, response) => {
  if (!hasPolicies) {
    forward(request, response, undefined);
    return;
  }
  const consumer = consumerOf(request.headers[apiKey.header]);
  if (consumer === undefined) {
    response.writeHead(401).end();
    return;
  }
  const left = countRequest(consumer, Date.now());
  if (left < 0) response.writeHead(429).end();
  else forward(request, response, left);
});

/** @param left of the rate limit; `undefined`: without policies */
function forward(request: IncomingMessage, response: ServerResponse, left: number | undefined): void {
  const { rawHeaders } = request;
  const headers: string[] = [];
  let hasBody = false;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    hasBody ||= name === 'content-length' || name === 'transfer-encoding';
    if (!notForwarded.has(name)) headers.push(name, rawHeaders[index + 1] ?? '');
  }
  if (left !== undefined) editRequest(headers);
  const call = new MinimalCall(response, left);
  pool.dispatch(
    { method: request.method ?? 'GET', path: request.url ?? '/', headers, body: hasBody ? request : null },
    call,
  );
}

server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
process.once('SIGTERM', () => process.exit(0));
