import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { System } from '../adapters/system.ts';
import type { AddressGuard } from '../transport/address-guard.ts';
import { failures, upstreamFailure } from '../transport/upstream-failures.ts';
import { tlsOptionsOf } from '../transport/upstream-tls.ts';
import type { UpstreamAddress, UpstreamFailure, UpstreamProtocol } from '../transport/upstream-transport.ts';

/** Idle connections ask the other machine after this whether it is still there, as those of a machine that lost its power never end. */
export const keepAliveMs = 60_000;

/** Who hears how it went: one of the two, once, unless it is given up. */
export interface DialListener {
  /** The socket is paused: nothing of it has been read. */
  onConnected(socket: Socket): void;
  onFailed(failure: UpstreamFailure): void;
}

/** A connection that is being made. */
export interface Dialing {
  /** Gives it up; the listener hears nothing more. */
  abort(): void;
}

/** Makes a connection to an upstream, in TLS where the address's protocol has it. */
export type Dial = (address: UpstreamAddress, listener: DialListener) => Dialing;

const encrypted: ReadonlySet<UpstreamProtocol> = new Set<UpstreamProtocol>(['tls', 'https', 'grpcs']);

/** Connections of this process, never to an address that the guard refuses. */
export function createDial(guard: AddressGuard, { setTimer }: Pick<System, 'setTimer'>): Dial {
  return (address, listener) => {
    const { host, port, protocol, connectTimeoutMs } = address;
    if (guard.refuses(host, port)) return later(() => listener.onFailed(failures.refused));
    const place = { host, port, lookup: guard.lookupFor(port), allowHalfOpen: true };
    const isEncrypted = encrypted.has(protocol);
    let socket: Socket;
    try {
      socket = isEncrypted ? connectTls({ ...place, ...tlsOptionsOf(address) }) : connectTcp(place);
    } catch {
      // A certificate or key that TLS does not take: it is the configuration's, and must not stop anybody else.
      return later(() => listener.onFailed(failures.connectFailed));
    }
    return new SocketDialing(socket, isEncrypted ? 'secureConnect' : 'connect', listener, (onLate) =>
      setTimer(onLate, connectTimeoutMs),
    );
  };
}

class SocketDialing implements Dialing {
  readonly #socket: Socket;
  readonly #cancel: () => void;
  readonly #onError = (error: Error): void => this.#fail(upstreamFailure(error, false));
  readonly #onClose = (): void => this.#fail(failures.connectFailed);
  readonly #listener: DialListener;
  #isOver = false;

  constructor(
    socket: Socket,
    readyEvent: 'connect' | 'secureConnect',
    listener: DialListener,
    arm: (onLate: () => void) => () => void,
  ) {
    this.#socket = socket;
    this.#listener = listener;
    this.#cancel = arm(() => this.#fail(failures.connectTimeout));
    socket.pause();
    socket.setNoDelay(true);
    socket.setKeepAlive(true, keepAliveMs);
    socket.on('error', this.#onError);
    socket.once('close', this.#onClose);
    socket.once(readyEvent, () => this.#connected());
  }

  abort(): void {
    if (this.#isOver) return;
    this.#end();
    this.#socket.destroy();
  }

  #connected(): void {
    if (this.#isOver) return;
    this.#end();
    this.#socket.off('error', this.#onError);
    this.#socket.off('close', this.#onClose);
    this.#listener.onConnected(this.#socket);
  }

  #fail(failure: UpstreamFailure): void {
    if (this.#isOver) return;
    this.#end();
    this.#socket.destroy();
    this.#listener.onFailed(failure);
  }

  #end(): void {
    this.#isOver = true;
    this.#cancel();
  }
}

function later(callback: () => void): Dialing {
  let isOver = false;
  queueMicrotask(() => {
    if (!isOver) callback();
  });
  return { abort: () => void (isOver = true) };
}
