import { once } from 'node:events';
import { createServer, IncomingMessage, type RequestListener, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { LeanRequest } from './lean-request.ts';

/** Of all that a request may hold, what this side of the gateway asks for. */
const asked = ['content-length', 'transfer-encoding', 'expect', 'upgrade', 'te'] as const;

interface Seen {
  readonly event: string;
  readonly fields: Readonly<Record<string, string | undefined>>;
  readonly raw: readonly string[];
}

/** What a server whose requests are of that class tells of a request. */
async function seenBy(RequestClass: typeof IncomingMessage, head: string): Promise<Seen> {
  const options = { requireHostHeader: false, optimizeEmptyRequests: RequestClass === LeanRequest };
  const server: Server = createServer({ IncomingMessage: RequestClass, ...options });
  const seen = Promise.withResolvers<Seen>();
  const tell =
    (event: string): RequestListener =>
    (request, response) => {
      const fields = Object.fromEntries(asked.map((name) => [name, request.headers[name] as string | undefined]));
      seen.resolve({ event, fields, raw: request.rawHeaders });
      response.end();
    };
  for (const event of ['request', 'checkContinue', 'checkExpectation'] as const) server.on(event, tell(event));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(head);
  const told = await seen.promise;
  socket.destroy();
  server.close();
  return told;
}

it.each([
  ['nothing that is asked for', 'GET / HTTP/1.1\r\nHost: a\r\nX-Te: b\r\nAccept: c\r\n\r\n'],
  ['a length', 'POST / HTTP/1.1\r\nHost: a\r\nCONTENT-LENGTH: 1\r\n\r\nx'],
  ['chunks', 'POST / HTTP/1.1\r\nHost: a\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['an expectation that is met', 'POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n'],
  ['an expectation in two lines', 'GET / HTTP/1.1\r\nexpect: 100-continue\r\nExpect: more\r\n\r\n'],
  ['an expectation that is not met', 'GET / HTTP/1.1\r\nExpect: 200-ok\r\n\r\n'],
  ['a wish for another protocol', 'GET / HTTP/1.1\r\nConnection: upgrade\r\nUpgrade: a\r\nUpgrade: b\r\n\r\n'],
  ['trailers in the version before', 'GET / HTTP/1.0\r\nTE: chunked\r\nte: trailers\r\n\r\n'],
])('is to a server what a request of node:http is, with %s', async (_case, head) => {
  expect(await seenBy(LeanRequest as typeof IncomingMessage, head)).toEqual(await seenBy(IncomingMessage, head));
});
