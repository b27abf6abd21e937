import { Agent, type IncomingHttpHeaders, request as startRequest } from 'node:http';

/** A request as a test means it. Nothing is added but `Host`, so that what is left out is really absent. */
export interface SentRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** Bearer token. */
  readonly token?: string;
  /** An object is sent as JSON with its content type; text and bytes go as they are. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What came back. */
export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body as JSON; nothing when it is none. */
  // oxlint-disable-next-line no-explicit-any -- tests look into answers of every shape
  readonly json: any;
}

/** Sends requests as they are, over connections that are kept. */
export interface HttpClient {
  send(request: SentRequest): Promise<Reply>;
  close(): void;
}

/** Connections of one client. */
const socketsMax = 16;

/** Opens a client. @param onReply sees every answer, with the request that it belongs to */
export function openHttpClient(url: string, onReply: (reply: Reply, request: SentRequest) => void): HttpClient {
  const agent = new Agent({ keepAlive: true, maxSockets: socketsMax });
  const { hostname, port } = new URL(url);
  const attempt = (given: SentRequest): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const { body: content } = given;
      const isRaw = content === undefined || typeof content === 'string' || Buffer.isBuffer(content);
      const body = isRaw ? content : JSON.stringify(content);
      const headers = {
        ...(given.token !== undefined && { authorization: `Bearer ${given.token}` }),
        ...(!isRaw && { 'content-type': 'application/json' }),
        ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
        ...given.headers,
      };
      const request = startRequest({ agent, hostname, port, method: given.method, path: given.path, headers });
      request.on('error', reject).on('response', (response) => {
        const chunks: Buffer[] = [];
        const isStream = response.headers['content-type']?.startsWith('text/event-stream') === true;
        const finish = (): void => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: jsonOf(text) });
        };
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject).on('end', finish);
        // A stream never ends by itself: that it began is all there is to see.
        if (isStream) {
          response.removeAllListeners('error').on('error', () => undefined);
          finish();
          response.destroy();
        }
      });
      request.end(body);
    });
  return {
    async send(given) {
      // A kept connection may have been closed by the server after a refused body; such a request was never answered.
      const reply = await attempt(given).catch((error: unknown) => {
        if (isCut(error)) return attempt(given);
        throw error;
      });
      onReply(reply, given);
      return reply;
    },
    close: () => agent.destroy(),
  };
}

/** Works through a list, some at a time. */
export async function inParallel<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>,
  width: number = socketsMax,
): Promise<void> {
  const iterator = items[Symbol.iterator]();
  const lane = async (): Promise<void> => {
    for (let next = iterator.next(); !next.done; next = iterator.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: width }, lane));
}

function isCut(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
