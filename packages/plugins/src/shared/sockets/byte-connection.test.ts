import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { eventually, FakeClock } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { loopback } from '../../testing/emitter-bench.ts';
import { startLineServer, type LineServer } from '../../testing/line-server.ts';
import { SINK_LIMITS } from '../sinks/sink-limits.ts';
import { ByteConnection, CLOSE_TIMEOUT_MS, PROOF_MS } from './byte-connection.ts';
import { WAITING_BYTES_MAX } from './socket-writes.ts';

const TIMEOUT_MS = 1000;

/** What a gateway that ends gives its plugins. */
const PLUGINS_END_MS = 2000;

function connectionTo(server: Pick<LineServer, 'port'>, clock: FakeClock): ByteConnection {
  const timers = { set: clock.setTimer, clear: (cancel: unknown) => (cancel as () => void)() };
  return new ByteConnection({ host: 'a.test', port: server.port }, { clock, timers, outbound: loopback }, TIMEOUT_MS);
}

const never = new AbortController().signal;
const line = (text: string, bytes = 0): Buffer => Buffer.from(`${text}${'.'.repeat(bytes)}\n`);

/** The first write on a connection, up to where it counts. */
async function proven(write: Promise<unknown>, clock: FakeClock): Promise<void> {
  await eventually(() => clock.pendingTimers > 0);
  clock.advance(PROOF_MS);
  await write;
}

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
    const clock = new FakeClock();
    const connection = connectionTo(server, clock);
    await proven(Promise.all(['a', 'b', 'c'].map((text) => connection.write(line(text), never))), clock);
    await eventually(() => server.lines().length === 3);
    expect([server.accepted(), server.lines()]).toEqual([1, ['a', 'b', 'c']]);
    await connection.close();
  });

  it('goes on for the others when one who waits leaves', async () => {
    await using server = await startLineServer();
    const clock = new FakeClock();
    const connection = connectionTo(server, clock);
    await proven(connection.write(line('first'), never), clock);
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
    await proven(connection.write(line('first'), never), clock);
    server.pause();
    const late = new AbortController();
    const { outcome } = await fill(connection, late.signal);
    clock.advance(TIMEOUT_MS);
    late.abort();
    expect(await outcome).toMatchObject({ name: 'SendError', isRetryable: true });
    server.resume();
    await proven(connection.write(line('again'), never), clock);
    await eventually(() => server.lines().includes('again'));
    expect(server.accepted()).toBe(2);
    await connection.close();
  });

  it('holds a bounded number of bytes of those who left', async () => {
    await using server = await startLineServer();
    const clock = new FakeClock();
    const connection = connectionTo(server, clock);
    await proven(connection.write(line('first'), never), clock);
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
    await proven(connection.write(line('first'), never), clock);
    server.pause();
    const { outcome } = await fill(connection, never);
    const closed = connection.close();
    clock.advance(CLOSE_TIMEOUT_MS);
    await closed;
    expect([await outcome, clock.pendingTimers]).toEqual([expect.objectContaining({ name: 'SendError' }), 0]);
    expect(SINK_LIMITS.flushMsMax + CLOSE_TIMEOUT_MS).toBeLessThan(PLUGINS_END_MS);
  });

  it('goes on with what it began when whoever began it leaves, so that no line stands within another', async () => {
    await using server = await startLineServer();
    const clock = new FakeClock();
    const connection = connectionTo(server, clock);
    const leaving = new AbortController();
    const left = connection.write(line('first'), leaving.signal).catch((error: unknown) => error);
    await eventually(() => clock.pendingTimers > 0);
    const second = connection.write(line('second'), never);
    leaving.abort();
    expect(await left).toMatchObject({ name: 'SendError' });
    await proven(second, clock);
    await eventually(() => server.lines().length === 2);
    expect([server.accepted(), server.lines()]).toEqual([1, ['first', 'second']]);
    await connection.close();
  });
});

describe('ByteConnection, to an end that accepts and closes,', () => {
  it.each(['destroy', 'resetAndDestroy'] as const)('has written nothing (%s)', async (how) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket[how]();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const clock = new FakeClock();
    const connection = connectionTo({ port }, clock);
    let outcome: unknown;
    connection.write(line('lost'), never).then(
      () => (outcome = 'counted'),
      (error: unknown) => (outcome = error),
    );
    let isClosed = false;
    server.once('connection', (socket) => socket.once('close', () => (isClosed = true)));
    await eventually(() => isClosed);
    await eventually(() => {
      clock.advance(PROOF_MS);
      return outcome;
    });
    expect(outcome).toMatchObject({ name: 'SendError', isRetryable: true });
    await connection.close();
    await new Promise((resolve) => server.close(resolve));
  });

  it('has written to one that says goodbye at once and goes on reading', async () => {
    let text = '';
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      socket.setEncoding('utf8').on('data', (part: string) => (text += part));
      socket.end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const clock = new FakeClock();
    const connection = connectionTo({ port }, clock);
    for (const word of ['a', 'b']) await proven(connection.write(line(word), never), clock);
    await eventually(() => text === 'a\nb\n');
    await connection.close();
    await new Promise((resolve) => server.close(resolve));
    expect([text, clock.pendingTimers]).toEqual(['a\nb\n', 0]);
  });
});
