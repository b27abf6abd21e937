import { createServer, type AddressInfo, type Socket } from 'node:net';
import { eventually, startUpstream } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { everythingTo, exchangeRaw, openRaw, startTestGateway } from '../testing/test-gateway.test-support.ts';

/** An upstream that answers each request's head with bytes of the test's choice. */
async function rawUpstream(onRequest: (socket: Socket) => void): Promise<{ readonly url: string } & AsyncDisposable> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    socket.on('data', () => onRequest(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

describe('an upstream that misbehaves', () => {
  it.each([
    ['speaks no HTTP', 'no http at all\r\n\r\n', 502],
    ['gives two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 502],
    [
      'gives a length and a coding',
      'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      502,
    ],
    ['sends ten thousand fields', `HTTP/1.1 200 OK\r\n${'X-Field: some value\r\n'.repeat(10_000)}\r\n`, 502],
    ['sends a status that is none', 'HTTP/1.1 999 What\r\nContent-Length: 0\r\n\r\n', 502],
    ['sends a control character in a field', 'HTTP/1.1 200 OK\r\nX: a\u0001b\r\nContent-Length: 0\r\n\r\n', 502],
    ['resets before it answers', undefined, 502],
  ])('%s: its client gets a problem, and the next request an answer', async (_name, bytes, status) => {
    let isBad = true;
    await using upstream = await rawUpstream((socket) => {
      if (!isBad) socket.write(ok);
      else if (bytes === undefined) socket.resetAndDestroy();
      else socket.write(bytes, 'latin1');
    });
    await using gateway = await startTestGateway(everythingTo(upstream.url, {}, { retries: 0 }));
    const answer = await fetch(gateway.url);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'application/problem+json']);
    isBad = false;
    expect(await (await fetch(gateway.url)).text()).toBe('ok');
  });

  it.each([
    ['less than it said', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\npart'],
    ['half a chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\npart'],
    ['a chunk of no size', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\npart\r\nxyz\r\n'],
  ])('that sends %s leaves its client with a cut answer and never with a whole one', async (_name, bytes) => {
    await using upstream = await rawUpstream((socket) => socket.end(bytes));
    await using gateway = await startTestGateway(everythingTo(upstream.url, {}, { retries: 0 }));
    const raw = await exchangeRaw(gateway.port, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    if (raw.startsWith('HTTP/1.1 502 ')) expect(raw).toContain('application/problem+json');
    else {
      expect(raw).toContain('part');
      expect(raw).not.toContain('\r\n0\r\n\r\n');
    }
  });

  it('does not answer requests that nobody sent: what comes after an answer is nobody else’s answer', async () => {
    await using upstream = await rawUpstream((socket) => {
      socket.write(`${ok}HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison`);
    });
    await using gateway = await startTestGateway(everythingTo(upstream.url, {}, { retries: 0 }));
    for (let turn = 0; turn < 10; turn += 1) {
      const text = await (await fetch(gateway.url)).text();
      expect(text).not.toContain('poison');
    }
  });

  it('that floods with interim answers is heard out: its client gets the final one only', async () => {
    await using upstream = await rawUpstream((socket) => {
      socket.write(`${'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(500)}${ok}`);
    });
    await using gateway = await startTestGateway(everythingTo(upstream.url, {}, { retries: 0 }));
    const raw = await exchangeRaw(gateway.port, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    expect(raw.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 200']);
  });

  it('that answers before the body came loses its connection: the rest of the body is no request there', async () => {
    let isClosed = false;
    let pieces = 0;
    await using upstream = await rawUpstream((socket) => {
      socket.once('close', () => (isClosed = true));
      pieces += 1;
      if (pieces === 1) socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno');
    });
    await using gateway = await startTestGateway(everythingTo(upstream.url, {}, { retries: 0 }));
    const client = openRaw(gateway.port);
    client.socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\nbegin');
    await eventually(() => client.text().includes('413'));
    await eventually(() => isClosed);
    expect(client.text()).toMatch(/^HTTP\/1\.1 413 /);
    client.socket.destroy();
  });

  it('that answers before the body came gets no other request on that connection: it would be taken for the body', async () => {
    const connections = new Set<Socket>();
    let isAnswered = false;
    await using upstream = await rawUpstream((socket) => {
      // Of the first request its head alone is answered, of others whatever comes.
      if (!connections.has(socket) || isAnswered) socket.write(ok);
      connections.add(socket);
    });
    await using gateway = await startTestGateway(everythingTo(upstream.url, {}, { retries: 0 }));
    const client = openRaw(gateway.port);
    client.socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\nbegin');
    await eventually(() => client.text().endsWith('ok'));
    isAnswered = true;
    expect(await (await fetch(gateway.url)).text()).toBe('ok');
    expect(connections.size).toBe(2);
    client.socket.destroy();
  });
});

describe('a client that misbehaves', () => {
  it('and leaves in the middle of its upload takes the upstream’s request along', async () => {
    let isAborted = false;
    let hasBegun = false;
    await using upstream = await startUpstream({
      stream: (req) => {
        hasBegun = true;
        req.on('close', () => (isAborted = !req.complete));
        req.on('error', () => undefined);
        req.resume();
      },
    });
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    const client = openRaw(gateway.port);
    client.socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\npart');
    await eventually(() => hasBegun);
    client.socket.resetAndDestroy();
    await eventually(() => isAborted);
    const counted = await eventually(() => gateway.controlPlane.countedRequests() || undefined);
    expect(counted).toBe(1);
  });

  it('and closes its half while it waits is taken as gone: the upstream is free again', async () => {
    let open = 0;
    let seen = 0;
    await using upstream = await startUpstream({
      stream: (_req, res) => {
        open += 1;
        seen += 1;
        res.on('close', () => (open -= 1));
      },
    });
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    const client = openRaw(gateway.port);
    client.socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await eventually(() => seen === 1);
    client.socket.end();
    await eventually(() => open === 0);
    await client.closed;
    const record = await eventually(() => gateway.controlPlane.batches.flatMap(({ counters }) => counters)[0]);
    expect(record.statuses).toEqual([[499, 1]]);
  });

  it('and sends trailers gets them dropped: none of their fields reaches the upstream', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    const raw = await exchangeRaw(
      gateway.port,
      'POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nX-Consumer-ID: root\r\nX-Other: 1\r\n\r\n',
    );
    expect(raw).toMatch(/^HTTP\/1\.1 200 /);
    expect(upstream.requests.map(({ body, headers }) => [body.toString(), headers['x-consumer-id']])).toEqual([
      ['hi', undefined],
    ]);
  });
});

/** Framing of requests in every way that two readers may understand differently, with how many requests it is. */
const framings: readonly (readonly [string, string, number])[] = [
  ['a body as long as said', 'POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello', 1],
  ['the same length twice in one field', 'POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 5, 5\r\n\r\nhello', 0],
  [
    'the same length in two fields',
    'POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello',
    0,
  ],
  ['a negative length', 'POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n', 0],
  ['a length in hexadecimal', 'POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 0x5\r\n\r\nhello', 0],
  ['an empty length', 'POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: \r\n\r\n', 0],
  ['a length beyond all numbers', `POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: ${'9'.repeat(30)}\r\n\r\n`, 0],
  ['a length with a space before its colon', 'POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length : 5\r\n\r\nhello', 0],
  [
    'a length and a coding',
    'POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    0,
  ],
  [
    'a coding and a length',
    'POST /1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n',
    0,
  ],
  ['chunks', 'POST /1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n', 1],
  [
    'chunks named in capitals',
    'POST /1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: CHUNKED\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
    1,
  ],
  [
    'chunks with an extension',
    'POST /1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n0\r\n\r\n',
    1,
  ],
  [
    'the coding twice',
    'POST /1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    0,
  ],
  [
    'the coding twice in one field',
    'POST /1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n',
    0,
  ],
  [
    'a coding that only looks like chunked',
    'POST /1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n',
    0,
  ],
  [
    'a coding behind a vertical tab',
    'POST /1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \u000bchunked\r\n\r\n0\r\n\r\n',
    0,
  ],
  ['a coding in quotes', 'POST /1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: "chunked"\r\n\r\n0\r\n\r\n', 0],
  ['identity', 'POST /1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: identity\r\n\r\n', 0],
  ['an empty coding', 'POST /1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \r\n\r\n', 0],
  ['a folded coding', 'POST /1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n', 0],
  [
    'a chunk ended by a bare line feed',
    'POST /1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\nhello\r\n0\r\n\r\n',
    0,
  ],
  [
    'a chunk longer than said',
    'POST /1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhello\r\n0\r\n\r\n',
    0,
  ],
  [
    'a chunk size beyond all numbers',
    `POST /1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${'f'.repeat(20)}\r\nx`,
    0,
  ],
  ['a bare carriage return in a field', 'GET /1 HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n', 0],
  ['a space before the first field', 'GET /1 HTTP/1.1\r\n Host: a\r\n\r\n', 0],
  ['a field without a name', 'GET /1 HTTP/1.1\r\nHost: a\r\n: x\r\n\r\n', 0],
  ['a field without a colon', 'GET /1 HTTP/1.1\r\nHost: a\r\nX\r\n\r\n', 0],
  ['a version of two digits', 'GET /1 HTTP/1.10\r\nHost: a\r\n\r\n', 0],
  ['two spaces in the first line', 'GET  /1 HTTP/1.1\r\nHost: a\r\n\r\n', 1],
  ['HTTP/2.0 on this port', 'GET /1 HTTP/2.0\r\nHost: a\r\n\r\n', 0],
  ['no version', 'GET /1\r\nHost: a\r\n\r\n', 0],
  ['a body where none is usual', 'GET /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello', 1],
];

describe('the framing of requests', () => {
  it.each(framings)('%s means the same to gateway and upstream', async (_name, text, count) => {
    await using upstream = await startUpstream((_req, res) => void res.end('ok'));
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    // What follows is a request of its own exactly when the one before was one.
    const raw = await exchangeRaw(gateway.port, `${text}GET /2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    const answered = raw.match(/HTTP\/1\.1 200/g)?.length ?? 0;
    const reached = upstream.requests.map(({ url }) => url);
    if (count === 1) expect([answered, reached]).toEqual([2, ['/1', '/2']]);
    else {
      // A body that goes wrong on its way may have opened a request, which never becomes whole; nothing follows it.
      expect([answered, reached]).toEqual([0, []]);
      expect(raw).toMatch(/^HTTP\/1\.1 [45]\d\d /);
    }
  });
});
