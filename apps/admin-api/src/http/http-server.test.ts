import { once } from 'node:events';
import { connect } from 'node:net';
import { eventually } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { createHttpApp } from './http-app.ts';
import { testDependencies } from './http-app.test-support.ts';
import { type RunningServer, startHttpServer } from './http-server.ts';
import type { Operation, RequestContext } from './operation.ts';

const ignore = (): void => undefined;
const quiet = { debug: ignore, info: ignore, warn: ignore, error: ignore };
const plain = { access: 'public', method: 'GET', tag: 'Test', summary: 'Test', responses: [] } as const;

function serve(...operations: Operation[]): Promise<RunningServer> {
  return startHttpServer(createHttpApp(testDependencies(quiet, operations)), { host: '127.0.0.1', port: 0 });
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
    ['no HTTP', 'hello\r\n\r\n', 400],
    ['two different lengths', 'POST /x HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n', 400],
    [
      'a length beside chunks',
      'POST /x HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n',
      400,
    ],
    ['headers of 20 KiB', `GET /x HTTP/1.1\r\nhost: x\r\nx-long: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
    ['a target that is no path', 'GET http:// HTTP/1.1\r\nhost: x\r\n\r\n', 400],
    ['a host that is none', 'GET /x HTTP/1.1\r\nhost: a b\r\n\r\n', 400],
  ])('refuses %s and stays up', async (_name, head, status) => {
    const server = await serve(streamOperation({}));
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.end(head);
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    expect(chunk.toString('latin1')).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect((await fetch(`${server.url}/nowhere`)).status).toBe(404);
    socket.destroy();
    await server.stop(100);
  });
});
