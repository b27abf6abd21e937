import type { ExchangeFailure } from './exchange.ts';

/**
 * Reads a message's body into memory and keeps it for whoever it goes to; a second call gives the same bytes, which stay the
 * host's: plugins get a copy. A body of more than `bytesMax` gives `undefined` and still arrives whole. A rejection says that
 * whoever sends the body did not send all of it, or that the host has no room.
 * @param isOptional gives `undefined`, too, where the host has no room for the whole body: the body still arrives
 */
export type BodyReader = (bytesMax: number, isOptional?: boolean) => Promise<Uint8Array | undefined>;

/** Who sends a body that a hook waits for. */
export type Peer = 'client' | 'upstream';

/** Is told of waits for bodies: such time is not the hook's, and a body that breaks is not its mistake. */
export interface PeerWatch {
  beginPeerWait(peer: Peer): void;
  endPeerWait(): void;
  /** The peer did not send the whole body, or not in time. */
  notePeerFailure(failure: ExchangeFailure): void;
}

/** How a request ends whose body, or whose answer's body, broke off while a plugin read it. */
export const BODY_FAILED: Readonly<Record<Peer, ExchangeFailure>> = {
  client: { code: 'request_body_failed', message: 'the body of the request was not whole' },
  upstream: { code: 'upstream_body_failed', message: "the body of the upstream's answer was not whole" },
};

/** How a request ends whose body, or whose answer's body, did not arrive in the time that a host gives it. */
export const BODY_TOO_SLOW: Readonly<Record<Peer, ExchangeFailure>> = {
  client: { code: 'request_body_timeout', message: 'the body of the request took too long' },
  upstream: { code: 'upstream_timeout', message: "the body of the upstream's answer took too long" },
};

/** Milliseconds that one call of a hook may wait for bodies in all, unless the runtime's options say otherwise. */
export const BODY_TIMEOUT_MS = 60_000;

/** Reads a peer's body for a plugin, and tells of the wait. @returns a copy, or `undefined` for more than `bytesMax` bytes */
export function readPeerBody(
  read: BodyReader,
  bytesMax: number,
  peer: Peer,
  watch: PeerWatch | undefined,
  isOptional = false,
): Promise<Uint8Array | undefined> {
  const reading = readWatched(read, bytesMax, peer, watch, isOptional);
  // A hook that asks for a body and does not wait for it must not bring the process down.
  reading.catch(() => undefined);
  return reading;
}

async function readWatched(
  read: BodyReader,
  bytesMax: number,
  peer: Peer,
  watch: PeerWatch | undefined,
  isOptional: boolean,
): Promise<Uint8Array | undefined> {
  watch?.beginPeerWait(peer);
  try {
    const body = await read(bytesMax, isOptional);
    return body === undefined || body.length > bytesMax ? undefined : new Uint8Array(body);
  } catch (error) {
    watch?.notePeerFailure(BODY_FAILED[peer]);
    throw error;
  } finally {
    watch?.endPeerWait();
  }
}
