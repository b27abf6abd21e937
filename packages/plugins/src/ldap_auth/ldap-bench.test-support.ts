import { createServer, type Server, type Socket } from 'node:net';
import type { ConsumerDirectory } from '@portcullis/plugin-runtime';
import { noConsumers } from '@portcullis/plugin-runtime';
import { createEgress } from '@portcullis/egress';
import { PluginBench, type BenchHost, type Ran } from '../testing/plugin-bench.ts';
import { ldapAuth } from './index.ts';

/** Every name of a test leads to this machine. */
export const loopback = createEgress({
  allowed: [{ address: '127.0.0.0', bits: 8 }],
  lookup: () => Promise.resolve(['127.0.0.1']),
});

export const jane = { id: 'c1', username: 'jane', groups: ['staff'] };

export const consumers: ConsumerDirectory = {
  ...noConsumers,
  findConsumer: (reference) => (reference === 'jane' ? jane : undefined),
};

/** One instance of the plugin, with a way out to this machine. */
export function ldapBench(config: Readonly<Record<string, unknown>>, host: BenchHost = {}): PluginBench {
  return new PluginBench(ldapAuth, config, { outbound: loopback, ...host });
}

/** What a client sends. */
export function basic(username: string, password: string, scheme = 'Basic'): readonly string[] {
  return ['Authorization', `${scheme} ${Buffer.from(`${username}:${password}`).toString('base64')}`];
}

/** The status with which a request ended: 200 when it went on, 503 when the plugin failed. */
export function statusOf({ result, exchange }: Ran): number {
  if (result === 'failed') return 503;
  return result === 'continue' ? 200 : exchange.response.status;
}

/** Asks with one name and password, and says with which status that ended. */
export async function ask(
  bench: PluginBench,
  username: string,
  password: string,
  clientIp = '198.51.100.7',
): Promise<number> {
  return statusOf(await bench.request({ headers: basic(username, password), clientIp, consumers }));
}

/** A server that is none: what it does with each connection is the test's. */
export interface FakeDirectory extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly accepted: () => number;
  readonly open: () => number;
}

export async function startFakeDirectory(serve: (socket: Socket) => void): Promise<FakeDirectory> {
  const sockets = new Set<Socket>();
  let accepted = 0;
  const server: Server = createServer((socket) => {
    accepted += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    serve(socket);
    // What nobody reads has no end.
    socket.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `ldap://ldap.test:${port}`,
    port,
    accepted: () => accepted,
    open: () => sockets.size,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
