import { eventually, FakeClock } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { startDatagramServer } from '../../testing/datagram-server.ts';
import { loopback } from '../../testing/emitter-bench.ts';
import { BURST_DATAGRAMS_MAX, BURST_MS } from './burst-pace.ts';
import { ADDRESS_MS, DatagramPeer } from './datagram-peer.ts';

function peerOf(port: number, clock: FakeClock): DatagramPeer {
  const timers = { set: clock.setTimer, clear: (cancel: unknown) => (cancel as () => void)() };
  return new DatagramPeer({ host: 'a.test', port }, { clock, timers, outbound: loopback });
}

const never = new AbortController().signal;
const texts = (count: number): readonly Uint8Array[] =>
  Array.from({ length: count }, (_, index) => Buffer.from(`${index}`));

describe('a peer of datagrams', () => {
  it('pauses after each burst, and sends all in their order', async () => {
    await using server = await startDatagramServer();
    const clock = new FakeClock();
    const peer = peerOf(server.port, clock);
    const count = 2 * BURST_DATAGRAMS_MAX + 1;
    const sent = peer.send(texts(count), never);
    for (const burst of [1, 2]) {
      await eventually(() => server.datagrams().length === burst * BURST_DATAGRAMS_MAX && clock.pendingTimers === 1);
      clock.advance(BURST_MS);
    }
    await sent;
    await eventually(() => server.datagrams().length === count);
    expect(server.datagrams()).toEqual(texts(count).map(String));
    peer.close();
  });

  it('ends the pause when nobody waits any more', async () => {
    await using server = await startDatagramServer();
    const clock = new FakeClock();
    const peer = peerOf(server.port, clock);
    const leaving = new AbortController();
    const sent = peer.send(texts(BURST_DATAGRAMS_MAX + 1), leaving.signal).catch((error: unknown) => error);
    await eventually(() => clock.pendingTimers === 1);
    leaving.abort();
    expect([await sent, clock.pendingTimers]).toEqual([expect.objectContaining({ name: 'SendError' }), 0]);
    peer.close();
  });

  it('takes what is offered once it has a socket, while there is room in the burst and the address is new', async () => {
    await using server = await startDatagramServer();
    const clock = new FakeClock();
    const peer = peerOf(server.port, clock);
    const outcomes: (Error | null)[] = [];
    const offer = (): boolean => peer.offer(Buffer.from('offered'), (error) => void outcomes.push(error));
    expect(offer()).toBe(false);
    await peer.send([Buffer.from('first')], never);
    const offered = Array.from({ length: BURST_DATAGRAMS_MAX }, offer);
    // One of the burst went before.
    expect([offered.indexOf(false), outcomes]).toEqual([BURST_DATAGRAMS_MAX - 1, []]);
    await eventually(() => server.datagrams().length === BURST_DATAGRAMS_MAX);
    expect(new Set(outcomes)).toEqual(new Set([null]));
    clock.advance(ADDRESS_MS);
    expect(offer()).toBe(false);
    peer.close();
    expect(offer()).toBe(false);
  });
});
