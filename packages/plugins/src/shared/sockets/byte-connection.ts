import type { Socket } from 'node:net';
import type { PluginServices } from '@portcullis/plugin-runtime';
import { SharedCalls } from '../shared-calls.ts';
import { SendError } from '../sinks/record-sender.ts';
import { connectTo, type PeerTarget } from './connect-to.ts';

/** Longest time in which the end of a connection is written, in milliseconds. After it the connection is cut. */
export const CLOSE_TIMEOUT_MS = 500;

/** Bytes that may wait in a connection for an end that reads nothing. Above it the connection is cut. */
export const WAITING_BYTES_MAX: number = 4 * 1024 * 1024;

/** Share of the time that the other end has, after which whoever gives up did so because of it. */
const WHOLE = 0.9;

/**
 * A connection to a configured host that is made when it is needed and made anew after it broke. What the other end says is read and
 * thrown away. Writes go out in the order of their calls, each in one piece.
 */
export class ByteConnection {
  readonly #target: PeerTarget;
  readonly #services: Pick<PluginServices, 'clock' | 'outbound' | 'timers'>;
  readonly #timeoutMs: number;
  /** Those who need a connection at the same time wait for one. */
  readonly #connecting = new SharedCalls<Socket>();
  #socket: Socket | undefined;

  /** @param timeoutMs how long the other end may take nothing before it is left */
  constructor(target: PeerTarget, services: Pick<PluginServices, 'clock' | 'outbound' | 'timers'>, timeoutMs: number) {
    this.#target = target;
    this.#services = services;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Writes bytes, and connects before where there is no connection. It is done once the system has taken all of them, which is not yet
   * the other end: TCP has no receipt. While the other end reads nothing, it waits.
   * @param signal ends the wait. The connection is cut where the other end had its time, because a part of the bytes may have gone: what
   * follows begins on a new one. Who leaves before that leaves the bytes on their way, because others wait for theirs behind them
   * @throws SendError that may be tried again
   */
  async write(bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    // One that was cut a moment ago has not said so yet.
    const known = this.#socket?.destroyed === true ? undefined : this.#socket;
    const socket = known ?? (await this.#connected(signal));
    const { clock } = this.#services;
    const cutAtMs = clock.monotonicMs() + this.#timeoutMs * WHOLE;
    await written(socket, bytes, signal, () => clock.monotonicMs() >= cutAtMs);
  }

  /** Ends the connection after what was written, for a bounded time. A later write connects anew. */
  async close(): Promise<void> {
    const socket = this.#socket;
    this.#socket = undefined;
    if (socket === undefined || socket.destroyed) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const late = this.#services.timers.set(() => socket.destroy(), CLOSE_TIMEOUT_MS);
    socket.once('close', () => {
      this.#services.timers.clear(late);
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
    const socket = await connectTo(this.#target, this.#services.outbound, signal);
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

function written(socket: Socket, bytes: Uint8Array, signal: AbortSignal, isLate: () => boolean): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onClose = (): void => reject(new SendError('the host closed the connection', true));
  const onAbort = (): void => {
    if (isLate() || socket.writableLength > WAITING_BYTES_MAX) socket.destroy();
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
