import { connect, type Socket } from 'node:net';
import { eventually } from '@portcullis/testkit';
import { expect, it } from 'vitest';
import { listenNode } from '../listeners/listen-node.ts';

const slowClients = 1000;

it('clients that send their headers a byte at a time are told so and cut, while others are answered', async () => {
  const server = await listenNode({
    host: '127.0.0.1',
    port: 0,
    handler: (call) => call.respond(200, [], 'ok', false),
    malformedAnswer: () => ({ headers: [], body: 'slow' }),
    times: { headersTimeoutMs: 500 },
  });
  const answers: string[] = [];
  // A byte before the request line would make it another request: only a socket that sent it drips.
  const sending = new Set<Socket>();
  for (let client = 0; client < slowClients; client += 1) {
    let text = '';
    const socket = connect(server.port, '127.0.0.1', () => {
      socket.write('GET / HTTP/1.1\r\nHost: a\r\nX: ');
      sending.add(socket);
    });
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    socket.on('error', () => undefined); // A byte that meets the cut.
    socket.on('close', () => answers.push(text));
  }
  const drip = setInterval(() => {
    for (const socket of sending) if (socket.writable) socket.write('x');
  }, 250);
  const url = `http://127.0.0.1:${server.port}`;
  await eventually(
    async () => {
      expect(await (await fetch(url)).text()).toBe('ok');
      return answers.length === slowClients;
    },
    { timeoutMs: 50_000 },
  );
  clearInterval(drip);
  // A reset may come before the sentence is read; what is read is that sentence.
  expect(answers.filter((text) => text !== '' && !text.startsWith('HTTP/1.1 408 '))).toEqual([]);
  expect(await (await fetch(url)).text()).toBe('ok');
  server.destroy();
  await server.stop();
});
