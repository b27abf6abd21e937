import type { Socket } from 'node:net';
import { failures } from '../transport/upstream-failures.ts';
import { upgradeProtocol } from '../transport/server-transport.ts';
import { Tunnel, type TunnelEnd } from '../transport/tunnel.ts';
import type { Exchange } from './exchange.ts';
import { problemOfFailure } from './problems.ts';
import { endFailures, type ExchangeFailure } from '@portcullis/plugin-runtime';

/** What an idle tunnel is recorded with. */
const idle: ExchangeFailure = { code: 'connection_idle', message: 'nothing came through the connection for too long' };

const failureOf: Readonly<Record<TunnelEnd, ExchangeFailure | undefined>> = {
  closed: undefined,
  clientLost: endFailures.clientLeft,
  upstreamLost: failures.reset,
  idle,
};

/** An upstream's 101 on its way to the client, and the connection that comes of it. Nothing is read of it before the client has the answer. */
export class SwitchedAnswer {
  readonly #exchange: Exchange;
  readonly #upstream: Socket;
  readonly #idleMs: number;

  /** @param idleMs see {@link Tunnel} */
  constructor(exchange: Exchange, upstream: Socket, idleMs: number) {
    this.#exchange = exchange;
    this.#upstream = upstream;
    this.#idleMs = idleMs;
    upstream.on('error', ignore); // `close` follows.
  }

  /** The request is over, or something else is answered. */
  abort(): void {
    this.#upstream.destroy();
  }

  /** After the response hooks: passes the 101 on, unless they made another answer of it. */
  send(): void {
    const exchange = this.#exchange;
    const { status, headers, body } = exchange.stateResponse();
    if (status === 101 && body === undefined) {
      this.switch(headers.toPairs());
      return;
    }
    exchange.leaveUpstream();
    exchange.sendWhole();
  }

  /** @param headers name and value by turns, without those of the connection */
  switch(headers: readonly string[]): void {
    const exchange = this.#exchange;
    let client: Socket;
    try {
      client = exchange.switchProtocols([...headers, 'connection', 'Upgrade', 'upgrade', upgradeProtocol]);
    } catch {
      exchange.leaveUpstream();
      exchange.fail(problemOfFailure(failures.malformed));
      return;
    }
    const { monotonicMs } = exchange.ports;
    exchange.tunnel = new Tunnel(client, this.#upstream, this.#idleMs, monotonicMs, (end) =>
      exchange.leaveTunnel(failureOf[end]),
    );
  }
}

function ignore(): void {
  // Nothing to do.
}
