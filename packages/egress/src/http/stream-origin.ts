import { type buildConnector, type Dispatcher, Pool } from 'undici';
import { egressLimits } from '../egress-limits.ts';

/** What an origin tells of its connections. */
export interface OriginEvents {
  /** A connection was made. */
  opened(): void;
  /** One is closed. */
  closed(): void;
  /** It has neither calls nor connections any more: nothing is lost with it. */
  unused(): void;
}

/** What leads to one origin under one rule: connections, and how many calls and connections there are. */
export class StreamOrigin {
  readonly #events: OriginEvents;
  readonly #pool: Pool;
  /** Calls that undici has, also those that were given up while they waited for a connection. */
  #calls = 0;
  #connections = 0;

  /** @param connectorFor makes the way to connect, told of connections by what it is given */
  constructor(
    url: string,
    connectionsMax: number,
    connectorFor: (onOpen: () => () => void) => buildConnector.connector,
    events: OriginEvents,
  ) {
    this.#events = events;
    this.#pool = new Pool(url, {
      connect: connectorFor(() => this.#opened()),
      connections: connectionsMax,
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: egressLimits.keepAliveMs,
      keepAliveMaxTimeout: egressLimits.streamKeepAliveMsMax,
      maxHeaderSize: egressLimits.headerBytesMax,
      // Each call has times of its own, and watches them.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  get calls(): number {
    return this.#calls;
  }

  /** Begins a call; {@link left} is due when undici has let go of it. */
  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.#calls += 1;
    this.#pool.dispatch(options, handler);
  }

  left(): void {
    this.#calls -= 1;
    this.#tellUnused();
  }

  /** Lets connections go that have no call. */
  close(): void {
    this.#pool.close().catch(() => undefined); // Only a second close fails.
  }

  /** Cuts calls. */
  async destroy(reason: Error): Promise<void> {
    await this.#pool.destroy(reason);
  }

  #opened(): () => void {
    this.#connections += 1;
    this.#events.opened();
    return () => {
      this.#connections -= 1;
      this.#events.closed();
      this.#tellUnused();
    };
  }

  #tellUnused(): void {
    if (this.#calls === 0 && this.#connections === 0) this.#events.unused();
  }
}
