import { eventually, FakeClock } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { loopback } from '../../testing/emitter-bench.ts';
import { startLineServer, type LineServer } from '../../testing/line-server.ts';
import { ByteConnection, WAITING_BYTES_MAX } from './byte-connection.ts';

const TIMEOUT_MS = 1000;

function connectionTo(server: LineServer, clock = new FakeClock()): ByteConnection {
  const timers = { set: clock.setTimer, clear: (cancel: unknown) => (cancel as () => void)() };
  return new ByteConnection({ host: 'a.test', port: server.port }, { clock, timers, outbound: loopback }, TIMEOUT_MS);
}

const never = new AbortController().signal;
const line = (text: string, bytes = 0): Buffer => Buffer.from(`${text}${'.'.repeat(bytes)}\n`);

/** Writes until the system takes no more, and gives what comes of the write that waits. */
async function fill(connection: ByteConnection, signal: AbortSignal): Promise<{ readonly outcome: Promise<unknown> }> {
  for (;;) {
    const write = connection.write(line('f', WAITING_BYTES_MAX / 4), signal);
    const outcome = write.then(
      () => 'taken',
      (error: unknown) => error,
    );
    // A write that the system takes is done within a few turns.
    if ((await Promise.race([outcome, turns(200)])) !== 'taken') return { outcome };
  }
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
}

describe('ByteConnection', () => {
  it('connects once for all who write at the same time', async () => {
    await using server = await startLineServer();
    const connection = connectionTo(server);
    await Promise.all(['a', 'b', 'c'].map((text) => connection.write(line(text), never)));
    await eventually(() => server.lines().length === 3);
    expect([server.accepted(), server.lines()]).toEqual([1, ['a', 'b', 'c']]);
    await connection.close();
  });

  it('goes on for the others when one who waits leaves', async () => {
    await using server = await startLineServer();
    const connection = connectionTo(server);
    await connection.write(line('first'), never);
    server.pause();
    const { outcome } = await fill(connection, never);
    const leaving = new AbortController();
    const left = connection.write(line('left'), leaving.signal);
    leaving.abort();
    await expect(left).rejects.toMatchObject({ name: 'SendError', isRetryable: true });
    server.resume();
    expect(await outcome).toBe('taken');
    await connection.write(line('last'), never);
    await eventually(() => server.lines().at(-1) === 'last');
    expect([server.accepted(), server.lines().includes('left')]).toEqual([1, true]);
    await connection.close();
  });

  it('cuts the connection when one leaves who waited for all of the time', async () => {
    await using server = await startLineServer();
    const clock = new FakeClock();
    const connection = connectionTo(server, clock);
    await connection.write(line('first'), never);
    server.pause();
    const late = new AbortController();
    const { outcome } = await fill(connection, late.signal);
    clock.advance(TIMEOUT_MS);
    late.abort();
    expect(await outcome).toMatchObject({ name: 'SendError', isRetryable: true });
    server.resume();
    await connection.write(line('again'), never);
    await eventually(() => server.lines().includes('again'));
    expect(server.accepted()).toBe(2);
    await connection.close();
  });

  it('holds a bounded number of bytes of those who left', async () => {
    await using server = await startLineServer();
    const connection = connectionTo(server);
    await connection.write(line('first'), never);
    server.pause();
    const { outcome } = await fill(connection, never);
    const leaves: Promise<unknown>[] = [];
    for (let index = 0; index < 8; index += 1) {
      const leaving = new AbortController();
      leaves.push(connection.write(line('l', WAITING_BYTES_MAX / 4), leaving.signal).catch((error: unknown) => error));
      leaving.abort();
    }
    // Cut: whoever waited hears of it.
    expect(await outcome).toMatchObject({ name: 'SendError' });
    expect(await Promise.all(leaves)).toHaveLength(8);
    await connection.close();
  });

  it('ends in a bounded time with a server that reads nothing', async () => {
    await using server = await startLineServer();
    const clock = new FakeClock();
    const connection = connectionTo(server, clock);
    await connection.write(line('first'), never);
    server.pause();
    const { outcome } = await fill(connection, never);
    const closed = connection.close();
    clock.advance(500);
    await closed;
    expect([await outcome, clock.pendingTimers]).toEqual([expect.objectContaining({ name: 'SendError' }), 0]);
  });
});
