import { TLSSocket } from 'node:tls';
import type { Socket } from 'node:net';
import { endFailures, type TcpConnectionState, type TcpOutcome } from '@portcullis/plugin-runtime';
import type { CompiledRoute } from '../configuration/generation.ts';
import type { StatusSource } from '../observations/route-metrics.ts';
import { problems } from '../proxy/problems.ts';
import { problemsOfRefusal } from '../proxy/no-endpoint.ts';
import { plainAddress } from '../proxy/trusted-proxies.ts';
import { resetSocket } from '../transport/raw-socket.ts';
import { failures } from '../transport/upstream-failures.ts';
import { BytePump, type PumpStop } from './byte-pump.ts';
import { keepAliveMs } from './dial.ts';
import { IdleWatch } from './idle-watch.ts';
import { observeStream } from './observe-stream.ts';
import { StreamDial } from './stream-dial.ts';
import { stateOf, type StreamParts } from './stream-parts.ts';
import type { StreamPorts } from './stream-ports.ts';

/** How long a connection that a plugin closed may take to send what was passed on before. */
export const lingerMs = 2000;

/** Statuses of records. They are never sent. Source: nginx, $status of streams; 499 as for requests. */
export const streamStatuses = { carried: 200, closedByPlugin: 403, clientLeft: 499 } as const;

/** Nothing came and nothing was taken for as long as the route allows. */
const idleTimeout = 'idle_timeout';

/**
 * A connection of a client that is carried byte by byte: hooks are asked whether it may open, an upstream is connected to, and bytes go both
 * ways until both sides have ended, or one broke it off: then the other is told by a reset, so that what it has does not look whole. Nothing
 * is read from the client before the upstream is there.
 */
export class StreamConnection {
  readonly #ports: StreamPorts;
  readonly #parts: StreamParts;
  readonly #id: string;
  readonly #occurredAtMs: number;
  readonly #startedMs: number;
  readonly #isRecorded: boolean;
  /** `undefined` where no hook can run. */
  readonly #state: TcpConnectionState | undefined;
  #isOpening = false;
  #dial: StreamDial | undefined;
  #dialledMs: number | undefined;
  #settledMs: number | undefined;
  #status: number = streamStatuses.clientLeft;
  #source: StatusSource = 'gateway';
  #failure: string | undefined;
  #upstream: Socket | undefined;
  #pumps: readonly BytePump[] = [];
  #idle: IdleWatch | undefined;
  #cancelLinger: (() => void) | undefined;
  #receivedBytes = 0;
  #sentBytes = 0;
  #isOver = false;
  #holdsGeneration = true;

  /** The connection was let in by admission: it is told once the connection is made, or will not be. */
  constructor(ports: StreamPorts, parts: StreamParts) {
    this.#ports = ports;
    this.#parts = parts;
    const { system, observer } = ports;
    this.#id = system.newId();
    this.#occurredAtMs = system.nowMs();
    this.#startedMs = system.monotonicMs();
    this.#isRecorded = observer.wantsRecord(this.#startedMs);
    this.#state = parts.route.chain?.hasTcpHooks === true ? stateOf(parts, this.#id, this.#isRecorded) : undefined;
    parts.generation.hold();
    parts.series.open += 1;
  }

  start(): void {
    const { client } = this.#parts;
    // The end of what a client says is not the end of what it wants to hear.
    client.allowHalfOpen = true;
    client.setNoDelay(true);
    client.setKeepAlive(true, keepAliveMs);
    client.on('error', () => this.#broken(endFailures.clientLeft.code));
    client.on('close', () => this.#closed());
    if (client.destroyed) {
      this.#closed();
      return;
    }
    const outcome = this.#state === undefined ? 'continue' : this.#run(this.#state, { type: 'open' });
    if (!(outcome instanceof Promise)) {
      this.#opened(outcome);
      return;
    }
    this.#isOpening = true;
    void outcome.then((late) => {
      this.#isOpening = false;
      this.#opened(late);
    });
  }

  /** The gateway stops. */
  cut(): void {
    this.#broken(endFailures.gatewayStopped.code);
  }

  #run(
    state: TcpConnectionState,
    event: Parameters<NonNullable<CompiledRoute['chain']>['runTcp']>[1],
  ): TcpOutcome | Promise<TcpOutcome> {
    return this.#parts.route.chain?.runTcp(state, event) ?? 'continue';
  }

  #opened(outcome: TcpOutcome): void {
    const { client, route, connection } = this.#parts;
    if (this.#isOver || client.destroyed) return;
    if (outcome === 'close' || outcome === 'failed') {
      this.#stoppedBy(outcome);
      return;
    }
    const { balancer, service, connectTimeoutMs } = route;
    if (balancer === undefined || service === undefined) {
      this.#refuse(problemsOfRefusal.no_target);
      return;
    }
    const { system, dial } = this.#ports;
    this.#dialledMs = system.monotonicMs();
    this.#dial = new StreamDial({
      balancer,
      retries: service.retries,
      connectTimeoutMs,
      clientIp: plainAddress(connection.peerAddress),
      serverName: connection.serverName,
      isEncrypted: this.#parts.kind === 'passed',
      dial,
      system,
      onConnected: (upstream) => this.#connected(upstream),
      onFailed: (problem) => this.#refuse(problem),
    });
    this.#dial.start();
  }

  #connected(upstream: Socket): void {
    const { client, route } = this.#parts;
    this.#settle(streamStatuses.carried, 'upstream');
    this.#upstream = upstream;
    upstream.on('error', () => this.#broken(failures.reset.code));
    upstream.on('close', () => this.#closed());
    this.#idle = new IdleWatch(this.#ports.system, route.readTimeoutMs, () => this.#broken(idleTimeout));
    this.#pumps = [
      this.#pump(client, upstream, 'inbound', (bytes) => {
        this.#receivedBytes += bytes;
        this.#parts.series.receivedBytes += bytes;
      }),
      this.#pump(upstream, client, 'outbound', (bytes) => {
        this.#sentBytes += bytes;
        this.#parts.series.sentBytes += bytes;
      }),
    ];
    for (const pump of this.#pumps) pump.start();
    // A connection may last for days: without hooks nothing of its configuration is needed any more.
    if (this.#state === undefined) this.#releaseGeneration();
  }

  #pump(from: Socket, to: Socket, direction: 'inbound' | 'outbound', count: (bytes: number) => void): BytePump {
    const state = this.#state;
    return new BytePump({
      from,
      to,
      ...(state && { pass: (bytes: Uint8Array) => this.#run(state, { type: 'data', direction, bytes }) }),
      onMoved: (bytes) => {
        count(bytes);
        this.#idle?.touch();
      },
      onStop: (why) => this.#stoppedBy(why),
    });
  }

  /** A plugin wants the end, and what was passed on gets out; or one failed, and nobody may take what came for whole. */
  #stoppedBy(why: PumpStop): void {
    const isWish = why === 'close';
    if (this.#settledMs === undefined) {
      if (isWish) this.#settle(streamStatuses.closedByPlugin, 'plugin');
      else this.#settle(problems.pluginFailed.status, 'gateway');
    }
    if (!isWish) {
      this.#broken(problems.pluginFailed.code);
      return;
    }
    this.#failure ??= this.#state?.hasFailed === true ? this.#state.failure.code : undefined;
    for (const pump of this.#pumps) pump.stop();
    for (const socket of this.#sockets()) {
      socket.end();
      // What is still on its way in is thrown away: to close with it unread would be a reset, which overtakes what was sent.
      socket.resume();
    }
    this.#cancelLinger ??= this.#ports.system.setTimer(
      () => this.#sockets().forEach((socket) => socket.destroy()),
      lingerMs,
    );
  }

  #refuse({ status, code }: { readonly status: number; readonly code: string }): void {
    this.#settle(status, 'gateway');
    this.#broken(code);
  }

  /** The first reason counts; what it makes of the other side is no other one. */
  #broken(failure: string): void {
    if (this.#isOver) return;
    this.#failure ??= failure;
    for (const pump of this.#pumps) pump.stop();
    resetSocket(this.#parts.client);
    // What carries the TLS of this side is out of reach; that nobody says farewell in it tells as much.
    if (this.#upstream instanceof TLSSocket) this.#upstream.destroy();
    else this.#upstream?.resetAndDestroy();
  }

  #sockets(): readonly Socket[] {
    const { client } = this.#parts;
    return this.#upstream === undefined ? [client] : [client, this.#upstream];
  }

  /** The upstream is there, or will not be. */
  #settle(status: number, source: StatusSource): void {
    if (this.#settledMs !== undefined) return;
    this.#settledMs = this.#ports.system.monotonicMs();
    this.#status = status;
    this.#source = source;
    this.#ports.admission.leave();
  }

  #closed(): void {
    if (this.#isOver) return;
    if (this.#upstream !== undefined && !this.#sockets().every((socket) => socket.destroyed)) return;
    this.#isOver = true;
    if (this.#settledMs === undefined) {
      this.#failure ??= endFailures.clientLeft.code;
      this.#settle(this.#status, this.#source);
    }
    this.#dial?.end();
    this.#idle?.end();
    this.#cancelLinger?.();
    this.#parts.series.open -= 1;
    const endedMs = this.#ports.system.monotonicMs();
    const state = this.#state;
    if (state === undefined) this.#finish(endedMs);
    else {
      if (this.#isOpening || this.#pumps.some((pump) => pump.isWaiting)) state.abort();
      const told = this.#run(state, { type: 'close' });
      if (told instanceof Promise) void told.then(() => this.#finish(endedMs));
      else this.#finish(endedMs);
    }
  }

  #finish(endedMs: number): void {
    const { route, connection, kind, series, onOver } = this.#parts;
    observeStream(this.#ports, {
      id: this.#id,
      kind,
      connection,
      routeId: route.record.id,
      serviceId: route.service?.record.id ?? '',
      series,
      occurredAtMs: this.#occurredAtMs,
      startedMs: this.#startedMs,
      settledMs: this.#settledMs ?? endedMs,
      endedMs,
      dialledMs: this.#dialledMs,
      status: this.#status,
      source: this.#source,
      failure: this.#failure,
      receivedBytes: this.#receivedBytes,
      sentBytes: this.#sentBytes,
      state: this.#state,
      isRecorded: this.#isRecorded,
    });
    this.#releaseGeneration();
    onOver();
  }

  #releaseGeneration(): void {
    if (!this.#holdsGeneration) return;
    this.#holdsGeneration = false;
    this.#parts.generation.release();
  }
}
