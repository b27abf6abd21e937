import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Server } from 'node:net';

/** A request as the system got it. */
export interface FakeRequest {
  readonly method: string;
  /** Path with query, as sent. */
  readonly url: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
}

/** What a system says to a request. */
export interface FakeAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** Answers in a way that no healthy system does. See the functions beside it. */
export type Fault = (request: IncomingMessage, response: ServerResponse) => void;

/** How a system behaves. */
export type FakeBehaviour = (request: FakeRequest) => FakeAnswer;

/** A system on a socket of 127.0.0.1. */
export interface FakeSystem extends AsyncDisposable {
  /** Without a slash at its end. */
  readonly url: string;
  readonly port: number;
  /** Oldest first; those that met a fault, too. */
  readonly requests: FakeRequest[];
  /** Takes the place of the usual answers while it is set. With `faultPath`, for paths alone that begin so. */
  fault: Fault | undefined;
  faultPath: string;
  /** Stops listening, and cuts connections. May be called twice. */
  close(): Promise<void>;
}

/** How a system listens. */
export interface FakeSystemOptions {
  /** With TLS, under this certificate: PEM. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

/** Starts a system. */
export async function startFakeSystem(behave: FakeBehaviour, { tls }: FakeSystemOptions = {}): Promise<FakeSystem> {
  const requests: FakeRequest[] = [];
  const listener: RequestListener = (incoming, response) => {
    const request = readRequest(incoming);
    requests.push(request);
    incoming.resume();
    if (system.fault !== undefined && request.path.startsWith(system.faultPath)) system.fault(incoming, response);
    else answer(behave(request), response);
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer({ ...tls }, listener);
  const port = await listen(server);
  const close = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  };
  const url = `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`;
  const system: FakeSystem = {
    url,
    port,
    requests,
    fault: undefined,
    faultPath: '/',
    close,
    [Symbol.asyncDispose]: close,
  };
  return system;
}

function readRequest({ method = '', url = '', headers }: IncomingMessage): FakeRequest {
  const [path = '', query = ''] = url.split('?', 2);
  return { method, url, path, query: new URLSearchParams(query), headers };
}

function answer({ status, headers = {}, body }: FakeAnswer, response: ServerResponse): void {
  response.writeHead(status, { 'content-type': 'application/json;charset=utf-8', ...headers });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the listening socket has no port');
  return address.port;
}
