import { connect, createServer, type Socket } from 'node:net';
import { eventually, hasRedis, startRedis } from '@portcullis/testkit';
import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { RedisStore } from './redis-store.ts';

const timeoutMs = 20_000;
const count = { name: 'count', lua: "return redis.call('INCRBY', KEYS[1], ARGV[1])" };

describe.skipIf(!hasRedis)('the connection of RedisStore (needs redis-server)', () => {
  it('sends the calls of one turn without a wait for the answers to those before', async () => {
    await using redis = await startRedis();
    await using link = await startLink(redis.port);
    await using client = clientOf(link.port);
    await eventually(() => client.store.isConnected, { timeoutMs });
    const store = client.store.storeOf('t');
    const add = (): Promise<unknown> => store.run(count, ['k'], [1], { timeoutMs });
    await add();
    link.hold();
    const first = Array.from({ length: 3 }, add);
    await eventually(() => link.sent('evalsha') === 4, { timeoutMs });
    const second = Array.from({ length: 3 }, add);
    await eventually(() => link.sent('evalsha') === 7, { timeoutMs });
    link.release();
    expect(await Promise.all([...first, ...second])).toEqual([2, 3, 4, 5, 6, 7]);
  });

  it('is given up with a server that became a replica, with few tries and one line, and taken again with a primary', async () => {
    await using redis = await startRedis();
    await using client = clientOf(redis.port);
    await eventually(() => client.store.isConnected, { timeoutMs });
    const store = client.store.storeOf('t');
    const add = (): Promise<unknown> => store.run(count, ['k'], [1], { timeoutMs });
    expect(await add()).toBe(1);
    const admin = new Redis(redis.port, '127.0.0.1');
    // Of nobody: nothing listens there.
    await admin.replicaof('127.0.0.1', 1);
    await expect(add()).rejects.toMatchObject({ code: 'failed' });
    const connections = async (): Promise<number> =>
      Number(/total_connections_received:(\d+)/.exec(await admin.info('stats'))?.[1]);
    const before = await connections();
    await eventually(async () => (await connections()) >= before + 2, { timeoutMs });
    expect(client.store.isConnected).toBe(false);
    await expect(add()).rejects.toMatchObject({ code: 'unavailable' });
    expect(client.lines).toEqual(['connected to Redis', 'no connection to Redis: shared counters are not available']);
    await admin.replicaof('NO', 'ONE');
    expect(await eventually(add, { timeoutMs })).toBe(2);
    expect(client.lines.at(-1)).toBe('connected to Redis');
    admin.disconnect();
  });
});

function clientOf(port: number) {
  const lines: string[] = [];
  const write = (_details: object, message: string): void => void lines.push(message);
  const address = { host: '127.0.0.1', port, database: 0, isTls: false };
  const store = new RedisStore({ address, random: Math.random, log: { info: write, warn: write } });
  return { store, lines, [Symbol.asyncDispose]: () => Promise.resolve(store.close()) };
}

/** A way to a server on which answers can be held back. */
async function startLink(serverPort: number) {
  let text = '';
  const held: Socket[] = [];
  const server = createServer((client) => {
    const redis = connect(serverPort, '127.0.0.1');
    held.push(redis);
    client.on('data', (bytes) => {
      text += bytes.toString('latin1').toLowerCase();
      redis.write(bytes);
    });
    redis.pipe(client);
    client.on('error', () => redis.destroy()).on('close', () => redis.destroy());
    redis.on('error', () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    sent: (command: string) => text.split(`\r\n${command}\r\n`).length - 1,
    hold: () => held.forEach((redis) => redis.pause()),
    release: () => held.forEach((redis) => redis.resume()),
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const redis of held) redis.destroy();
      }),
  };
}
