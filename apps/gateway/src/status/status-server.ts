import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { negotiatedMetrics } from './negotiated-metrics.ts';
import { jsonAnswer, type StatusAnswer } from './status-pages.ts';

/** Connections to the status port at a time: probes and scrapes, not traffic. */
const connectionsMax = 256;

/** How long a probe's request may take to come in, in milliseconds. */
const requestTimeoutMs = 5000;

/** A listening status port. */
export interface StatusServer {
  readonly port: number;
  close(): void;
}

/**
 * Listens for health checks and scrapes.
 * @param answer gives the answer to a method and a target; what it throws is answered with 500
 * @throws the system's error when it cannot listen
 */
export async function listenStatus(
  host: string,
  port: number,
  answer: (method: string, target: string) => Promise<StatusAnswer>,
): Promise<StatusServer> {
  const server = createServer({
    headersTimeout: requestTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: 2000,
  });
  server.maxConnections = connectionsMax;
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    answer(request.method ?? '', request.url ?? '')
      .catch(() => jsonAnswer(500, { status: 'failed' }))
      .then((answered) => negotiatedMetrics(answered, request.headers.accept))
      .then(({ status, headers, body }) => response.writeHead(status, headers).end(body))
      .catch((error: unknown) => response.destroy(error as Error));
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
