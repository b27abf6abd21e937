import type { Socket } from 'node:net';
import type { DeadlineWatch } from '@portcullis/egress';
import { Http2Connection, type Http2Shared } from './http2-connection.ts';
import type { MalformedAnswer } from './malformed.ts';
import type { RefusalSink } from './refusal-sink.ts';
import type { ServerTimes } from './server-limits.ts';
import type { ServerState } from './server-state.ts';
import type { ConnectionFacts } from './server-transport.ts';

/** HTTP/2 on sockets that others accepted: in TLS, and in cleartext for clients that know. */
export class Http2Server {
  readonly #connections = new Set<Http2Connection>();
  readonly #shared: Http2Shared;

  constructor(
    state: ServerState,
    times: ServerTimes,
    malformedAnswer: MalformedAnswer,
    idle: DeadlineWatch,
    monotonicMs: () => number,
    refusals: RefusalSink,
  ) {
    const onClose = (connection: Http2Connection): void => void this.#connections.delete(connection);
    this.#shared = { state, times, malformedAnswer, idle, monotonicMs, refusals, onClose };
  }

  /** Speaks HTTP/2 on a socket; bytes that were put back come first. */
  take(socket: Socket, facts: ConnectionFacts): void {
    const connection = new Http2Connection(socket, facts, this.#shared);
    this.#connections.add(connection);
    if (this.#shared.state.stopping) connection.announceEnd();
  }

  /** Tells every client that its connection will end. */
  announceEnd(): void {
    for (const connection of this.#connections) connection.announceEnd();
  }

  /** Takes no request any more; connections end with their last answer. */
  close(): void {
    for (const connection of this.#connections) connection.close();
  }
}
