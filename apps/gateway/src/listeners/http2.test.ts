import { once } from 'node:events';
import { type ClientHttp2Session, connect, constants } from 'node:http2';
import { text } from 'node:stream/consumers';
import { eventually, startProcess } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import type { AbortCause, ServerCall } from '../transport/server-transport.ts';
import { http2Limits } from '../transport/http2-limits.ts';
import { serverLimits } from '../transport/server-limits.ts';
import { type DescribedCall, startListening } from './listening.test-support.ts';

const silent = { onDrain: () => undefined, onAborted: () => undefined, onClosed: () => undefined };

async function closing(session: ClientHttp2Session): Promise<void> {
  session.on('error', () => undefined);
  if (!session.destroyed) await new Promise((resolve) => session.once('close', resolve));
}

describe('HTTP/2', () => {
  it('brings a request in the form of HTTP/1: host, one cookie, body and trailers', async () => {
    await using server = await startListening();
    const session = connect(server.url);
    const fields = {
      ':method': 'POST',
      ':path': '/a?b',
      ':authority': 'api.test',
      cookie: ['a=1', 'b=2'],
      te: 'trailers',
    };
    const stream = session.request(fields, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'x-sum': '5' }));
    stream.end('hello');
    const call = JSON.parse(await text(stream)) as DescribedCall;
    expect(call).toMatchObject({ version: '2', method: 'POST', target: '/a?b', body: 'hello', encrypted: false });
    expect(call.headers).toEqual(['host', 'api.test', 'te', 'trailers', 'cookie', 'a=1; b=2']);
    expect(call.trailers).toEqual(['x-sum', '5']);
    session.close();
  });

  it('hands on a host that contradicts :authority, so that it is refused as in HTTP/1', async () => {
    await using server = await startListening();
    const session = connect(server.url);
    const call = JSON.parse(await text(session.request({ ':authority': 'a.test', host: 'b.test' }))) as DescribedCall;
    expect(call.headers).toEqual(['host', 'a.test', 'host', 'b.test']);
    session.close();
  });

  it('sends headers without a body as one frame, and trailers behind one', async () => {
    const handler = (call: ServerCall): void => {
      call.observe(silent);
      call.begin(200, ['content-type', 'application/grpc', 'connection', 'close', 'grpc-status', '5']);
      if (call.target === '/only') call.end();
      else {
        call.write(Buffer.from('one '));
        setImmediate(() => call.end(Buffer.from('two'), ['grpc-status', '0', 'x-list', 'a', 'x-list', 'b']));
      }
    };
    await using server = await startListening({ handler });
    const session = connect(server.url);
    const only = session.request({ ':path': '/only' });
    const [fields, flags] = (await once(only, 'response')) as [Record<string, unknown>, number];
    expect([fields['grpc-status'], fields['connection'], flags & constants.NGHTTP2_FLAG_END_STREAM]).toEqual([
      '5',
      undefined,
      1,
    ]);
    const both = session.request({ ':path': '/both' });
    const trailers = once(both, 'trailers');
    expect(await text(both)).toBe('one two');
    expect((await trailers)[0]).toMatchObject({ 'grpc-status': '0', 'x-list': 'a, b' });
    session.close();
  });

  it('refuses to send a value that would become further fields', async () => {
    const thrown: unknown[] = [];
    const handler = (call: ServerCall): void => {
      for (const value of ['a\0b\0\0', 'a\r\nb: c', 'Ċ']) {
        try {
          call.begin(200, ['x-value', value]);
        } catch (error) {
          thrown.push(error);
        }
      }
      call.respond(200, [], undefined, false);
    };
    await using server = await startListening({ handler });
    const session = connect(server.url);
    await text(session.request({ ':path': '/' }));
    expect(thrown).toEqual([expect.any(TypeError), expect.any(TypeError), expect.any(TypeError)]);
    session.close();
  });

  it('asks for a body that waits for it, when somebody reads it', async () => {
    await using server = await startListening();
    const session = connect(server.url);
    const stream = session.request({ ':method': 'PUT', ':path': '/', expect: '100-continue' });
    await once(stream, 'continue');
    stream.end('late');
    expect(JSON.parse(await text(stream))).toMatchObject({ body: 'late' });
    session.close();
  });

  it('answers before a body is whole, and lets the client stop sending it', async () => {
    const handler = (call: ServerCall): void => call.respond(413, [], 'too much', true);
    await using server = await startListening({ handler });
    const session = connect(server.url);
    const stream = session.request({ ':method': 'POST', ':path': '/' });
    stream.write(Buffer.alloc(1024 * 1024));
    stream.on('error', () => undefined);
    expect(await text(stream)).toBe('too much');
    if (!stream.closed) await once(stream, 'close');
    expect(stream.rstCode).toBe(constants.NGHTTP2_NO_ERROR);
    session.close();
  });

  it('takes no more of a body than is read, and sends no more of an answer than is taken', async () => {
    const got: ServerCall[] = [];
    await using server = await startListening({ handler: (call) => void got.push(call) });
    const session = connect(server.url);
    const stream = session.request({ ':method': 'POST', ':path': '/' });
    stream.on('error', () => undefined);
    stream.end(Buffer.alloc(4 * 1024 * 1024));
    stream.pause();
    const call = await eventually(() => got[0]);
    call.observe(silent);
    call.body?.read({ onChunk: () => call.body?.pause(), onEnd: () => undefined, onError: () => undefined });
    await eventually(() => call.bodyBytes > 0);
    // The other stream of the connection is served meanwhile: it does not wait for the one that is stuck.
    const other = session.request({ ':path': '/other' });
    const second = await eventually(() => got[1]);
    second.respond(200, [], 'ok', false);
    expect(await text(other)).toBe('ok');
    expect(call.bodyBytes).toBeLessThanOrEqual(2 * http2Limits.streamWindowBytes);
    call.begin(200, []);
    let written = 0;
    while (call.write(Buffer.alloc(64 * 1024))) written += 1;
    expect(written).toBeLessThan(16);
    session.destroy();
    await closing(session);
  });

  it('tells who answers that a client has left, and only then', async () => {
    const causes: (AbortCause | 'closed')[] = [];
    const handler = (call: ServerCall): void => {
      call.observe({
        onDrain: () => undefined,
        onAborted: (cause) => causes.push(cause),
        onClosed: () => causes.push('closed'),
      });
      if (call.target === '/answer') call.respond(200, [], 'x', false);
    };
    await using server = await startListening({ handler });
    const session = connect(server.url);
    await text(session.request({ ':path': '/answer' }));
    await eventually(() => causes.length === 1);
    const stream = session.request({ ':path': '/wait' });
    stream.on('error', () => undefined);
    await new Promise((resolve) => session.ping(resolve));
    stream.close(constants.NGHTTP2_CANCEL);
    await eventually(() => causes.length === 3);
    expect(causes).toEqual(['closed', 'clientLeft', 'closed']);
    session.close();
  });

  it('ends the connection of a client that resets streams without end, and serves others', async () => {
    let begun = 0;
    await using server = await startListening({
      handler: (call) => {
        begun += 1;
        call.observe(silent);
      },
    });
    const session = connect(server.url);
    let code: number | undefined;
    session.on('goaway', (reason: number) => (code = reason));
    session.on('error', () => undefined);
    const ended = closing(session);
    for (let sent = 0; !session.closed && !session.destroyed && sent < 4 * http2Limits.resetsAtOnceMax; sent += 50) {
      for (let at = 0; at < 50 && !session.closed && !session.destroyed; at += 1) {
        const stream = session.request({ ':path': '/' });
        stream.on('error', () => undefined);
        stream.close(constants.NGHTTP2_CANCEL);
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    await ended;
    expect(code).toBe(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    expect(server.refused).toEqual(['reset_flood']);
    expect(begun).toBeLessThanOrEqual(2 * http2Limits.resetsAtOnceMax);
    const other = connect(server.url);
    other.request({ ':path': '/' }).on('error', () => undefined);
    const before = begun;
    await eventually(() => begun > before);
    other.destroy();
  });

  it('refuses heads that are too large, and tunnels', async () => {
    await using server = await startListening();
    const session = connect(server.url, { maxSendHeaderBlockLength: 1024 * 1024 });
    session.on('error', () => undefined);
    const many = Object.fromEntries(Array.from({ length: 120 }, (_field, at) => [`x-${at}`, '1']));
    const [tooMany] = (await once(session.request({ ':path': '/', ...many }), 'response')) as [Record<string, unknown>];
    expect(tooMany[':status']).toBe(431);
    const tunnel = session.request({ ':method': 'CONNECT', ':authority': 'a.test:443' });
    tunnel.on('error', () => undefined);
    const [refused] = (await once(tunnel, 'response')) as [Record<string, unknown>];
    expect(refused[':status']).toBe(501);
    const large = session.request({ ':path': '/', 'x-large': 'x'.repeat(40 * 1024) });
    const [error] = (await once(large, 'error')) as [Error];
    expect(error.message).toMatch(/ENHANCE_YOUR_CALM|CALM|COMPRESSION|closed/);
    session.destroy();
  });

  it('lets answers finish when it stops, and takes nothing new after the grace', async () => {
    const got: ServerCall[] = [];
    await using server = await startListening({ handler: (call) => void got.push(call) });
    const session = connect(server.url);
    const stream = session.request({ ':path': '/' });
    const call = await eventually(() => got[0]);
    const goaway = once(session, 'goaway');
    const stopped = server.stop();
    await goaway;
    call.respond(200, [], 'whole', false);
    expect(await text(stream)).toBe('whole');
    await stopped;
    await closing(session);
    expect(got).toHaveLength(1);
  });

  it('ends a connection after its requests, and takes those that were on their way by then', async () => {
    const seen = new Set<object>();
    let served = 0;
    const handler = (call: ServerCall): void => {
      seen.add(call.connection);
      served += 1;
      call.respond(204, [], undefined, false);
    };
    await using server = await startListening({ handler, times: { idleGraceMs: 1000 } });
    const lastStreams: number[] = [];
    const sessions: ClientHttp2Session[] = [];
    let left = serverLimits.requestsPerConnectionMax + 2000;
    const join = (): void => {
      const session = connect(server.url);
      session.on('error', () => undefined);
      session.once('goaway', (_code, lastStream: number) => {
        lastStreams.push(lastStream);
        if (left > 0) join();
      });
      sessions.push(session);
    };
    join();
    let done = 0;
    const ask = (): Promise<number> =>
      new Promise((resolve) => {
        const stream = sessions.at(-1)?.request({ ':path': '/' });
        stream?.resume();
        stream?.on('error', () => undefined);
        stream?.once('close', () => resolve(stream.rstCode));
      });
    const lane = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        // What the client itself had not sent yet when it heard of the end, it refuses itself.
        while ((await ask()) === constants.NGHTTP2_REFUSED_STREAM);
        done += 1;
      }
    };
    await Promise.all(Array.from({ length: 100 }, lane));
    // The number beyond all others: nothing that was sent is refused by it.
    expect(lastStreams).toEqual([2 ** 31 - 1]);
    expect([done, seen.size]).toEqual([served, 2]);
    for (const session of sessions) session.destroy();
  });

  it('is spoken with curl, with and without TLS', async () => {
    await using server = await startListening();
    const curl = await startProcess({
      command: 'curl',
      args: ['-sS', '--http2-prior-knowledge', `${server.url}/curl`],
    });
    expect(await curl.exited).toEqual({ code: 0, signal: null });
    expect(JSON.parse(curl.stdout())).toMatchObject({ version: '2', target: '/curl' });
  });
});
