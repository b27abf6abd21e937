import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Metrics } from './metrics.ts';

/** What the status port tells. */
export interface StatusPorts {
  readonly metrics: Metrics;
  /** What the gateway serves; `undefined` before the first configuration, and while it stops. */
  readonly serving: () => { readonly revision: number; readonly hash: string } | undefined;
}

/** A listening status port. */
export interface StatusServer {
  readonly port: number;
  close(): void;
}

/**
 * Listens for health checks and scrapes: `/health` while the process lives, `/ready` once it has a configuration,
 * `/metrics`.
 * @throws the system's error when it cannot listen
 */
export async function listenStatus(host: string, port: number, ports: StatusPorts): Promise<StatusServer> {
  const server = createServer({ headersTimeout: 5000, requestTimeout: 5000, connectionsCheckingInterval: 2000 });
  server.maxConnections = 256;
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    answer(request, response, ports).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host }, () => resolve());
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, ports: StatusPorts): Promise<void> {
  const path = request.url?.split('?')[0];
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end();
  } else if (path === '/health') json(response, 200, { status: 'ok' });
  else if (path === '/ready') {
    const serving = ports.serving();
    json(response, serving ? 200 : 503, serving ? { status: 'ready', ...serving } : { status: 'not_ready' });
  } else if (path === '/metrics') {
    const { text, contentType } = await ports.metrics.scrape();
    response.writeHead(200, { 'content-type': contentType }).end(text);
  } else json(response, 404, { status: 'not_found' });
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}
