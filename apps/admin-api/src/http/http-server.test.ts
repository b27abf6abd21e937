import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { eventually } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { createHttpApp } from './http-app.ts';
import { testDependencies } from './http-app.test-support.ts';
import { type RunningServer, socketLimits, startHttpServer } from './http-server.ts';
import type { Operation, RequestContext } from './operation.ts';

const ignore = (): void => undefined;
const quiet = { debug: ignore, info: ignore, warn: ignore, error: ignore };
const plain = { access: 'public', method: 'GET', tag: 'Test', summary: 'Test', responses: [] } as const;

function serve(...operations: Operation[]): Promise<RunningServer> {
  return startHttpServer(
    createHttpApp(testDependencies(quiet, operations)),
    { host: '127.0.0.1', port: 0 },
    { newId: randomUUID },
  );
}

/** An endless stream that says one word, and what it learns about its caller. */
function streamOperation(seen: { request?: RequestContext }): Operation {
  return {
    ...plain,
    id: 'stream',
    paths: ['/stream'],
    async handler({ request }) {
      seen.request = request;
      const stream = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(Buffer.from('data: hello\n\n')),
      });
      return { status: 200, headers: { 'content-type': 'text/event-stream' }, stream };
    },
  };
}

describe('the server', () => {
  it('sends streams as they come, and tells the handler when the caller goes away', async () => {
    const seen: { request?: RequestContext } = {};
    const server = await serve(streamOperation(seen));
    const leaving = new AbortController();
    const response = await fetch(`${server.url}/stream`, { signal: leaving.signal });
    const { value } = (await response.body?.getReader().read()) ?? {};
    expect(Buffer.from(value ?? []).toString()).toBe('data: hello\n\n');
    expect(seen.request?.signal.aborted).toBe(false);
    leaving.abort();
    await eventually(() => expect(seen.request?.signal.aborted).toBe(true));
    await server.stop(100);
  });

  it('lets running requests finish at a stop, takes no new ones, and keeps no idle connection', async () => {
    const gate = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const slow: Operation = {
      ...plain,
      id: 'slow',
      paths: ['/slow'],
      async handler() {
        started.resolve();
        await gate.promise;
        return { status: 200, body: { done: true } };
      },
    };
    const server = await serve(slow);
    const answer = fetch(`${server.url}/slow`);
    await started.promise;
    const startedMs = performance.now();
    const stopped = server.stop(20_000);
    await expect(fetch(`${server.url}/slow`)).rejects.toThrow('fetch failed');
    gate.resolve();
    expect(await (await answer).json()).toEqual({ done: true });
    await stopped;
    expect(performance.now() - startedMs).toBeLessThan(5_000);
  });

  it('cuts what does not finish in time', async () => {
    const server = await serve(streamOperation({}));
    const response = await fetch(`${server.url}/stream`);
    await server.stop(50);
    await expect(response.text()).rejects.toThrow('terminated');
  });

  it.each([
    ['no HTTP', 'hello\r\n\r\n', 400, 'malformed_request'],
    ['no host', 'GET /x HTTP/1.1\r\n\r\n', 400, 'malformed_request'],
    ['two hosts', 'GET /nowhere HTTP/1.1\r\nhost: a\r\nHOST: canary\r\n\r\n', 400, 'malformed_request'],
    ['one host twice', 'GET /nowhere HTTP/1.1\r\nhost: a\r\nhost: a\r\n\r\n', 400, 'malformed_request'],
    [
      'a second host behind many fields',
      `GET /nowhere HTTP/1.1\r\nhost: a\r\n${'x-a: canary\r\n'.repeat(98)}host: b\r\n\r\n`,
      400,
      'malformed_request',
    ],
    [
      'more fields than are kept',
      `GET /nowhere HTTP/1.1\r\nhost: a\r\n${'x-a: canary\r\n'.repeat(100)}\r\n`,
      431,
      'headers_too_large',
    ],
    ['a method that is none', 'GARBLE /x HTTP/1.1\r\nhost: x\r\n\r\n', 400, 'malformed_request'],
    ['a tunnel', 'CONNECT canary.test:443 HTTP/1.1\r\nhost: canary.test:443\r\n\r\n', 405, 'method_not_allowed'],
    [
      'two different lengths',
      'POST /x HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
      400,
      'malformed_request',
    ],
    [
      'a length beside chunks',
      'POST /x HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n',
      400,
      'malformed_request',
    ],
    [
      'headers of 20 KiB',
      `GET /x HTTP/1.1\r\nhost: x\r\nx-long: ${'canary'.repeat(4_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    ['a target that is no path', 'GET http:// HTTP/1.1\r\nhost: x\r\n\r\n', 400, 'malformed_request'],
    ['a host that is none', 'GET /x HTTP/1.1\r\nhost: can ary\r\n\r\n', 400, 'malformed_request'],
    [
      'an ID with a line break in it',
      'GET /x HTTP/1.1\r\nhost: x\r\nx-request-id: a\rcanary: b\r\n\r\n',
      400,
      'malformed_request',
    ],
  ])('refuses %s with a problem document, closes, and stays up', async (_name, head, status, code) => {
    const server = await serve(streamOperation({}));
    const answer = await sent(server, head);
    expect(answer.head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer.head).toMatch(/\r\ncontent-type: application\/problem\+json\r\n/i);
    expect(answer.head).toMatch(/\r\nconnection: close\r\n/i);
    const [, id] = /\r\nx-request-id: ([^\r]+)\r\n/i.exec(answer.head) ?? [];
    expect(JSON.parse(answer.body)).toMatchObject({ status, code, request_id: id });
    expect(answer.head + answer.body).not.toContain('canary');
    expect((await fetch(`${server.url}/nowhere`)).status).toBe(404);
    await server.stop(100);
  });

  it('still gives the answer that is owed when what follows is no HTTP, and nothing after it', async () => {
    const server = await serve(streamOperation({}));
    const answer = await sent(server, 'GET /nowhere HTTP/1.1\r\nhost: x\r\n\r\nnonsense\r\n\r\n');
    expect(answer.head).toMatch(/^HTTP\/1\.1 404 /);
    expect(JSON.parse(answer.body)).toMatchObject({ status: 404 });
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.write('GET /stream HTTP/1.1\r\nhost: x\r\n\r\n');
    await once(socket, 'data');
    socket.write('nonsense\r\n\r\n');
    await once(socket, 'close');
    expect(Buffer.concat(chunks).toString('latin1').split('HTTP/1.1')).toHaveLength(2);
    await server.stop(100);
  });

  it('refuses in turn: the answers before it still go out', async () => {
    const server = await serve(streamOperation({}));
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    const fine = 'GET /nowhere HTTP/1.1\r\nhost: a\r\n\r\n';
    socket.write(`${fine}GET /nowhere HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n${fine}`);
    await once(socket, 'close');
    const statuses = Buffer.concat(chunks)
      .toString('latin1')
      .match(/HTTP\/1\.1 [0-9]{3}/g);
    expect(statuses).toEqual(['HTTP/1.1 404', 'HTTP/1.1 400']);
    await server.stop(100);
  });

  it('takes as many header fields as it says', async () => {
    const server = await serve(streamOperation({}));
    const fields = 'x-a: b\r\n'.repeat(socketLimits.headersMax - 2);
    const asked = `GET /nowhere HTTP/1.1\r\nhost: a\r\n${fields}connection: close\r\n\r\n`;
    expect((await sent(server, asked)).head).toMatch(/^HTTP\/1\.1 404 /);
    await server.stop(100);
  });

  it('answers HEAD on a stream at once, and takes an expectation that it does not know', async () => {
    const server = await serve(streamOperation({}));
    const head = await fetch(`${server.url}/stream`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([200, 'text/event-stream', '']);
    const asked = 'GET /nowhere HTTP/1.1\r\nhost: x\r\nexpect: wonders\r\nconnection: close\r\n\r\n';
    expect((await sent(server, asked)).head).toMatch(/^HTTP\/1\.1 404 /);
    await server.stop(100);
  });
});

/** Sends bytes and reads until the server closes. */
async function sent(server: RunningServer, bytes: string): Promise<{ head: string; body: string }> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => undefined);
  socket.write(bytes);
  await once(socket, 'close');
  const [head = '', ...rest] = Buffer.concat(chunks).toString('latin1').split('\r\n\r\n');
  return { head: `${head}\r\n`, body: rest.join('\r\n\r\n') };
}
