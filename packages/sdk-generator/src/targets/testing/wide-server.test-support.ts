import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** The API of `testing/wide-model`. */
export interface WideServer extends AsyncDisposable {
  readonly url: string;
}

/** What a client has to read from `/node`. Its values are odd on purpose. */
export const nodeJson = {
  id: 9_007_199_254_740_991,
  class: 'learned later',
  '$made-at': '2024-02-29T23:59:59.123456+02:00',
  day: '2024-02-29',
  note: null,
  comment: null,
  data: 'AAH/',
  ratio: 2,
  isOpen: false,
  children: [{ id: 2, class: 'low', comment: 'text', revision: 1, rank: 7 }],
  shape: { kind: 'round', radius: 1.5 },
  value: [1, 'a', { kind: 'any', radius: 3 }],
  labels: { 'a b': 'c' },
  free: { deep: [null] },
  revision: 3,
  rank: 1,
  extra: 5,
};

/** Objects of a union of which each takes all: read as `Failed`, `Named`, `Named`, `Failed`, and `Named`, since the other one does not fit. */
const alikeJson = [
  { code: 1, message: 'hi' },
  { name: 'n', later: true },
  {},
  { name: 'n', code: 2, message: 'most' },
  { name: 'n', code: 'no number', message: 'm' },
];

/** Answers at `/readings`, and whether a client takes them. */
export const readings: readonly (readonly [object, boolean])[] = [
  [{ number: 1 }, true],
  [{ at: '2024-02-29T23:59:59Z' }, false],
  [{ number: 1, at: '2024-02-29t23:59:59.12345678901z' }, true],
  [{ number: 1, at: '2024-02-29T00:00:00-11:30' }, true],
  [{ number: 1, at: '2024-02-29T23:59:59' }, false],
  [{ number: 1, at: '2024-02-29 23:59:59Z' }, false],
  [{ number: 1, at: '2024-02-29T23:59Z' }, false],
  [{ number: 1, at: '2024-02-29T23:59:59+0000' }, false],
  [{ number: 1, at: '2024-02-29T23:59:59+00' }, false],
  [{ number: 1, at: '2024-02-29T23:59:59,5Z' }, false],
  [{ number: 1, at: '2024-02-29T22:59:60Z' }, false],
  [{ number: 1, at: '2024-02-29T24:00:00Z' }, false],
  [{ number: 1, at: '2024-02-30T00:00:00Z' }, false],
  [{ number: 1, at: '2024-02-29T23:59:59Z\n' }, false],
  [{ number: 1, day: '2024-02-29' }, true],
  [{ number: 1, day: '2024-02-30' }, false],
  [{ number: 1, day: '2024-2-3' }, false],
  [{ number: 1, data: '' }, true],
  [{ number: 1, data: 'AAH/' }, true],
  [{ number: 1, data: 'AA==' }, true],
  [{ number: 1, data: 'AA' }, false],
  [{ number: 1, data: 'AAH/AA=' }, false],
  [{ number: 1, data: 'AA H' }, false],
  [{ number: 1, data: 'AAH/\n' }, false],
  [{ number: 1, data: '_-8=' }, false],
];

function nested(levels: number, end: unknown): unknown {
  return levels === 0 ? end : { name: 1, inner: nested(levels - 1, end) };
}

export async function startWideServer(): Promise<WideServer> {
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await buffer(request);
  const path = (request.url ?? '').replace(/^\/v1/, '').replace(/\?.*$/, '');
  const json = (value: unknown, status = 200): void => {
    response.writeHead(status, { 'content-type': 'application/json', 'x-request': 'a' });
    response.end(JSON.stringify(value));
  };
  if (path.startsWith('/echo')) return json(echoOf(request, body));
  if (path.startsWith('/fail')) return json({ code: 'gone', secret: 'body' }, 404);
  if (path.startsWith('/readings/')) {
    const [reading] = readings[Number(path.slice('/readings/'.length))] ?? [];
    return reading === undefined ? json(null, 404) : json(reading);
  }
  // Deeper than what any program reads by calling itself.
  if (path.startsWith('/abyss')) return void response.end(`${'{"inner":'.repeat(100_000)}5${'}'.repeat(100_000)}`);
  switch (path) {
    case '/node':
      return json(nodeJson);
    case '/values':
      return json(['a', 1, ['b', [2]], { kind: 'x', radius: 2 }]);
    case '/alike':
      return json(alikeJson);
    case '/deep':
      return json(nested(50, { name: 'end' }));
    case '/too-deep':
      // No type of the union fits, and each level could be tried for each of them.
      return json(nested(200, 5));
    case '/bytes':
      return void response.end(Buffer.from([0, 255, 1, 13, 10]));
    case '/text':
      response.setHeader('content-type', 'text/plain; charset=utf-8');
      return void response.end('grüß dich');
    case '/nothing':
      return void response.writeHead(204).end();
    case '/moved':
      return void response.writeHead(302, { location: '/v1/node' }).end();
    case '/broken':
      return json([
        nodeJson,
        { ...nodeJson, children: [{ id: 'no number', class: 'low', comment: null, revision: 1 }] },
      ]);
    case '/drip':
      return drip(response);
    default:
    // `/slow`: the client gives up.
  }
}

/** The head and then a byte now and then, for ever. */
function drip(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('"');
  const timer = setInterval(() => response.write('x'), 20);
  response.on('close', () => clearInterval(timer));
}

const headersOfTransports = /^(?:accept-encoding|connection|host|content-length|transfer-encoding|user-agent)$/;

/** The request as the server sees it. */
function echoOf(request: IncomingMessage, body: Buffer): unknown {
  const headers = Object.entries(request.headers).filter(([name]) => !headersOfTransports.test(name));
  const type = request.headers['content-type'] ?? '';
  const boundary = /^multipart\/form-data; boundary="?([\w-]+)"?$/.exec(type)?.[1];
  const clean = (text: string): string => (boundary === undefined ? text : text.replaceAll(boundary, 'BOUNDARY'));
  return {
    request: `${request.method} ${request.url}`,
    headers: Object.fromEntries(
      headers.map(([name, value]) => [name, clean(String(value)).replaceAll('"BOUNDARY"', 'BOUNDARY')]),
    ),
    body: type.includes('json') ? JSON.parse(body.toString()) : clean(body.toString('latin1')),
  };
}
