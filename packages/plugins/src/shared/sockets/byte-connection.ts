import type { Socket } from 'node:net';
import type { Outbound, Timers } from '@portcullis/plugin-runtime';
import { SharedCalls } from '../shared-calls.ts';
import { SendError } from '../sinks/record-sender.ts';
import { connectTo, type PeerTarget } from './connect-to.ts';

/** Longest time in which the end of a connection is written, in milliseconds. After it the connection is cut. */
export const CLOSE_TIMEOUT_MS = 500;

/**
 * A connection to a configured host that is made when it is needed and made anew after it broke. What the other end says is read and
 * thrown away. Writes go out in the order of their calls, each in one piece.
 */
export class ByteConnection {
  readonly #target: PeerTarget;
  readonly #outbound: Outbound;
  readonly #timers: Timers;
  /** Those who need a connection at the same time wait for one. */
  readonly #connecting = new SharedCalls<Socket>();
  #socket: Socket | undefined;

  constructor(target: PeerTarget, outbound: Outbound, timers: Timers) {
    this.#target = target;
    this.#outbound = outbound;
    this.#timers = timers;
  }

  /**
   * Writes bytes, and connects before where there is no connection. It is done once the system has taken all of them, which is not yet
   * the other end: TCP has no receipt. While the other end reads nothing, it waits.
   * @param signal ends the wait. The connection is cut then, because a part of the bytes may have gone: what follows begins on a new one
   * @throws SendError that may be tried again
   */
  async write(bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    const socket = this.#socket ?? (await this.#connected(signal));
    await written(socket, bytes, signal);
  }

  /** Ends the connection after what was written, for a bounded time. A later write connects anew. */
  async close(): Promise<void> {
    const socket = this.#socket;
    this.#socket = undefined;
    if (socket === undefined || socket.destroyed) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const late = this.#timers.set(() => socket.destroy(), CLOSE_TIMEOUT_MS);
    socket.once('close', () => {
      this.#timers.clear(late);
      resolve();
    });
    socket.end();
    await promise;
  }

  async #connected(signal: AbortSignal): Promise<Socket> {
    try {
      return await this.#connecting.wait('', signal, (left) => this.#connect(left));
    } catch (error) {
      throw new SendError('the host cannot be reached', true, { cause: error });
    }
  }

  async #connect(signal: AbortSignal): Promise<Socket> {
    const socket = await connectTo(this.#target, this.#outbound, signal);
    if (signal.aborted) {
      socket.destroy();
      throw new Error('connecting was given up');
    }
    this.#socket = socket;
    const forget = (): void => {
      if (this.#socket === socket) this.#socket = undefined;
    };
    socket.on('close', forget);
    // Half closed: the other end says that it is going. What is written to it from now on would be lost.
    socket.on('end', forget);
    socket.resume();
    // An idle sink must not keep a process alive that has nothing else to do.
    socket.unref();
    return socket;
  }
}

function written(socket: Socket, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onClose = (): void => reject(new SendError('the host closed the connection', true));
  const onAbort = (): void => {
    socket.destroy();
    reject(new SendError('the host takes nothing more', true));
  };
  socket.once('close', onClose);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  else if (socket.destroyed) onClose();
  else
    socket.write(bytes, (error) => {
      if (error === null || error === undefined) resolve();
      else reject(new SendError('the connection broke', true, { cause: error }));
    });
  return promise.finally(() => {
    socket.off('close', onClose);
    signal.removeEventListener('abort', onAbort);
  });
}
