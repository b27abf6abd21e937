import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { AiProviderPlan } from './ai-provider-plan.ts';
import { chatAnswer, chatStream } from './openai-answers.ts';

/** One request as the provider got it. */
export interface AiProviderRequest {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** As it came, in UTF-8. */
  readonly text: string;
  /** Parsed; `undefined` when it is no JSON. */
  readonly body: unknown;
  /** Whether the client closed the connection before the answer was whole. */
  isAborted: boolean;
  /** Whether the answer was sent whole. */
  isAnswered: boolean;
}

/** How a provider runs. */
export interface AiProviderOptions {
  /** Serves TLS with this certificate; without it plain HTTP. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

/** A running fake provider. */
export interface AiProvider extends AsyncDisposable {
  /** Without a slash at its end. */
  readonly url: string;
  /** Every request, oldest first. */
  readonly requests: readonly AiProviderRequest[];
  /** What the next requests get, one after another; the last stays. Plans that were told before and not used are dropped. */
  plan(...plans: readonly AiProviderPlan[]): void;
  /** Connections that are open now. */
  connections(): number;
  close(): Promise<void>;
}

/**
 * Starts a provider on loopback. Until a plan is told it answers as OpenAI would: a stream where `stream` is true, else a whole answer.
 */
export async function startAiProvider(options: AiProviderOptions = {}): Promise<AiProvider> {
  const requests: AiProviderRequest[] = [];
  const plans: AiProviderPlan[] = [];
  let open = 0;
  const listener = (req: IncomingMessage, res: ServerResponse): void => {
    const answered = take(req, res, requests).then((request) => {
      const plan = (plans.length > 1 ? plans.shift() : plans[0]) ?? usual(request);
      return carryOut(plan, res);
    });
    // A client that leaves while it sends is none of the test's.
    answered.catch(() => res.destroy());
  };
  const server = options.tls === undefined ? createServer(listener) : createTlsServer(options.tls, listener);
  server.on(options.tls === undefined ? 'connection' : 'secureConnection', (socket: NodeJS.EventEmitter) => {
    open += 1;
    socket.on('close', () => (open -= 1));
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  };
  return {
    url: `${options.tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    requests,
    plan: (...given) => plans.splice(0, plans.length, ...given),
    connections: () => open,
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function take(
  req: IncomingMessage,
  res: ServerResponse,
  requests: AiProviderRequest[],
): Promise<AiProviderRequest> {
  const pieces: Buffer[] = [];
  for await (const piece of req) pieces.push(piece as Buffer);
  const text = Buffer.concat(pieces).toString('utf8');
  const request: AiProviderRequest = {
    url: req.url ?? '',
    headers: req.headers,
    text,
    body: jsonOf(text),
    isAborted: false,
    isAnswered: false,
  };
  res.on('finish', () => (request.isAnswered = true));
  res.on('close', () => (request.isAborted = !request.isAnswered));
  requests.push(request);
  return request;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function usual({ body }: AiProviderRequest): AiProviderPlan {
  const isStream = typeof body === 'object' && body !== null && 'stream' in body && body.stream === true;
  return isStream ? chatStream() : chatAnswer();
}

async function carryOut(plan: AiProviderPlan, res: ServerResponse): Promise<void> {
  switch (plan.kind) {
    case 'json':
      res.writeHead(plan.status ?? 200, { 'content-type': 'application/json', ...plan.headers });
      res.end(JSON.stringify(plan.body));
      return;
    case 'bytes':
      res.writeHead(plan.status ?? 200, { 'content-type': plan.contentType ?? 'application/json', ...plan.headers });
      res.end(plan.body);
      return;
    case 'stream':
      return stream(plan, res);
    case 'silent':
      return;
    case 'stalled':
      res.writeHead(200, { 'content-type': plan.contentType ?? 'text/event-stream' });
      res.flushHeaders();
      return;
    case 'cut':
      res.destroy();
      return;
    case 'half':
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': plan.body.length * 2 });
      res.write(plan.body, () => res.destroy());
  }
}

async function stream(plan: AiProviderPlan & { readonly kind: 'stream' }, res: ServerResponse): Promise<void> {
  res.writeHead(plan.status ?? 200, { 'content-type': plan.contentType ?? 'text/event-stream' });
  res.flushHeaders();
  for (const part of plan.parts) {
    if (res.destroyed) return;
    if (typeof part === 'string' || part instanceof Uint8Array) await written(res, part);
    else await part.opened;
  }
  if (plan.ending === 'cut') res.destroy();
  else if (plan.ending !== 'silence') res.end();
}

/** Waits until the socket has taken it, so that what comes next is another piece. */
async function written(res: ServerResponse, part: string | Uint8Array): Promise<void> {
  await new Promise<void>((resolve) => {
    res.write(part, () => resolve());
  });
}
