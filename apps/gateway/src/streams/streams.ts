import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { CompiledRoute, Generation } from '../configuration/generation.ts';
import { problems } from '../proxy/problems.ts';
import { resetSocket } from '../transport/raw-socket.ts';
import type { ConnectionFacts } from '../transport/server-transport.ts';
import type { StreamHandler } from '../transport/stream-handler.ts';
import { observeStream, type StreamKind } from './observe-stream.ts';
import { StreamConnection } from './stream-connection.ts';
import type { StreamSeries } from './stream-metrics.ts';
import type { StreamPorts } from './stream-ports.ts';

/**
 * Connections under way at a time; one more is refused. Each holds at most what the buffers of two sockets do, some 400 KiB when both sides
 * have stopped reading.
 */
export const streamConnectionsMax = 4096;

/** Status of connections for which no route is there. As for requests. */
const noRouteStatus = 404;

/** How long connections that are cut may take to be observed, in milliseconds. */
const lastWordsMs = 1000;

/** Carries the connections of routes for `tcp` and `tls`. */
export class Streams implements StreamHandler {
  readonly #ports: StreamPorts;
  readonly #connectionsMax: number;
  readonly #open = new Set<StreamConnection>();
  #onEmpty: (() => void) | undefined;
  #isStopped = false;

  constructor(ports: StreamPorts, connectionsMax: number = streamConnectionsMax) {
    this.#ports = ports;
    this.#connectionsMax = connectionsMax;
  }

  /** How many there are now. */
  get open(): number {
    return this.#open.size;
  }

  get passesTls(): boolean {
    return this.#ports.live.current?.streams.passesTls === true;
  }

  passTls(socket: Socket, connection: ConnectionFacts): boolean {
    const generation = this.#ports.live.current;
    const route = generation?.streams.passed(connection);
    if (generation === undefined || route === undefined) return false;
    this.#carry(socket, connection, generation, route, 'passed');
    return true;
  }

  endsTls(connection: ConnectionFacts): boolean {
    return this.#ports.live.current?.streams.terminated(connection) !== undefined;
  }

  takeTerminated(socket: TLSSocket, connection: ConnectionFacts): boolean {
    const generation = this.#ports.live.current;
    const route = generation?.streams.terminated(connection);
    if (generation === undefined || route === undefined) return false;
    this.#carry(socket, connection, generation, route, 'terminated');
    return true;
  }

  takePlain(socket: Socket, connection: ConnectionFacts): void {
    const generation = this.#ports.live.current;
    const route = generation?.streams.plain(connection);
    if (generation !== undefined && route !== undefined) this.#carry(socket, connection, generation, route, 'plain');
    else this.#refuse(socket, connection, 'plain', undefined, noRouteStatus, 'no_route');
  }

  /**
   * Waits for the connections under way. What is left after `timeoutMs` is cut, and so is what is handed over after the wait.
   * @returns how many that were
   */
  async drain(timeoutMs: number): Promise<number> {
    const isEmpty = await this.#empty(timeoutMs);
    this.#isStopped = true;
    if (isEmpty) return 0;
    const cut = this.#open.size;
    for (const one of this.#open) one.cut();
    await this.#empty(lastWordsMs);
    return cut;
  }

  #carry(
    client: Socket,
    connection: ConnectionFacts,
    generation: Generation,
    route: CompiledRoute,
    kind: StreamKind,
  ): void {
    const { admission, metrics } = this.#ports;
    const series = metrics.of(route.record.id, route.service?.record.id ?? '');
    if (this.#isStopped || this.#open.size >= this.#connectionsMax || !admission.enter()) {
      const { status, code } = problems.overloaded;
      this.#refuse(client, connection, kind, { route, series }, status, code);
      return;
    }
    const stream: StreamConnection = new StreamConnection(this.#ports, {
      generation,
      route,
      series,
      client,
      connection,
      kind,
      onOver: () => this.#over(stream),
    });
    this.#open.add(stream);
    stream.start();
  }

  #over(stream: StreamConnection): void {
    this.#open.delete(stream);
    if (this.#open.size === 0) this.#onEmpty?.();
  }

  /** Closes a connection at once, and counts it. */
  #refuse(
    client: Socket,
    connection: ConnectionFacts,
    kind: StreamKind,
    found: { readonly route: CompiledRoute; readonly series: StreamSeries } | undefined,
    status: number,
    failure: string,
  ): void {
    const { metrics, observer, system } = this.#ports;
    client.on('error', () => undefined); // It is gone either way.
    resetSocket(client);
    const nowMs = system.monotonicMs();
    observeStream(this.#ports, {
      id: system.newId(),
      kind,
      connection,
      routeId: found?.route.record.id ?? '',
      serviceId: found?.route.service?.record.id ?? '',
      series: found?.series ?? metrics.unmatched,
      occurredAtMs: system.nowMs(),
      startedMs: nowMs,
      settledMs: nowMs,
      endedMs: nowMs,
      dialledMs: undefined,
      status,
      source: 'gateway',
      failure,
      receivedBytes: 0,
      sentBytes: 0,
      state: undefined,
      isRecorded: observer.wantsRecord(nowMs),
    });
  }

  /** @returns whether none is left in time */
  #empty(timeoutMs: number): Promise<boolean> {
    if (this.#open.size === 0) return Promise.resolve(true);
    return new Promise((resolve) => {
      const end = (isEmpty: boolean): void => {
        cancel();
        this.#onEmpty = undefined;
        resolve(isEmpty);
      };
      const cancel = this.#ports.system.setTimer(() => end(false), timeoutMs);
      this.#onEmpty = () => end(true);
    });
  }
}
