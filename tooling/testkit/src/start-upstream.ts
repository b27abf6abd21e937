import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';

/** One request as the upstream received it, after its body ended. */
export interface RecordedRequest {
  readonly method: string;
  /** Path with query string, as sent. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, in the order and case received. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
}

/**
 * What an upstream does with a request. It gets the raw pair, so that it can stream, stall or cut; the request's body
 * is recorded on the side only while nobody else reads it (see `startUpstream`).
 */
export type UpstreamHandler = (
  req: IncomingMessage,
  res: ServerResponse,
  request: RecordedRequest,
) => void | Promise<void>;

/** A running upstream. */
export interface Upstream extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Every request that ended, oldest first. The same array grows; `requests.length = 0` empties it. */
  readonly requests: RecordedRequest[];
  /** TCP connections accepted so far: shows whether keep-alive is used. */
  readonly connections: () => number;
  /** Stops listening and cuts open connections; may be called twice. */
  close(): Promise<void>;
}

/**
 * A real `node:http` server on 127.0.0.1 that records each request with its body, then calls `handler`. Without one
 * it answers 200 with `{method, url, headers, body}` as JSON.
 * @param handler runs after the body was read; for a handler that reads the stream itself use `{ stream: handler }`.
 * @param port default 0: any free one.
 */
export async function startUpstream(
  handler: UpstreamHandler | { readonly stream: (req: IncomingMessage, res: ServerResponse) => void } = echo,
  port = 0,
): Promise<Upstream> {
  const requests: RecordedRequest[] = [];
  let accepted = 0;
  const server = createServer((req, res) => {
    if (typeof handler !== 'function') {
      handler.stream(req, res);
      return;
    }
    serve(handler, requests, req, res).catch((error: unknown) => {
      res.destroy(error instanceof Error ? error : new Error(String(error)));
    });
  });
  server.on('connection', () => (accepted += 1));
  const boundPort = await listen(server, port);
  const close = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  };
  const url = `http://127.0.0.1:${boundPort}`;
  return { url, port: boundPort, requests, connections: () => accepted, close, [Symbol.asyncDispose]: close };
}

async function serve(
  handler: UpstreamHandler,
  requests: RecordedRequest[],
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  const request: RecordedRequest = {
    method: req.method ?? '',
    url: req.url ?? '',
    headers: req.headers,
    rawHeaders: req.rawHeaders,
    body: Buffer.concat(chunks),
  };
  requests.push(request);
  await handler(req, res, request);
}

function echo(_req: IncomingMessage, res: ServerResponse, request: RecordedRequest): void {
  const { method, url, headers, body } = request;
  res.writeHead(200, { 'content-type': 'application/json' });
  res.end(JSON.stringify({ method, url, headers, body: body.toString('utf8') }));
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the listening socket has no port');
  return address.port;
}
