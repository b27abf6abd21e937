import { connect, type Socket } from 'node:net';
import type { Outbound, OutboundAddress } from '@portcullis/plugin-runtime';
import { withoutBrackets } from './address-fields.ts';

/** Who is called: a configured host. */
export interface PeerTarget {
  /** Name or IP address; brackets around an IPv6 address are none of it. */
  readonly host: string;
  readonly port: number;
}

/** Most addresses of one name that are tried. */
export const ADDRESSES_MAX = 3;

/** Idle time after which the system asks whether the other end is still there, in milliseconds. */
const KEEP_ALIVE_MS = 15_000;

/**
 * Connects to a host: to an address that the way out gives, and to no other, so that a name which leads elsewhere a moment later leads
 * nowhere. When the other end says goodbye, it is the caller's to end the connection.
 * @param signal ends the attempt; an open connection no more
 * @throws Error without any address in its message when no address lets us in
 */
export async function connectTo(target: PeerTarget, outbound: Outbound, signal: AbortSignal): Promise<Socket> {
  const addresses = await outbound.resolve(withoutBrackets(target.host), target.port, signal);
  let failure: unknown;
  for (const address of addresses.slice(0, ADDRESSES_MAX)) {
    try {
      // One after the other: the next is asked only where this one fails.
      // oxlint-disable-next-line no-await-in-loop -- see above
      return await opened(address, signal);
    } catch (error) {
      failure = error;
    }
  }
  throw new Error('no address of the host accepts connections', { cause: failure });
}

function opened({ address, family, port }: OutboundAddress, signal: AbortSignal): Promise<Socket> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = connect({ host: address, family, port, noDelay: true, keepAlive: true, allowHalfOpen: true });
  socket.setKeepAlive(true, KEEP_ALIVE_MS);
  const giveUp = (): void => {
    socket.destroy();
    reject(new Error('connecting was given up'));
  };
  signal.addEventListener('abort', giveUp, { once: true });
  socket.once('connect', () => {
    signal.removeEventListener('abort', giveUp);
    resolve(socket);
  });
  // Stays: an error between this listener and the next would be uncaught.
  socket.on('error', reject);
  socket.once('close', () => {
    signal.removeEventListener('abort', giveUp);
    reject(new Error('the connection was closed'));
  });
  return promise;
}
