import { Metadata, status, type ClientUnaryCall, type ServiceError } from '@grpc/grpc-js';
import type { Client } from '@grpc/grpc-js';
import { eventually } from '@portcullis/testkit';
import { describe, expect, it, vi } from 'vitest';
import { startTestGateway } from '../testing/test-gateway.test-support.ts';
import { echo, grpcClient, grpcRoute, startGrpcUpstream } from './grpc.test-support.ts';

vi.setConfig({ testTimeout: 60_000 });

type Method = (typeof echo)[keyof typeof echo];

/** How a call ended. */
interface Ended {
  readonly error: ServiceError | null;
  readonly message: Buffer | undefined;
  readonly head: Metadata | undefined;
  readonly trailers: Metadata | undefined;
}

function unary(
  client: Client,
  text: string | Buffer,
  more: { sent?: string; deadlineMs?: number } = {},
): {
  readonly call: ClientUnaryCall;
  readonly ended: Promise<Ended>;
} {
  const { path, requestSerialize, responseDeserialize } = echo.unary;
  const metadata = new Metadata();
  metadata.set('x-sent', more.sent ?? 'nothing');
  const options = more.deadlineMs === undefined ? {} : { deadline: Date.now() + more.deadlineMs };
  const { promise, resolve } = Promise.withResolvers<Ended>();
  let head: Metadata | undefined;
  let trailers: Metadata | undefined;
  let outcome: [ServiceError | null, Buffer | undefined] | undefined;
  const settle = (): void => {
    if (outcome !== undefined && trailers !== undefined)
      resolve({ error: outcome[0], message: outcome[1], head, trailers });
  };
  const call = client.makeUnaryRequest(
    path,
    requestSerialize,
    responseDeserialize,
    Buffer.from(text),
    metadata,
    options,
    (error, message?: Buffer) => {
      outcome = [error, message];
      settle();
    },
  );
  call.on('metadata', (received: Metadata) => (head = received));
  call.on('status', (received: { metadata: Metadata }) => {
    trailers = received.metadata;
    settle();
  });
  return { call, ended: promise };
}

function streamed(client: Client, method: Method): ReturnType<Client['makeBidiStreamRequest']> {
  return client.makeBidiStreamRequest(method.path, method.requestSerialize, method.responseDeserialize);
}

/** All messages of a stream; rejects with its status. */
async function messagesOf(stream: AsyncIterable<unknown>): Promise<string[]> {
  const found: string[] = [];
  for await (const message of stream) found.push(String(message));
  return found;
}

describe('gRPC through the gateway', () => {
  it('carries a call with its head, message and trailers', async () => {
    await using upstream = await startGrpcUpstream();
    await using gateway = await startTestGateway(grpcRoute(upstream.port));
    using client = grpcClient(gateway.port);
    const { error, message, head, trailers } = await unary(client, 'hello', { sent: 'here' }).ended;
    expect([error, message?.toString(), head?.get('x-head'), trailers?.get('x-trailer')]).toEqual([
      ...[null, 'hello'],
      ...[['here'], ['behind']],
    ]);
  });

  it('carries errors with code, text and trailers', async () => {
    await using upstream = await startGrpcUpstream();
    await using gateway = await startTestGateway(grpcRoute(upstream.port));
    using client = grpcClient(gateway.port);
    const { error, trailers } = await unary(client, 'fail').ended;
    expect(error).toMatchObject({ code: status.FAILED_PRECONDITION, details: 'no: ünfit' });
    expect(trailers?.get('x-trailer')).toEqual(['behind']);
    const unknown = { ...echo.unary, path: '/test.Echo/Missing' };
    await expect(messagesOf(streamed(client, unknown))).rejects.toMatchObject({ code: status.UNIMPLEMENTED });
  });

  it('streams from the client, from the server, and both ways at once', async () => {
    await using upstream = await startGrpcUpstream();
    await using gateway = await startTestGateway(grpcRoute(upstream.port));
    using client = grpcClient(gateway.port);
    const collected = streamed(client, echo.collect);
    for (let turn = 0; turn < 500; turn += 1) collected.write(Buffer.alloc(1000));
    collected.end();
    expect(await messagesOf(collected)).toEqual(['500000']);
    const counted = streamed(client, echo.count);
    counted.end(Buffer.from('2000'));
    const numbers = await messagesOf(counted);
    expect([numbers.length, numbers[1999]]).toEqual([2000, '1999']);
    const chat = streamed(client, echo.chat);
    const answers: string[] = [];
    chat.on('data', (message: Buffer) => answers.push(message.toString()));
    for (const word of ['one', 'two', 'three']) {
      chat.write(Buffer.from(word));
      // Each answer comes before the next question: nothing on the way waits for more.
      await eventually(() => answers.includes(`> ${word}`));
    }
    const ended = new Promise((resolve) => chat.on('status', resolve));
    chat.end();
    expect(await ended).toMatchObject({ code: status.OK });
  });

  it('carries messages of many megabytes', async () => {
    await using upstream = await startGrpcUpstream();
    await using gateway = await startTestGateway(grpcRoute(upstream.port));
    using client = grpcClient(gateway.port);
    const large = Buffer.alloc(12 * 1024 * 1024, 'x');
    const { error, message } = await unary(client, large).ended;
    expect([error, message?.equals(large)]).toEqual([null, true]);
  });

  it('tells the server when a client gives up, or has no more time', async () => {
    await using upstream = await startGrpcUpstream();
    await using gateway = await startTestGateway(grpcRoute(upstream.port));
    using client = grpcClient(gateway.port);
    const late = await unary(client, 'never', { deadlineMs: 300 }).ended;
    expect(late.error).toMatchObject({ code: status.DEADLINE_EXCEEDED });
    await eventually(() => upstream.cancelled.length === 1);
    const chat = streamed(client, echo.chat);
    const first = new Promise((resolve) => chat.once('data', resolve));
    chat.write(Buffer.from('hello'));
    await first;
    const ended = new Promise((resolve) => chat.on('status', resolve));
    chat.on('error', () => undefined);
    chat.cancel();
    expect(await ended).toMatchObject({ code: status.CANCELLED });
    await eventually(() => upstream.cancelled.length === 2);
    expect(upstream.cancelled).toEqual(['/test.Echo/Unary', '/test.Echo/Chat']);
  });

  it('is UNAVAILABLE while there is no server, and goes on when there is one again', async () => {
    const first = await startGrpcUpstream();
    await using gateway = await startTestGateway(grpcRoute(first.port, { retries: 0 }));
    using client = grpcClient(gateway.port);
    expect((await unary(client, 'one').ended).error).toBeNull();
    await first[Symbol.asyncDispose]();
    expect((await unary(client, 'two').ended).error).toMatchObject({ code: status.UNAVAILABLE });
    await using next = await startGrpcUpstream();
    await gateway.publish(grpcRoute(next.port));
    expect((await unary(client, 'three').ended).error).toBeNull();
  });
});
