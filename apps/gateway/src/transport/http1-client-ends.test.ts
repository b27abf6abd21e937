import { once } from 'node:events';
import type { Socket } from 'node:net';
import { definePlugin } from '@portcullis/plugin-runtime';
import { eventually } from '@portcullis/testkit';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { everythingTo, startTestGateway } from '../testing/test-gateway.test-support.ts';
import { clientOf, send, startRawUpstream, type RawUpstream } from './http1-client.test-support.ts';

const head = 'HTTP/1.1 200 OK\r\n';
const answers = {
  'with a length': `${head}content-length: 11\r\n\r\nhello world`,
  'that closes the connection': `${head}connection: close\r\ncontent-length: 11\r\n\r\nhello world`,
  'in chunks': `${head}transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n`,
  'that ends with the connection': `${head}\r\nhello world`,
} as const;

type Answer = keyof typeof answers;
const kinds = Object.keys(answers) as Answer[];

/** Ways in which an upstream ends a connection. */
const endings = {
  end: (socket: Socket) => socket.end(),
  reset: (socket: Socket) => socket.resetAndDestroy(),
} as const;

/** Answers every request at once with the same text. */
function answering(text: string, then?: (socket: Socket) => void): Promise<RawUpstream> {
  return startRawUpstream((socket) => {
    socket.once('data', () => socket.write(text, 'latin1', () => then?.(socket)));
  });
}

const noticedAfterMs = 100;

/** What is on its way has come by now: what must not happen leaves no trace that could be waited for. */
async function timePasses(): Promise<void> {
  const sinceMs = performance.now();
  await eventually(() => performance.now() - sinceMs > noticedAfterMs);
}

async function upstreamEnds(upstream: RawUpstream, how: keyof typeof endings): Promise<void> {
  for (const socket of upstream.sockets) endings[how](socket);
  await timePasses();
}

describe('an answer that is held while its connection ends', () => {
  it.each(kinds.flatMap((kind) => [[kind, 'at the head'] as const, [kind, 'in the body'] as const]))(
    '%s, held %s, is whole after the upstream’s end',
    async (kind, hold) => {
      await using upstream = await answering(answers[kind]);
      const client = clientOf(upstream);
      const { call, heard } = send(client, {}, hold);
      await eventually(() => heard.status === 200 && (hold === 'at the head' || heard.body !== ''));
      await upstreamEnds(upstream, 'end');
      expect(heard.end).toBe('');
      await eventually(() => {
        call.resume();
        return heard.end !== '';
      });
      expect(heard).toEqual({ status: 200, body: 'hello world', end: 'whole' });
      client.close();
    },
  );

  it.each<[Answer, string]>([
    ['with a length', 'whole'],
    ['in chunks', 'whole'],
    ['that ends with the connection', 'upstream_reset'],
  ])('%s keeps what came when the connection breaks: %s', async (kind, end) => {
    await using upstream = await answering(answers[kind]);
    const client = clientOf(upstream);
    const { call, heard } = send(client, {}, 'at the head');
    await eventually(() => heard.status === 200);
    await upstreamEnds(upstream, 'reset');
    expect(heard.end).toBe('');
    call.resume();
    expect(heard).toEqual({ status: 200, body: 'hello world', end });
    client.close();
  });

  it.each(['end', 'reset'] as const)('keeps what came after it was held, too, until the %s', async (how) => {
    const rest = 'x'.repeat(40_000);
    await using upstream = await startRawUpstream((socket) => {
      socket.once('data', () => socket.write(`${head}content-length: 40005\r\n\r\nfirst`));
    });
    const client = clientOf(upstream);
    const { call, heard } = send(client, {}, 'at the head');
    await eventually(() => heard.status === 200);
    for (const socket of upstream.sockets) socket.write(rest);
    await timePasses();
    await upstreamEnds(upstream, how);
    call.resume();
    await eventually(() => heard.end !== '');
    expect(heard).toEqual({ status: 200, body: `first${rest}`, end: 'whole' });
    client.close();
  });

  it('fails when less came than was said, and is given up like any other', async () => {
    await using upstream = await answering(`${head}content-length: 12\r\n\r\nhello world`);
    const client = clientOf(upstream);
    const [short, left] = [send(client, {}, 'at the head'), send(client, {}, 'at the head')];
    await eventually(() => short.heard.status === 200 && left.heard.status === 200);
    await upstreamEnds(upstream, 'end');
    short.call.resume();
    left.call.abort();
    expect(short.heard).toEqual({ status: 200, body: 'hello world', end: 'upstream_reset' });
    expect(left.heard).toEqual({ status: 200, body: '', end: 'aborted' });
    await eventually(() => upstream.sockets.size === 0);
    client.close();
  });
});

describe('a plugin that takes its time over an answer', () => {
  it.each(kinds)('%s lets the client have all of it, although the upstream has gone', async (kind) => {
    const upstreamIsGone = Promise.withResolvers<undefined>();
    await using upstream = await answering(answers[kind], (socket) => {
      void once(socket, 'close').then(() => upstreamIsGone.resolve(undefined));
      socket.end();
    });
    const plugin = definePlugin({
      name: 'test_slow',
      version: '1.0.0',
      category: 'transformation',
      triggers: ['all'],
      config: v.object({}),
      setup: () => ({
        response: timePasses,
      }),
    });
    const instances = [{ id: 'p', name: 'test_slow', trigger: 'all', config: {}, execution: { timeout_ms: 5000 } }];
    await using gateway = await startTestGateway(
      { ...everythingTo(upstream.url), plugins: instances },
      {},
      {},
      { plugins: [plugin] },
    );
    const answer = await fetch(gateway.url);
    expect(await answer.text()).toBe('hello world');
    await upstreamIsGone.promise;
  });
});
