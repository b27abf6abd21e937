import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { eventually, startUpstream } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { createEgress, type EgressRequest } from '../egress.ts';

const patience = { timeoutMs: 30_000, responseBytesMax: 1000 };

function open(): ReturnType<typeof createEgress> {
  return createEgress({ allowed: [{ address: '127.0.0.0', bits: 8 }] });
}

/** Calls a server that does with each connection what a test says. */
async function callRaw(
  serve: (socket: Socket) => void,
  request: Partial<EgressRequest> = {},
): Promise<{ readonly outcome: unknown; readonly server: Server }> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined); // The caller may cut it.
    socket.once('data', () => serve(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const egress = open();
  const outcome = await egress.request({ url: `http://127.0.0.1:${port}/`, ...patience, ...request }).then(
    ({ status, body }) => [status, Buffer.from(body).toString()],
    ({ code, message }: { code: string; message: string }) => {
      expect(message).not.toContain('127.0.0.1');
      return code;
    },
  );
  await egress.close();
  await eventually(async () => (await connectionsOf(server)) === 0);
  server.close();
  return { outcome, server };
}

function connectionsOf(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
}

/** Writes again and again, as fast as the other side reads. */
function writeForEver(socket: Socket, chunk: Buffer): void {
  while (!socket.destroyed && socket.write(chunk)) continue;
  if (!socket.destroyed) socket.once('drain', () => writeForEver(socket, chunk));
}

const head = 'HTTP/1.1 200 OK\r\n';

describe('an answer', () => {
  it('comes whole, with its fields', async () => {
    await using server = await startUpstream((_req, res) => {
      res.writeHead(201, { 'X-One': ['a', 'b'], 'Content-Type': 'text/plain' }).end('text');
    });
    const egress = open();
    const answer = await egress.request({ url: server.url, ...patience, method: 'POST', body: new Uint8Array([1, 2]) });
    expect([
      answer.status,
      Buffer.from(answer.body).toString(),
      answer.header('x-one'),
      answer.header('X-One'),
    ]).toEqual([201, 'text', 'a, b', undefined]);
    expect(server.requests[0]?.body).toEqual(Buffer.from([1, 2]));
    await egress.close();
  });

  it.each<[string, (socket: Socket) => void, string]>([
    ['that never comes', () => undefined, 'timeout'],
    ['whose head never ends', (socket) => socket.write(`${head}x: y`), 'timeout'],
    ['whose body never ends', (socket) => socket.write(`${head}content-length: 9\r\n\r\nabc`), 'timeout'],
    ['that is announced only', (socket) => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 'timeout'],
  ])('%s takes the time of the call and no more', async (_what, serve, code) => {
    expect((await callRaw(serve, { timeoutMs: 100 })).outcome).toBe(code);
  });

  it.each<[string, (socket: Socket) => void]>([
    ['at once', (socket) => socket.destroy()],
    ['in its head', (socket) => socket.end(`${head}x: y`)],
    ['in its body', (socket) => socket.end(`${head}content-length: 9\r\n\r\nabc`)],
    ['in a chunk', (socket) => socket.end(`${head}transfer-encoding: chunked\r\n\r\n9\r\nabc`)],
    ['by a reset', (socket) => socket.resetAndDestroy()],
    ['into no HTTP', (socket) => socket.end('SSH-2.0-x\r\n\r\n')],
  ])('that is cut %s is none', async (_what, serve) => {
    expect((await callRaw(serve)).outcome).toBe('unreachable');
  });

  it.each<[string, (socket: Socket) => void]>([
    ['says that it is', (socket) => socket.write(`${head}content-length: 1001\r\n\r\n`)],
    ['turns out to be', (socket) => socket.end(`${head}\r\n${'x'.repeat(1001)}`)],
    [
      'never ends',
      (socket) => {
        socket.write(`${head}\r\n`);
        writeForEver(socket, Buffer.alloc(65_536));
      },
    ],
    [
      'has a head that never ends',
      (socket) => {
        socket.write(head);
        writeForEver(socket, Buffer.from('x-field: value\r\n'.repeat(100)));
      },
    ],
  ])('that %s too large ends the call', async (_what, serve) => {
    expect((await callRaw(serve)).outcome).toBe('too_large');
  });

  it('of exactly the bytes that are allowed is one', async () => {
    const { outcome } = await callRaw((socket) => socket.end(`${head}\r\n${'x'.repeat(1000)}`));
    expect(outcome).toEqual([200, 'x'.repeat(1000)]);
  });

  it.each(['gzip', 'x-gzip', 'br', 'identity, gzip'])(
    'in a coding that nobody asked for is not unpacked (%s)',
    async (coding) => {
      const bomb = gzipSync(Buffer.alloc(10_000_000));
      const { outcome } = await callRaw(
        (socket) => socket.end(Buffer.concat([Buffer.from(`${head}content-encoding: ${coding}\r\n\r\n`), bomb])),
        { responseBytesMax: 100_000 },
      );
      expect(outcome).toBe('unreachable');
    },
  );

  it('without a body may name a length and a coding', async () => {
    const { outcome } = await callRaw(
      (socket) => socket.end(`${head}content-length: 5000\r\ncontent-encoding: gzip\r\n\r\n`),
      { method: 'HEAD' },
    );
    expect(outcome).toEqual([200, '']);
  });

  it('of a redirect without end holds nothing up', async () => {
    await using end = await startUpstream((_req, res) => void res.end('end'));
    const { outcome } = await callRaw(
      (socket) => {
        socket.write(`HTTP/1.1 302 Found\r\nlocation: ${end.url}\r\n\r\n`);
        writeForEver(socket, Buffer.alloc(65_536));
      },
      { redirectsMax: 1 },
    );
    expect(outcome).toEqual([200, 'end']);
  });
});

describe('a caller', () => {
  it('that gives up ends the call, before it and while it runs', async () => {
    const early = AbortSignal.abort();
    expect((await callRaw(() => undefined, { signal: early }).catch(() => undefined))?.outcome).toBe('aborted');
    const caller = new AbortController();
    const { outcome } = await callRaw(() => caller.abort(), { signal: caller.signal });
    expect(outcome).toBe('aborted');
  });

  it.each([
    ['a line in a value', { headers: ['X-One', 'a\r\nX-Two: b'] }],
    ['a line in a name', { headers: ['X-One\r\nX-Two', 'b'] }],
    ['a name without a value', { headers: ['X-One'] }],
    ['a line in the method', { method: 'GET / HTTP/1.1\r\nX:' }],
    ['a tunnel', { method: 'CONNECT' }],
  ])('that has %s is told so', async (_what, request) => {
    await using server = await startUpstream();
    const egress = open();
    await expect(egress.request({ url: server.url, ...patience, ...request })).rejects.toMatchObject({
      code: 'refused',
    });
    expect(server.requests).toEqual([]);
    await egress.close();
  });

  it('does not decide about the connection', async () => {
    await using server = await startUpstream();
    const egress = open();
    const headers = [
      'Host',
      'other.test',
      'Connection',
      'x-one',
      'Transfer-Encoding',
      'chunked',
      'Content-Length',
      '99',
    ];
    await egress.request({
      url: server.url,
      ...patience,
      responseBytesMax: 10_000,
      method: 'POST',
      body: 'text',
      headers: [...headers, 'Accept-Encoding', 'gzip', 'X-One', '1'],
    });
    expect(server.requests[0]?.headers).toEqual({
      host: `127.0.0.1:${server.port}`,
      connection: 'keep-alive',
      'content-length': '4',
      'accept-encoding': 'identity',
      'x-one': '1',
    });
    await egress.close();
  });

  it.each([
    { timeoutMs: 0 },
    { timeoutMs: Number.NaN },
    { timeoutMs: 3_600_001 },
    { responseBytesMax: -1 },
    { responseBytesMax: 1.5 },
    { redirectsMax: 4 },
  ])('that asks for what cannot be is told so ($timeoutMs, $responseBytesMax, $redirectsMax)', async (bad) => {
    await expect(open().request({ url: 'http://127.0.0.1/', ...patience, ...bad })).rejects.toThrow(RangeError);
  });
});
