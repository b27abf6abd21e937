import { createSocket, type Socket } from 'node:dgram';
import type { OutboundAddress, PluginServices } from '@portcullis/plugin-runtime';
import { SharedCalls } from '../shared-calls.ts';
import { SendError } from '../sinks/record-sender.ts';
import { withoutBrackets } from './address-fields.ts';
import { BURST_MS, BurstPace } from './burst-pace.ts';
import type { PeerTarget } from './connect-to.ts';

/** For how long an address of a name is used, in milliseconds: whoever moves a server is followed within a minute. */
export const ADDRESS_MS = 60_000;

/** What a peer needs of the host. */
type PeerServices = Pick<PluginServices, 'clock' | 'outbound' | 'timers'>;

/**
 * Sends datagrams to a configured host, from a socket that is tied to one address that the way out gave. Whether they arrive is not
 * known; an answer that nobody listens there ends the socket, and the next sending tells of it. They leave in bursts that a receiver has
 * room for.
 */
export class DatagramPeer {
  readonly #target: PeerTarget;
  readonly #services: PeerServices;
  readonly #pace = new BurstPace();
  /** Those who need a socket at the same time wait for one. */
  readonly #opening = new SharedCalls<Socket>();
  #socket: Socket | undefined;
  #untilMs = 0;
  #refusal: Error | undefined;

  constructor(target: PeerTarget, services: PeerServices) {
    this.#target = target;
    this.#services = services;
  }

  /**
   * Sends a datagram at once, where that takes no waiting.
   * @param onSent is told that the system took it, or why not; never before this returns
   * @returns `false` for one that was not sent: there is no socket yet, or no room in the burst
   */
  offer(datagram: Uint8Array, onSent: (error: Error | null) => void): boolean {
    const socket = this.#socket;
    const nowMs = this.#services.clock.monotonicMs();
    if (socket === undefined || this.#refusal !== undefined || nowMs >= this.#untilMs) return false;
    if (!this.#pace.take(datagram.length, nowMs)) return false;
    socket.send(datagram, (error) => {
      if (error !== null && this.#socket === socket) this.#refusal = error;
      onSent(error);
    });
    return true;
  }

  /**
   * Sends datagrams in order, with a pause after each burst; after a failure, perhaps only some of them.
   * @throws SendError that may be tried again
   */
  async send(datagrams: readonly Uint8Array[], signal: AbortSignal): Promise<void> {
    const refusal = this.#refusal;
    if (refusal !== undefined) {
      this.close();
      throw new SendError('nobody listens at the host', true, { cause: refusal });
    }
    const { clock, timers } = this.#services;
    const isKnown = this.#socket !== undefined && clock.monotonicMs() < this.#untilMs;
    const socket = isKnown && this.#socket !== undefined ? this.#socket : await this.#opened(signal);
    try {
      for (let at = 0; at < datagrams.length;) {
        const burst = this.#burst(datagrams, at);
        at += burst.length;
        // Each waits for the one before: that is what bursts are for.
        // oxlint-disable-next-line no-await-in-loop -- see above
        await (burst.length > 0 ? sent(socket, burst, signal) : pause(timers, signal));
      }
    } catch (error) {
      if (this.#socket === socket) this.close();
      throw new SendError('a datagram could not be sent', true, { cause: error });
    }
  }

  /** Lets go of the socket. Safe to call twice; a later sending makes another. */
  close(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    this.#refusal = undefined;
    socket?.close();
  }

  /** What may leave now of those from `start` on. */
  #burst(datagrams: readonly Uint8Array[], start: number): readonly Uint8Array[] {
    const nowMs = this.#services.clock.monotonicMs();
    let end = start;
    for (let next = datagrams[end]; next !== undefined && this.#pace.take(next.length, nowMs); next = datagrams[end])
      end += 1;
    return datagrams.slice(start, end);
  }

  async #opened(signal: AbortSignal): Promise<Socket> {
    try {
      return await this.#opening.wait('', signal, (left) => this.#open(left));
    } catch (error) {
      throw new SendError('the host cannot be reached', true, { cause: error });
    }
  }

  async #open(signal: AbortSignal): Promise<Socket> {
    const { host, port } = this.#target;
    const [address] = await this.#services.outbound.resolve(withoutBrackets(host), port, signal);
    if (address === undefined) throw new Error('the host has no address');
    const socket = await tied(address);
    if (signal.aborted) {
      socket.close();
      throw new Error('opening was given up');
    }
    this.close();
    socket.on('error', (error) => {
      if (this.#socket === socket) this.#refusal = error;
    });
    this.#socket = socket;
    this.#untilMs = this.#services.clock.monotonicMs() + ADDRESS_MS;
    return socket;
  }
}

/** A socket that sends to one address and hears of nobody else. */
function tied({ address, family, port }: OutboundAddress): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = createSocket(family === 6 ? 'udp6' : 'udp4');
  const fail = (error: Error): void => {
    socket.close();
    reject(error);
  };
  socket.once('error', fail);
  socket.once('connect', () => {
    socket.off('error', fail);
    // Waiting for answers that nobody reads must not keep a process alive.
    socket.unref();
    resolve(socket);
  });
  socket.connect(port, address);
  return promise;
}

function sent(socket: Socket, datagrams: readonly Uint8Array[], signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onAbort = (): void => reject(new Error('sending takes too long'));
  signal.addEventListener('abort', onAbort, { once: true });
  let left = datagrams.length;
  const onSent = (error: Error | null): void => {
    left -= 1;
    if (error !== null) reject(error);
    else if (left === 0) resolve();
  };
  if (signal.aborted) onAbort();
  else if (left === 0) resolve();
  else for (const datagram of datagrams) socket.send(datagram, onSent);
  return promise.finally(() => signal.removeEventListener('abort', onAbort));
}

async function pause(timers: PeerServices['timers'], signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const onAbort = (): void => resolve();
  const timer = timers.set(resolve, BURST_MS);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) resolve();
  await promise;
  timers.clear(timer);
  signal.removeEventListener('abort', onAbort);
  signal.throwIfAborted();
}
