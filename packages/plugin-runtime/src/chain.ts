import type { ExchangeState } from './exchange-state.ts';
import type { StageResult, StageRun } from './stage-run.ts';
import type { StreamChunk, StreamOutcome } from './stream-chunk.ts';
import type { StreamRun } from './stream-run.ts';
import type { TcpConnectionState } from './tcp-connection-state.ts';
import type { TcpEvent, TcpOutcome } from './tcp-connection.ts';
import type { TcpRun } from './tcp-run.ts';

export type { StageResult } from './stage-run.ts';

/** A request's compiled chain. Immutable; one serves any number of requests and connections at once. */
export interface Chain {
  /** Whether any hook stands in the stage: the host may skip empty ones. */
  readonly hasRequestHooks: boolean;
  readonly hasResponseHooks: boolean;
  readonly hasErrorHooks: boolean;
  /** With stream hooks the host sends no `content-length`: hooks may change how long a body is. */
  readonly hasStreamHooks: boolean;
  readonly hasTcpHooks: boolean;
  /**
   * Runs the request stage and applies what it decides to the exchange. After `respond` the exchange has the plugin's
   * response; the response stage still runs for it. A promise only when a hook gave one.
   */
  runRequest(exchange: ExchangeState): StageResult | Promise<StageResult>;
  /** Runs the response stage over `exchange.response`, which the host or a plugin set. */
  runResponse(exchange: ExchangeState): StageResult | Promise<StageResult>;
  /** Runs the error stage, in place of the response stage, after `exchange.fail`. Never `failed`. */
  runError(exchange: ExchangeState): StageResult | Promise<StageResult>;
  /**
   * Passes one chunk of the body of `exchange.response` through the stream hooks, after the response stage. The host waits
   * for a promise before it reads on (back-pressure), and marks the last chunk, an empty one if need be. On `failed` it cuts
   * the response and runs the hooks no more; `exchange.failure` has code `plugin_failed` or `plugin_cut`.
   */
  runStream(exchange: ExchangeState, chunk: StreamChunk): StreamOutcome | Promise<StreamOutcome>;
  /**
   * Runs the tcp hooks for one event of a connection. The host waits for a promise before it reads on in that direction; the
   * other one may go on. After `close` or `failed` it closes the connection and runs `close`; `connection.failure` has code
   * `plugin_closed` or `plugin_failed`.
   */
  runTcp(connection: TcpConnectionState, event: TcpEvent): TcpOutcome | Promise<TcpOutcome>;
}

/** The runs of a chain's stages. */
export interface ChainStages {
  readonly request: StageRun;
  readonly response: StageRun;
  readonly error: StageRun;
  readonly stream: StreamRun;
  readonly tcp: TcpRun;
}

/** A chain of its stages. */
export function chainOf({ request, response, error, stream, tcp }: ChainStages): Chain {
  return Object.freeze({
    hasRequestHooks: !request.isEmpty,
    hasResponseHooks: !response.isEmpty,
    hasErrorHooks: !error.isEmpty,
    hasStreamHooks: !stream.isEmpty,
    hasTcpHooks: !tcp.isEmpty,
    runRequest: (exchange: ExchangeState) => request.run(exchange),
    runResponse: (exchange: ExchangeState) => response.run(exchange),
    runError: (exchange: ExchangeState) => error.run(exchange),
    runStream: (exchange: ExchangeState, chunk: StreamChunk) => stream.run(exchange, chunk),
    runTcp: (connection: TcpConnectionState, event: TcpEvent) => tcp.run(connection, event),
  });
}
