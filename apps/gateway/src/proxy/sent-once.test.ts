import { createServer, type Socket } from 'node:net';
import { definePlugin, type Plugin } from '@portcullis/plugin-runtime';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import type { Resources } from '../testing/fake-control-plane.test-support.ts';
import { startTestGateway } from '../testing/test-gateway.test-support.ts';

/** What a server does to a request of which it has seen a byte. */
type Fault = (socket: Socket, seen: string) => void;

const wholeBody = 'the last word';
/** Bodies without a length have framing between their pieces. */
const lastPiece = ' word';
const faults: Readonly<Record<string, Fault>> = {
  'resets at the first byte': (socket) => socket.resetAndDestroy(),
  'closes at the first byte': (socket) => socket.end(),
  'resets after the whole request': (socket, seen) => void (seen.includes(lastPiece) && socket.resetAndDestroy()),
  'closes within the head of its answer': (socket, seen) => void (seen.includes(lastPiece) && socket.end('HTTP/1.1 2')),
};

/** A server with a fault; counts the connections on which a byte of a request came. */
async function startFaulty(fault: Fault) {
  let requests = 0;
  const server = createServer((socket) => {
    let seen = '';
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      requests += seen === '' ? 1 : 0;
      seen += bytes.toString('latin1');
      fault(socket, seen);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    port,
    requests: () => requests,
    stopListening: () => void server.close(),
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}

/** Two targets that fail alike, retries enough, and a route for each way in which a body is sent. */
function resourcesFor(ports: readonly number[]): Resources {
  const route = (id: string, parts: Record<string, unknown> = {}) => ({
    id,
    name: id,
    service_id: 's',
    paths: [`/${id}`],
    ...parts,
  });
  return {
    services: [{ id: 's', name: 's', upstream_id: 'u', retries: 5 }],
    upstreams: [{ id: 'u', name: 'u' }],
    targets: ports.map((port, index) => ({ id: `t${index}`, upstream_id: 'u', host: '127.0.0.1', port })),
    routes: [
      route('streamed'),
      route('held', { request_buffering: true }),
      route('replaced', { plugins: [{ name: 'replace', config: {} }] }),
    ],
  };
}

const replace: Plugin = definePlugin({
  name: 'replace',
  version: '1.0.0',
  category: 'enforcement',
  triggers: ['all'],
  config: v.object({}),
  setup: () => ({ request: () => ({ body: Buffer.from(wholeBody) }) }),
});

/** A body in pieces, whose length nobody says. */
function pieces(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const word of wholeBody.split(/(?= )/)) controller.enqueue(Buffer.from(word));
      controller.close();
    },
  });
}

describe.each(Object.entries(faults))('a server that %s', (_name, fault) => {
  it('gets a request that must not be repeated once, however its body is sent', async () => {
    await using first = await startFaulty(fault);
    await using second = await startFaulty(fault);
    await using gateway = await startTestGateway(
      resourcesFor([first.port, second.port]),
      {},
      {},
      { plugins: [replace] },
    );
    const sent = (): number => first.requests() + second.requests();
    for (const method of ['POST', 'PATCH']) {
      for (const route of ['streamed', 'held', 'replaced']) {
        for (const body of [wholeBody, pieces()]) {
          const before = sent();
          const answer = await fetch(`${gateway.url}/${route}`, { method, body, duplex: 'half' });
          expect([method, route, answer.status, sent() - before]).toEqual([method, route, 502, 1]);
        }
      }
    }
    // What may be repeated is, where the body is in memory: else the test would see nothing.
    for (const [route, times] of [
      ['streamed', 1],
      ['held', 6],
      ['replaced', 6],
    ] as const) {
      const before = sent();
      const answer = await fetch(`${gateway.url}/${route}`, { method: 'PUT', body: wholeBody });
      expect([route, answer.status, sent() - before]).toEqual([route, 502, times]);
    }
  });
});

it('where the budget of retries refuses, the first failure is the answer', async () => {
  const waiting: Socket[] = [];
  const clients = 60;
  await using server = await startFaulty((socket) => {
    waiting.push(socket);
    if (waiting.length < clients) return;
    // From now on nobody can connect: the second failure of each request is another than its first.
    server.stopListening();
    for (const one of waiting) one.resetAndDestroy();
  });
  await using gateway = await startTestGateway(resourcesFor([server.port]), {}, {}, { plugins: [replace] });
  const answers = await Promise.all(
    Array.from({ length: clients }, async () => {
      const answer = await fetch(`${gateway.url}/streamed`);
      return ((await answer.json()) as { code: string }).code;
    }),
  );
  const metrics = await (await fetch(`${gateway.statusUrl}/metrics`)).text();
  const count = (outcome: string): number =>
    Number(
      new RegExp(`gateway_upstream_retries_total\\{upstream="u",outcome="${outcome}"\\} (\\d+)`).exec(metrics)?.[1],
    );
  // Each retry that was sent failed otherwise than the first attempt.
  expect([count('sent') > 0, count('refused') > 0]).toEqual([true, true]);
  expect(answers.filter((code) => code === 'upstream_reset')).toHaveLength(count('refused'));
});
