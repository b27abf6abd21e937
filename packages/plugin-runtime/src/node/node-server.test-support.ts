import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PluginHooks } from '../index.ts';
import { createNodeMiddleware, type NodeMiddlewareOptions } from '../node.ts';
import { pluginOf } from '../testing/fixtures.ts';

/** A server on a port of its own. */
export interface TestServer extends AsyncDisposable {
  readonly port: number;
}

/** A listener that may also be async. */
export type Application = (...args: Parameters<RequestListener>) => unknown;

/** What a client got. `isCut`: the response did not come to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly rawHeaders: readonly string[];
  readonly body: string;
  readonly isCut: boolean;
}

/** Listens on a free port. */
export async function listen(listener: RequestListener): Promise<TestServer> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A bare server whose application stands behind one plugin with these hooks. */
export function serve(
  hooks: PluginHooks,
  application: Application,
  options: Partial<NodeMiddlewareOptions> & { readonly category?: 'traffic' | 'authentication' } = {},
): Promise<TestServer> {
  const { category = 'traffic', ...more } = options;
  const plugin = pluginOf('subject', () => hooks, { category, triggers: ['all'] });
  const middleware = createNodeMiddleware({ plugins: [plugin], inline: [{ name: 'subject' }], ...more });
  return listen((request, response) => middleware(request, response, () => application(request, response)));
}

/** Sends one request on a connection of its own and waits for the end of the answer. */
export async function send(
  { port }: TestServer,
  {
    method = 'GET',
    path = '/',
    headers = {},
    body,
  }: {
    readonly method?: string;
    readonly path?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string | readonly string[];
  } = {},
): Promise<Answer> {
  const request = httpRequest({ port, method, path, headers, agent: false, host: '127.0.0.1' });
  const answered = once(request, 'response') as Promise<[IncomingMessage]>;
  if (typeof body === 'object') {
    for (const chunk of body) {
      request.write(chunk);
      await new Promise((resolve) => setImmediate(resolve));
    }
    request.end();
  } else request.end(body);
  const [response] = await answered;
  response.setEncoding('utf8');
  let text = '';
  let isCut = false;
  response.on('data', (chunk: string) => (text += chunk));
  response.on('error', () => (isCut = true));
  await new Promise<void>((resolve) => response.on('close', resolve));
  const { statusCode: status = 0, headers: received, rawHeaders } = response;
  return { status, headers: received, rawHeaders, body: text, isCut };
}

/** As {@link send} for a GET, with the body's bytes. */
export async function sendForBytes({
  port,
}: TestServer): Promise<{ readonly headers: IncomingMessage['headers']; readonly body: Buffer }> {
  const request = httpRequest({ port, agent: false, host: '127.0.0.1' }).end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { headers: response.headers, body: Buffer.concat(chunks) };
}

/** The whole body of a request, as an application reads it that waits for events. */
export function bodyOf(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => resolve(Buffer.concat(chunks).toString()));
    request.on('error', reject);
  });
}
