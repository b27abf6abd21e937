import { connect } from 'node:net';
import { eventually } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { answerWith, HandFedStream, PieceStream, respondingHooks } from '../testing/hand-fed-stream.ts';
import { send, serve } from './node-server.test-support.ts';

const application = () => {
  throw new Error('the application is not called');
};

describe('createNodeMiddleware with a responder', () => {
  it('answers in place of the application, with its hooks', async () => {
    const respond = ({ exchange }: Parameters<Parameters<typeof respondingHooks>[0]>[0]) =>
      answerWith(exchange.request.path === '/text' ? 'text' : new PieceStream('a', 'b', 'c'));
    await using server = await serve(
      respondingHooks(respond, {
        response: async ({ request, response }) => {
          if (request.path !== '/read') return undefined;
          return { headers: [{ op: 'set', name: 'x-length', value: `${(await response.readBody(10))?.length}` }] };
        },
      }),
      application,
    );
    expect(await send(server, { path: '/text' })).toMatchObject({ status: 200, body: 'text' });
    expect(await send(server)).toMatchObject({ body: 'abc', headers: { 'x-made': 'yes' }, isCut: false });
    expect(await send(server, { path: '/read' })).toMatchObject({ body: 'abc', headers: { 'x-length': '3' } });
    expect(await send(server, { method: 'HEAD' })).toMatchObject({ status: 200, body: '' });
  });

  it('lets the plugin wait while the client reads nothing, and tells it that the client left', async () => {
    const stream = new HandFedStream();
    let signal: AbortSignal | undefined;
    await using server = await serve(
      respondingHooks((call) => {
        ({ signal } = call);
        return answerWith(stream);
      }),
      application,
    );
    const client = connect(server.port, '127.0.0.1');
    client.on('error', () => undefined);
    client.pause();
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await eventually(() => stream.sink);
    const piece = 'x'.repeat(64 * 1024);
    let written = 0;
    await eventually(() => {
      do written += 1;
      while (written < 1000 && stream.write(piece) === true);
      const { resumes } = stream;
      return new Promise((resolve) => setImmediate(() => setImmediate(() => resolve(stream.resumes === resumes))));
    });
    expect(written).toBeLessThan(1000);
    client.destroy();
    await eventually(() => stream.cancels === 1);
    expect(signal?.aborted).toBe(true);
  });

  it('cancels what a hook replaced, answers 503 when it fails, and cuts a stream that does', async () => {
    const streams: HandFedStream[] = [];
    await using server = await serve(
      respondingHooks(
        ({ exchange }) => {
          if (exchange.request.path === '/throw') throw new Error('canary');
          streams.push(new HandFedStream());
          return answerWith(streams.at(-1) as HandFedStream);
        },
        { response: ({ request }) => (request.path === '/replace' ? { status: 418, body: 'mine' } : undefined) },
      ),
      application,
    );
    expect(await send(server, { path: '/replace' })).toMatchObject({ status: 418, body: 'mine' });
    await eventually(() => streams[0]?.cancels === 1);
    expect((await send(server, { path: '/throw' })).status).toBe(503);
    const cut = send(server);
    const stream = await eventually(() => streams[1]?.sink && streams[1]);
    stream.write('part');
    stream.sink?.fail();
    expect(await cut.catch(() => ({ isCut: true }))).toMatchObject({ isCut: true });
  });
});
