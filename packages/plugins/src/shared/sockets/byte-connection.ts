import type { Socket } from 'node:net';
import type { PluginServices } from '@portcullis/plugin-runtime';
import { SharedCalls } from '../shared-calls.ts';
import { SendError } from '../sinks/record-sender.ts';
import { connectTo, type PeerTarget } from './connect-to.ts';
import { put, waited } from './socket-writes.ts';

/**
 * Longest time in which the end of a connection is written, in milliseconds. After it the connection is cut; what the system took still goes.
 * A sink that ends sends for 1.8 s before, and a gateway that ends gives its plugins 2 s for both.
 */
export const CLOSE_TIMEOUT_MS = 150;

/**
 * How long a new connection is looked at before what went first on it counts, in milliseconds: a relay without a server behind it accepts
 * everybody, and closes. At most a quarter of the time that the other end has.
 */
export const PROOF_MS = 100;

/** Share of the time that the other end has, after which whoever gives up did so because of it. */
const WHOLE = 0.9;

/** A connection, and whether the other end is more than one who accepts. */
interface Link {
  readonly socket: Socket;
  /** What went first, which the others wait for. */
  proof?: Promise<void>;
  isProven: boolean;
}

/**
 * A connection to a configured host that is made when it is needed and made anew after it broke. What the other end says is read and
 * thrown away. Writes go out in the order of their calls, each in one piece.
 */
export class ByteConnection {
  readonly #target: PeerTarget;
  readonly #services: Pick<PluginServices, 'clock' | 'outbound' | 'timers'>;
  readonly #timeoutMs: number;
  /** Those who need a connection at the same time wait for one. */
  readonly #connecting = new SharedCalls<Link>();
  #link: Link | undefined;

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
    if (signal.aborted) throw new SendError('nobody waits for it any more', true);
    // One that was cut a moment ago has not said so yet.
    const known = this.#link?.socket.destroyed === true ? undefined : this.#link;
    const link = known ?? (await this.#connected(signal));
    const { socket, proof } = link;
    const { clock } = this.#services;
    const cutAtMs = clock.monotonicMs() + this.#timeoutMs * WHOLE;
    const isLate = (): boolean => clock.monotonicMs() >= cutAtMs;
    if (proof === undefined) return waited((link.proof = this.#prove(link, bytes)), socket, signal, isLate);
    if (!link.isProven) await waited(proof, socket, signal, isLate);
    await waited(put(socket, bytes), socket, signal, isLate);
  }

  /** Ends the connection after what was written, for a bounded time. A later write connects anew. */
  async close(): Promise<void> {
    const socket = this.#link?.socket;
    this.#link = undefined;
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

  async #connected(signal: AbortSignal): Promise<Link> {
    try {
      return await this.#connecting.wait('', signal, (left) => this.#connect(left));
    } catch (error) {
      throw new SendError('the host cannot be reached', true, { cause: error });
    }
  }

  async #connect(signal: AbortSignal): Promise<Link> {
    const socket = await connectTo(this.#target, this.#services.outbound, signal);
    if (signal.aborted) {
      socket.destroy();
      throw new Error('connecting was given up');
    }
    const link: Link = { socket, isProven: false };
    this.#link = link;
    const forget = (): void => {
      if (this.#link === link) this.#link = undefined;
    };
    socket.on('close', forget);
    // Half closed: the other end says that it is going. What is written to it from now on would be lost.
    socket.on('end', () => {
      forget();
      const end = (): void => void socket.end();
      if (link.proof === undefined) end();
      else link.proof.then(end, end);
    });
    socket.resume();
    // An idle sink must not keep a process alive that has nothing else to do.
    socket.unref();
    return link;
  }

  /**
   * Writes what goes first. Its last byte goes later: where the other end has closed meanwhile, the system says so then, and in no other
   * way to who has read a goodbye. Goes on when nobody waits for it any more, because half a line would stand before the next.
   */
  async #prove(link: Link, bytes: Uint8Array): Promise<void> {
    const { socket } = link;
    const { timers } = this.#services;
    await put(socket, bytes.subarray(0, -1));
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = timers.set(resolve, Math.min(PROOF_MS, this.#timeoutMs / 4));
    socket.once('close', resolve);
    await promise;
    timers.clear(timer);
    socket.off('close', resolve);
    await put(socket, bytes.subarray(-1));
    link.isProven = true;
  }
}
