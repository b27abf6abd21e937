import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { eventually, freePort } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { AddressGuard } from '../transport/address-guard.ts';
import { ask, openClient, startRaw, startStreams, toPort } from './streams.test-support.ts';

/** What one direction may hold in this process and in the kernel, when nobody reads: far less than is sent. */
const heldBytesMax = 16 * 1024 * 1024;
const manyBytes = 64 * 1024 * 1024;

describe('a connection', () => {
  it('is carried both ways, and each side may end before the other', async () => {
    await using upstream = await startRaw((socket) => {
      let heard = '';
      socket.on('data', (chunk) => (heard += chunk.toString()));
      socket.on('end', () => socket.end(`heard ${heard}`));
    });
    await using bench = await startStreams(toPort(upstream.port));
    expect(await ask(bench.port, 'hello')).toBe('heard hello');
    await eventually(() => bench.finished[0]);
    expect(bench.finished[0]).toMatchObject({ failure: undefined, figures: { status: 200, requestBytes: 5 } });
    expect([bench.streams.open, bench.admitted()]).toEqual([0, 0]);
  });

  it('is carried whose upstream speaks first, and ends first', async () => {
    await using upstream = await startRaw((socket) => {
      socket.end('welcome');
      socket.on('data', (chunk) => socket.emit('heard', chunk.toString()));
    });
    await using bench = await startStreams(toPort(upstream.port));
    const client = openClient(bench.port);
    expect(await client.ended).toBe('end');
    expect(client.received()).toBe('welcome');
    const heard = once(upstream.sockets[0] ?? client.socket, 'heard');
    client.socket.end('still here');
    expect(await heard).toEqual(['still here']);
  });

  it('carries megabytes both ways at once, byte by byte as they were', async () => {
    const sent = randomBytes(8 * 1024 * 1024);
    await using upstream = await startRaw((socket) => void socket.pipe(socket));
    await using bench = await startStreams(toPort(upstream.port));
    const { socket } = openClient(bench.port);
    const digest = createHash('sha256');
    socket.on('data', (chunk: Buffer) => digest.update(chunk));
    socket.end(sent);
    await once(socket, 'end');
    expect(digest.digest('hex')).toBe(createHash('sha256').update(sent).digest('hex'));
    await eventually(() => bench.finished[0]);
    expect(bench.finished[0]?.figures).toMatchObject({ requestBytes: sent.length, responseBytes: sent.length });
  });

  it.each(['client', 'upstream'] as const)('whose %s reads nothing holds no more than buffers do', async (slow) => {
    let written = 0;
    const flood = (socket: NodeJS.WritableStream): void => {
      const chunk = Buffer.alloc(256 * 1024);
      const more = (): void => {
        while (written < manyBytes) {
          written += chunk.length;
          if (!socket.write(chunk)) return;
        }
      };
      socket.on('drain', more);
      more();
    };
    await using upstream = await startRaw((socket) => {
      if (slow === 'client') flood(socket);
      else socket.pause();
    });
    await using bench = await startStreams(toPort(upstream.port));
    const { socket } = openClient(bench.port);
    if (slow === 'client') socket.pause();
    else flood(socket);
    const series = bench.metrics.of('r1', 's1');
    const moved = (): number => series.receivedBytes + series.sentBytes;
    // It moves until everything is full, and not then: the same figure many turns later.
    let last = -1;
    let same = 0;
    await eventually(() => {
      same = moved() === last && last > 0 ? same + 1 : 0;
      last = moved();
      return same > 10;
    });
    expect(written).toBeLessThan(manyBytes);
    expect(moved()).toBeLessThan(heldBytesMax);
    (slow === 'client' ? socket : upstream.sockets[0])?.resume();
    await eventually(() => moved() >= manyBytes);
    socket.destroy();
  });

  it('is reset on both sides when one of them breaks it off', async () => {
    await using upstream = await startRaw((socket) => {
      socket.write('half of it');
      socket.once('data', () => socket.resetAndDestroy());
    });
    await using bench = await startStreams(toPort(upstream.port));
    const cutOff = openClient(bench.port);
    await eventually(() => cutOff.received() === 'half of it');
    cutOff.socket.write('x');
    expect(await cutOff.ended).toBe('ECONNRESET');
    const leaver = openClient(bench.port);
    await eventually(() => leaver.received() === 'half of it');
    const broken = once(upstream.sockets[1] ?? leaver.socket, 'error');
    leaver.socket.resetAndDestroy();
    expect(await broken).toMatchObject([{ code: 'ECONNRESET' }]);
    await eventually(() => bench.finished.length === 2);
    expect(bench.finished.map(({ failure, figures }) => [figures.status, failure])).toEqual([
      [200, 'upstream_reset'],
      [200, 'client_left'],
    ]);
  });

  it('is reset when nothing moves for as long as the route says', async () => {
    await using upstream = await startRaw(() => undefined);
    await using bench = await startStreams(toPort(upstream.port, { timeout_ms: { read: 50 } }));
    expect(await openClient(bench.port).ended).toBe('ECONNRESET');
    await eventually(() => bench.finished[0]);
    expect(bench.finished[0]).toMatchObject({ failure: 'idle_timeout', figures: { status: 200 } });
  });
});

describe('a connection that cannot be carried is reset, and the record says why', () => {
  it.each<[string, object, object, number, string]>([
    ['without a route', { destinations: [{ port: 1 }] }, {}, 404, 'no_route'],
    ['from where the route takes none', { sources: [{ ip: '192.0.2.1' }] }, {}, 404, 'no_route'],
    ['of a route without a service', { service_id: null }, {}, 503, 'no_target'],
    ['when nobody listens', {}, { retries: 0 }, 502, 'upstream_connect_failed'],
  ])('%s', async (_name, route, service, status, failure) => {
    await using bench = await startStreams(toPort(await freePort(), route, service));
    expect(await openClient(bench.port).ended).toBe('ECONNRESET');
    await eventually(() => bench.finished[0]);
    expect(bench.finished[0]).toMatchObject({ failure, figures: { status, statusSource: 'gateway' } });
  });

  it('to an address that is refused, which no connection reaches', async () => {
    await using upstream = await startRaw(() => undefined);
    const guard = new AddressGuard({ host: '192.0.2.1', port: 1 });
    guard.refuseOwnPort(upstream.port);
    await using bench = await startStreams(toPort(upstream.port), { guard });
    expect(await openClient(bench.port).ended).toBe('ECONNRESET');
    await eventually(() => bench.finished[0]);
    expect(bench.finished[0]).toMatchObject({ failure: 'upstream_refused' });
    expect(upstream.sockets).toHaveLength(0);
  });

  it('above the bound, and while the process is overloaded', async () => {
    await using upstream = await startRaw((socket) => void socket.write('in'));
    let admits = true;
    await using bench = await startStreams(toPort(upstream.port), { connectionsMax: 1, admits: () => admits });
    const first = openClient(bench.port);
    await eventually(() => first.received() === 'in');
    expect(await openClient(bench.port).ended).toBe('ECONNRESET');
    first.socket.resetAndDestroy();
    await eventually(() => bench.streams.open === 0);
    admits = false;
    expect(await openClient(bench.port).ended).toBe('ECONNRESET');
    expect(bench.finished.map(({ figures }) => figures.status)).toEqual([503, 200, 503]);
    expect(
      bench.metrics
        .of('r1', 's1')
        .over.requests()
        .map(({ count }) => count),
    ).toEqual([1, 2]);
  });
});

describe('upstreams', () => {
  const targets = (ports: readonly number[], more: (index: number) => object = () => ({})) => ({
    services: [{ id: 's1', name: 'db', upstream_id: 'u1' }],
    routes: [{ id: 'r1', name: 'db', service_id: 's1', protocols: ['tcp'] }],
    upstreams: [{ id: 'u1', name: 'pool', protocol: 'tcp' }],
    targets: ports.map((port, index) => ({
      id: `t${index}`,
      upstream_id: 'u1',
      host: '127.0.0.1',
      port,
      ...more(index),
    })),
  });

  it('share connections by weight, and one that is gone is passed over', async () => {
    await using one = await startRaw((socket) => socket.end('one'));
    await using two = await startRaw((socket) => socket.end('two'));
    const weights = [75, 25, 100];
    await using bench = await startStreams(targets([one.port, two.port], (index) => ({ weight: weights[index] })));
    const answers: string[] = [];
    for (let count = 0; count < 8; count += 1) answers.push(await ask(bench.port, ''));
    expect(answers.toSorted()).toEqual([...Array<string>(6).fill('one'), 'two', 'two']);
    await bench.publish(targets([one.port, two.port, await freePort()], (index) => ({ weight: weights[index] })));
    for (let count = 0; count < 8; count += 1) expect(['one', 'two']).toContain(await ask(bench.port, ''));
  });

  it('of a better tier come first, until nobody is there', async () => {
    await using spare = await startRaw((socket) => socket.end('spare'));
    const gone = await freePort();
    await using bench = await startStreams(targets([gone, spare.port], (index) => ({ priority: index === 0 ? 1 : 0 })));
    expect(await ask(bench.port, '')).toBe('spare');
  });

  it('have a connection that is under way counted until it is over, also under a newer configuration', async () => {
    await using upstream = await startRaw((socket) => void socket.write('in'));
    await using bench = await startStreams(toPort(upstream.port));
    const client = openClient(bench.port);
    await eventually(() => client.received() === 'in');
    await bench.publish(toPort(await freePort()));
    upstream.sockets[0]?.write(' and on');
    await eventually(() => client.received() === 'in and on');
    expect(bench.metrics.of('r1', 's1').open).toBe(1);
    client.socket.resetAndDestroy();
    await eventually(() => bench.metrics.of('r1', 's1').open === 0);
    expect(await openClient(bench.port).ended).toBe('ECONNRESET');
  });
});

describe('a gateway that stops', () => {
  it('waits for connections that end, and cuts the others', async () => {
    await using upstream = await startRaw((socket) => void socket.write('in'));
    await using bench = await startStreams(toPort(upstream.port));
    const [leaver, stayer] = [openClient(bench.port), openClient(bench.port)];
    await eventually(() => leaver.received() + stayer.received() === 'inin');
    const drained = bench.streams.drain(200);
    leaver.socket.resetAndDestroy();
    expect(await stayer.ended).toBe('ECONNRESET');
    expect(await drained).toBe(1);
    expect(bench.finished.map(({ failure }) => failure)).toEqual(['client_left', 'gateway_stopped']);
    expect(await bench.streams.drain(60_000)).toBe(0);
  });
});
