import { connect } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { hasRedis, startRedis } from './index.ts';

describe.skipIf(!hasRedis)('startRedis (needs redis-server)', () => {
  it('gives a server that answers, is silent while frozen, and goes on', async () => {
    await using redis = await startRedis();
    const socket = connect(redis.port, '127.0.0.1');
    const ask = async () => {
      socket.write('PING\r\n');
      return String((await once(socket, 'data'))[0]);
    };
    expect(await ask()).toBe('+PONG\r\n');
    redis.freeze();
    const answer = ask();
    redis.thaw();
    expect(await answer).toBe('+PONG\r\n');
    socket.destroy();
  });

  it('leaves no process, also when it is frozen', async () => {
    const redis = await startRedis({ password: 'p' });
    expect(redis.url).toBe(`redis://:p@127.0.0.1:${redis.port}`);
    redis.freeze();
    await redis[Symbol.asyncDispose]();
    expect(redis.process.running()).toBe(false);
  });
});
