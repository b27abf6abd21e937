import {
  createServer,
  type Http2Server,
  type ServerHttp2Session,
  type ServerHttp2Stream,
  type IncomingHttpHeaders,
  type ServerOptions,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { BodySink, BodySource } from './body-source.ts';
import { AddressGuard } from './address-guard.ts';
import { Http2Client, type Http2ClientLimits } from './http2-client.ts';
import type { UpstreamCall, UpstreamClient, UpstreamRequest } from './upstream-transport.ts';

/** An upstream that speaks HTTP/2 in cleartext, with what came in on it. */
export interface Http2Upstream extends AsyncDisposable {
  readonly port: number;
  readonly sessions: ServerHttp2Session[];
  readonly server: Http2Server;
}

/** Starts one. */
export async function startHttp2Upstream(
  answer: (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, raw: readonly string[]) => void,
  options: ServerOptions = {},
): Promise<Http2Upstream> {
  const server = createServer(options);
  const sessions: ServerHttp2Session[] = [];
  server.on('session', (session) => {
    sessions.push(session);
    session.on('error', () => undefined);
  });
  server.on('stream', (stream, headers, _flags, raw) => {
    stream.on('error', () => undefined);
    answer(stream, headers, raw);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    sessions,
    server,
    [Symbol.asyncDispose]: async () => {
      for (const session of sessions) session.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

const guard = new AddressGuard({ host: '192.0.2.1', port: 1 }, []);

/** A client of it. */
export function http2ClientOf(
  { port }: { readonly port: number },
  connectTimeoutMs = 60_000,
  limits?: Http2ClientLimits,
): Http2Client {
  return new Http2Client({ protocol: 'grpc', host: '127.0.0.1', port, connectTimeoutMs }, guard, undefined, limits);
}

/** How a request ended. */
export interface Outcome {
  status: number | undefined;
  headers: readonly string[];
  body: string;
  bytes: number;
  trailers: readonly string[] | undefined;
  /** `whole`, or the code of the failure; `undefined` while it runs. */
  end: string | undefined;
  unsent: boolean | undefined;
}

/** Sends a request and notes what comes of it. */
export function sendRequest(
  client: UpstreamClient,
  more: Partial<UpstreamRequest> = {},
): { readonly outcome: Outcome; readonly call: UpstreamCall } {
  const outcome: Outcome = {
    status: undefined,
    headers: [],
    body: '',
    bytes: 0,
    trailers: undefined,
    end: undefined,
    unsent: undefined,
  };
  const times = { readTimeoutMs: 60_000, writeTimeoutMs: 60_000 };
  const request = { method: 'GET', path: '/', headers: ['host', 'a.test'], body: undefined, ...times, ...more };
  const call = client.send(request, {
    onResponse: (status, headers) => Object.assign(outcome, { status, headers }),
    onChunk: (chunk) => {
      outcome.bytes += chunk.length;
      if (outcome.bytes < 1000) outcome.body += Buffer.from(chunk).toString();
    },
    onEnd: (trailers) => Object.assign(outcome, { end: 'whole', trailers }),
    onFailure: ({ code, unsent }) => Object.assign(outcome, { end: code, unsent }),
  });
  return { outcome, call };
}

/** A body that comes when the test says so. */
export class TestBody implements BodySource {
  readonly length = undefined;
  trailers: readonly string[] = [];
  isPaused = false;
  sink: BodySink | undefined;

  read(sink: BodySink): void {
    this.sink = sink;
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
  }
}
