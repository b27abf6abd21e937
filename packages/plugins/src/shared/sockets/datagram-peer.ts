import { createSocket, type Socket } from 'node:dgram';
import type { Outbound, OutboundAddress } from '@portcullis/plugin-runtime';
import { SharedCalls } from '../shared-calls.ts';
import { SendError } from '../sinks/record-sender.ts';
import { withoutBrackets } from './address-fields.ts';
import type { PeerTarget } from './connect-to.ts';

/** For how long an address of a name is used, in milliseconds: whoever moves a server is followed within a minute. */
export const ADDRESS_MS = 60_000;

/**
 * Sends datagrams to a configured host, from a socket that is tied to one address that the way out gave. Whether they arrive is not
 * known; an answer that nobody listens there ends the socket, and the next sending tells of it.
 */
export class DatagramPeer {
  readonly #target: PeerTarget;
  readonly #outbound: Outbound;
  readonly #nowMs: () => number;
  /** Those who need a socket at the same time wait for one. */
  readonly #opening = new SharedCalls<Socket>();
  #socket: Socket | undefined;
  #untilMs = 0;
  #refusal: Error | undefined;

  /** @param nowMs never goes back */
  constructor(target: PeerTarget, outbound: Outbound, nowMs: () => number) {
    this.#target = target;
    this.#outbound = outbound;
    this.#nowMs = nowMs;
  }

  /**
   * Sends datagrams in order; after a failure, perhaps only some of them.
   * @throws SendError that may be tried again
   */
  async send(datagrams: readonly Uint8Array[], signal: AbortSignal): Promise<void> {
    const refusal = this.#refusal;
    if (refusal !== undefined) {
      this.close();
      throw new SendError('nobody listens at the host', true, { cause: refusal });
    }
    const isKnown = this.#socket !== undefined && this.#nowMs() < this.#untilMs;
    const socket = isKnown && this.#socket !== undefined ? this.#socket : await this.#opened(signal);
    try {
      await sent(socket, datagrams, signal);
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

  async #opened(signal: AbortSignal): Promise<Socket> {
    try {
      return await this.#opening.wait('', signal, (left) => this.#open(left));
    } catch (error) {
      throw new SendError('the host cannot be reached', true, { cause: error });
    }
  }

  async #open(signal: AbortSignal): Promise<Socket> {
    const { host, port } = this.#target;
    const [address] = await this.#outbound.resolve(withoutBrackets(host), port, signal);
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
    this.#untilMs = this.#nowMs() + ADDRESS_MS;
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
