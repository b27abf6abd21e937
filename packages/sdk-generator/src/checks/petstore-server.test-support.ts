import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** What the server was asked, as it came. */
export interface RecordedRequest {
  readonly method: string;
  /** With the query, below `/v1`. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A server of the API in `testdata/petstore.yaml`, which answers with what clients must be able to read, and keeps what they sent. */
export interface PetstoreServer extends AsyncDisposable {
  /** Its base URL, `/v1` included. */
  readonly url: string;
  /** The port on 127.0.0.1. */
  readonly port: number;
  readonly requests: readonly RecordedRequest[];
}

/** The pet with all fields, as the server sends it: a status and a field that are newer than the description, and an exact large ID. */
export const rex: Readonly<Record<string, unknown>> = {
  id: 9_007_199_254_740_991,
  name: 'Rex "the" Ünique',
  born: '2020-02-29',
  status: 'adopted-later',
  category: { name: 'dog', parent: { name: 'animal' }, children: [] },
  tags: ['good', 'boy'],
  attributes: { 'eye colour': 'brown' },
  weight_kg: 12.5,
  nickname: null,
  seenAt: '2024-05-01T10:00:00+02:00',
  mother: { id: 2, name: 'Lady', seenAt: '2024-05-01T08:00:00Z' },
  thumbnail: 'AAH/',
  class: 'mammal',
  somethingNew: { of: ['later'] },
};

/** The bytes of every picture. */
export const picture: Buffer = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0xff]);

export async function startPetstoreServer(): Promise<PetstoreServer> {
  const requests: RecordedRequest[] = [];
  const server = createServer((request, response) => void answer(request, response, requests));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    port,
    requests,
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, requests: RecordedRequest[]): Promise<void> {
  const body = await buffer(request);
  const target = (request.url ?? '').replace(/^\/v1/, '');
  const { method = '', headers } = request;
  requests.push({ method, target, headers, body });
  const json = (status: number, value: unknown, type = 'application/json'): void => {
    response.writeHead(status, { 'content-type': type, 'x-answered-by': 'petstore' });
    response.end(JSON.stringify(value));
  };
  const problem = (status: number, title: string): void => json(status, { title, status }, 'application/problem+json');
  const route = `${method} ${target.replace(/\?.*$/, '')}`;
  const isKnown = headers.authorization === 'Bearer secret-token' || headers['x-api-key'] === 'secret-key';
  if (!isKnown && !/ \/(?:categories|session|slow)$/.test(route)) return problem(401, 'who are you?');
  switch (route.replace(/\/pets\/\d+/, '/pets/{petId}').replace(/\/photos\/[^/]+$/, '/photos/{name}')) {
    case 'GET /pets':
      return json(200, { items: [rex], total: 1, next: null });
    case 'POST /pets':
      if (JSON.parse(body.toString()).name === 'taken') return problem(409, 'the name is taken');
      return json(201, { ...JSON.parse(body.toString()), id: 7, seenAt: '2024-05-01T08:00:00.250Z' });
    case 'GET /pets/{petId}':
      return route.endsWith('/404') ? problem(404, 'no such pet') : json(200, rex);
    case 'PATCH /pets/{petId}':
      return json(200, { ...rex, ...JSON.parse(body.toString()) });
    case 'POST /pets/{petId}/photos':
      return json(201, [{ name: 'a.png', size: body.length, type: headers['content-type']?.replace(/;.*/, '') }]);
    case 'GET /pets/{petId}/photos/{name}':
      response.writeHead(200, { 'content-type': 'image/png' });
      return void response.end(picture);
    case 'GET /pets/{petId}/story':
      response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
      return void response.end('Grüße,\nRex');
    case 'DELETE /pets/{petId}':
    case 'PUT /pets/{petId}/photos/{name}':
    case 'PUT /pets/{petId}/story':
      return void response.writeHead(204).end();
    case 'POST /orders':
      return JSON.parse(body.toString()).note === 'later'
        ? void response.writeHead(202).end()
        : json(200, JSON.parse(body.toString()));
    case 'GET /inventory':
      return json(200, { available: 3, 'on loan': 1 });
    case 'GET /categories':
      return json(200, { name: 'animal', children: [{ name: 'dog', children: [{ name: 'poodle' }] }] });
    case 'POST /session':
      if (!body.toString().includes('password=let+me+in')) return problem(401, 'wrong password');
      return json(200, { token: 'secret-token', expires_at: '2030-01-01T00:00:00Z' });
    case 'GET /slow':
      return;
    default:
      return problem(404, 'no such path');
  }
}
