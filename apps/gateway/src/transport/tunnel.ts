import type { Socket } from 'node:net';
import { DeadlineWatch, type Watched } from '@portcullis/egress';

/** How late an idle tunnel may be noticed. */
const sweepMs = 100;

const idleTunnels = new DeadlineWatch(sweepMs);

/** How a tunnel ended: both sides said that they were through, one was gone before, or nothing came through for too long. */
export type TunnelEnd = 'closed' | 'clientLost' | 'upstreamLost' | 'idle';

/**
 * Two connections joined into one. Bytes go both ways as they come; what one side does not take, the other is not asked for, so that of each
 * direction no more is held than the buffers of two sockets. A side that ends leaves the other direction open, until that ends too.
 */
export class Tunnel implements Watched {
  place = -1;
  deadlineMs: number;
  readonly #client: Socket;
  readonly #upstream: Socket;
  readonly #idleMs: number;
  readonly #monotonicMs: () => number;
  readonly #onOver: (end: TunnelEnd) => void;
  readonly #toClient: Direction;
  readonly #toUpstream: Direction;
  #end: TunnelEnd = 'closed';
  #open = 2;

  /**
   * @param idleMs the tunnel is cut when for so long nothing moved in it, in either direction
   * @param onOver told once, when both connections are gone
   */
  constructor(
    client: Socket,
    upstream: Socket,
    idleMs: number,
    monotonicMs: () => number,
    onOver: (end: TunnelEnd) => void,
  ) {
    this.#client = client;
    this.#upstream = upstream;
    this.#idleMs = idleMs;
    this.#monotonicMs = monotonicMs;
    this.#onOver = onOver;
    this.deadlineMs = monotonicMs() + idleMs;
    const moved = (): void => void (this.deadlineMs = monotonicMs() + idleMs);
    this.#toClient = new Direction(upstream, client, moved);
    this.#toUpstream = new Direction(client, upstream, moved);
    // Not every socket was made with it, and one that was not ends its own half with the other's.
    client.allowHalfOpen = true;
    upstream.allowHalfOpen = true;
    this.#watchEnd(client, upstream, 'clientLost');
    this.#watchEnd(upstream, client, 'upstreamLost');
    idleTunnels.add(this);
  }

  /** Bytes for the client so far. */
  get clientBytes(): number {
    return this.#toClient.bytes;
  }

  /** Bytes for the upstream so far. */
  get upstreamBytes(): number {
    return this.#toUpstream.bytes;
  }

  expire(): void {
    this.deadlineMs = this.#monotonicMs() + this.#idleMs;
    if (this.#end === 'closed') this.#end = 'idle';
    this.destroy();
  }

  /** Cuts both connections. */
  destroy(): void {
    this.#client.destroy();
    this.#upstream.destroy();
  }

  #watchEnd(socket: Socket, other: Socket, lost: TunnelEnd): void {
    const leave = (): void => {
      // What it sent before it was gone is still brought to the other one.
      if (!this.#isThrough && this.#end === 'closed') this.#end = lost;
      if (!other.destroyed) other.destroySoon();
      this.#open -= 1;
      if (this.#open > 0) return;
      idleTunnels.delete(this);
      this.#onOver(this.#end);
    };
    socket.on('error', ignore); // `close` follows.
    if (socket.destroyed) setImmediate(leave);
    else socket.once('close', leave);
  }

  get #isThrough(): boolean {
    return this.#toClient.hasEnded && this.#toUpstream.hasEnded;
  }
}

/** One way through a tunnel. */
class Direction {
  bytes = 0;
  hasEnded = false;

  /** @param moved told whenever bytes come or go */
  constructor(from: Socket, to: Socket, moved: () => void) {
    from.on('data', (chunk: Buffer) => {
      this.bytes += chunk.length;
      moved();
      if (!to.write(chunk)) from.pause();
    });
    to.on('drain', () => {
      moved();
      from.resume();
    });
    from.once('end', () => {
      this.hasEnded = true;
      to.end();
    });
    // Whoever gave it away may have stopped it, lest something comes that nobody hears.
    from.resume();
  }
}

function ignore(): void {
  // Nothing to do.
}
