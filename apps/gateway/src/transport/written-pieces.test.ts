import { connect } from 'node:net';
import { eventually } from '@portcullis/testkit';
import { expect, it } from 'vitest';
import { listenNode } from '../listeners/listen-node.ts';
import type { CallHandler, ServerCall } from './server-transport.ts';

/** What a client gets, framing included, until the connection ends. */
async function receivedFrom(handler: CallHandler): Promise<string> {
  const server = await listenNode({
    host: '127.0.0.1',
    port: 0,
    handler,
    malformedAnswer: () => ({ headers: [], body: '' }),
  });
  let text = '';
  let isClosed = false;
  const socket = connect(server.port, '127.0.0.1', () =>
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'),
  );
  socket.on('data', (chunk) => (text += chunk.toString('latin1')));
  socket.on('close', () => (isClosed = true));
  await eventually(() => isClosed);
  await server.stop();
  return text;
}

const chunked = ['transfer-encoding', 'chunked'];
const bodyOf = (answer: string): string => answer.slice(answer.indexOf('\r\n\r\n') + 4);
const write = (call: ServerCall, ...texts: readonly string[]): void => {
  for (const text of texts) call.write(Buffer.from(text));
};

it('small pieces that are written in one turn leave as one', async () => {
  const answer = await receivedFrom((call) => {
    call.begin(200, chunked);
    write(call, 'one ', 'two ', 'three');
    setImmediate(() => {
      write(call, 'four');
      setImmediate(() => call.end());
    });
  });
  expect(bodyOf(answer)).toBe('d\r\none two three\r\n4\r\nfour\r\n0\r\n\r\n');
});

it('what waits of a turn leaves before its end, and before the connection is cut', async () => {
  const ended = await receivedFrom((call) => {
    call.begin(200, chunked);
    write(call, 'one ', 'two ');
    call.end(Buffer.from('end'));
  });
  expect(bodyOf(ended)).toBe('b\r\none two end\r\n0\r\n\r\n');
  const cut = await receivedFrom((call) => {
    call.begin(200, chunked);
    write(call, 'one ', 'two');
    call.abort();
  });
  expect(bodyOf(cut)).toBe('7\r\none two\r\n');
});

it('large pieces go by themselves, in their order', async () => {
  const large = 'x'.repeat(20_000);
  const answer = await receivedFrom((call) => {
    call.begin(200, chunked);
    write(call, 'one', large, 'two', 'three');
    setImmediate(() => call.end());
  });
  const size = (3 + large.length).toString(16);
  expect(bodyOf(answer)).toBe(`${size}\r\none${large}\r\n8\r\ntwothree\r\n0\r\n\r\n`);
});

it('who writes more than the client takes is told to wait, once, and told when there is room', async () => {
  const told: string[] = [];
  const answer = await receivedFrom((call) => {
    const chunk = Buffer.alloc(64 * 1024, 'x');
    let left = 200;
    const flow = (): void => {
      while (left > 0) {
        left -= 1;
        if (call.write(chunk)) continue;
        told.push('wait');
        return;
      }
      call.end();
    };
    call.observe({
      onDrain: () => {
        told.push('room');
        flow();
      },
      onAborted: () => undefined,
      onClosed: () => undefined,
    });
    call.begin(200, ['content-length', `${left * chunk.length}`]);
    flow();
  });
  expect(bodyOf(answer)).toHaveLength(200 * 64 * 1024);
  expect(told.length).toBeGreaterThan(1);
  expect(told.every((word, at) => word === (at % 2 === 0 ? 'wait' : 'room'))).toBe(true);
});
