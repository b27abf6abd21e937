import { DeadlineWatch } from '@portcullis/egress';
import { noServerIdentities, type ServerIdentities } from '../certificates/server-identities.ts';
import { Http1Server } from '../transport/http1-server.ts';
import { Http2Server } from '../transport/http2-server.ts';
import type { MalformedAnswer } from '../transport/malformed.ts';
import { OpenSockets } from '../transport/open-sockets.ts';
import { noRefusals, type RefusalSink } from '../transport/refusal-sink.ts';
import { serverLimits, serverTimes, type ServerTimes } from '../transport/server-limits.ts';
import type { ServerState } from '../transport/server-state.ts';
import type { CallHandler, ServerTransport } from '../transport/server-transport.ts';
import { SlowBodyWatch } from '../transport/slow-body-watch.ts';
import type { StreamHandler } from '../transport/stream-handler.ts';
import { type AddressBound, AddressCounts } from './address-counts.ts';
import { Entrance, type PortKind } from './entrance.ts';
import { type OpenPort, openPort } from './open-port.ts';
import { stopListening } from './stop-listening.ts';
import { TlsEntrance } from './tls-entrance.ts';

/** How late the end of a drain, of a beginning or of an idle connection's time may be noticed. */
const sweepMs = 100;

/** Where and how to listen. */
export interface ListenOptions {
  readonly host: string;
  /** For HTTP in cleartext; 0 takes any free port. */
  readonly port: number;
  /** For TLS; 0 takes any free port. Default: no TLS. */
  readonly tlsPort?: number | undefined;
  /** Told in place of the failure when another program has the port for TLS: the rest is served. */
  readonly onTlsPortTaken?: (() => void) | undefined;
  readonly streamPorts?: readonly number[];
  readonly handler: CallHandler;
  readonly malformedAnswer: MalformedAnswer;
  /** Who the gateway is in TLS at this moment. Default: nobody. */
  readonly identities?: () => ServerIdentities;
  /** Carries what is not HTTP. Default: nothing is. */
  readonly streams?: StreamHandler | undefined;
  /** Set where every connection begins with a header of the PROXY protocol: whether a peer's is believed. */
  readonly mayName?: ((peerAddress: string) => boolean) | undefined;
  /** How many connections each client address may have. Default: as many as all together. */
  readonly perAddress?: AddressBound | undefined;
  /** Told of connections that came to nothing. Default: nobody is. */
  readonly refusals?: RefusalSink;
  readonly times?: Partial<ServerTimes> | undefined;
}

/**
 * Listens on all ports. One server of `node:http` and one of `node:http2` serve them all; neither listens itself.
 * @throws the system's error (`EADDRINUSE`, `EACCES`, …) when it cannot listen
 */
export async function listenNode(options: ListenOptions): Promise<ServerTransport> {
  const times = { ...serverTimes, ...options.times };
  const { malformedAnswer, streams } = options;
  const state: ServerState = {
    handler: options.handler,
    slowSenders: new SlowBodyWatch(),
    slowReaders: new SlowBodyWatch(times.readerWindowMs),
    drains: new DeadlineWatch(sweepMs),
    stopping: false,
    destroyed: false,
  };
  const sockets = new OpenSockets(serverLimits.connectionsMax);
  const watch = new DeadlineWatch(sweepMs);
  const monotonicMs = (): number => performance.now();
  const http1 = new Http1Server(state, times, malformedAnswer);
  const refusals = options.refusals ?? noRefusals;
  const http2 = new Http2Server(state, times, malformedAnswer, watch, monotonicMs, refusals);
  const timeoutMs = times.headersTimeoutMs;
  const identities = options.identities ?? (() => noServerIdentities);
  const tls = new TlsEntrance({
    sockets,
    http1,
    http2,
    streams,
    identities,
    malformedAnswer,
    watch,
    timeoutMs,
    refusals,
  });
  const { mayName, perAddress } = options;
  const entrance = new Entrance({
    sockets,
    addresses: perAddress && new AddressCounts(perAddress),
    refusals,
    http1,
    http2,
    tls,
    streams,
    mayName,
    malformedAnswer,
    watch,
    monotonicMs,
    timeoutMs,
  });
  const ports: OpenPort[] = [];
  const open = async (port: number, kind: PortKind): Promise<number> => {
    const opened = await openPort(options.host, port, (socket) => entrance.take(socket, kind));
    ports.push(opened);
    return opened.port;
  };
  const openTls = async (port: number): Promise<number> => {
    try {
      return await open(port, 'tls');
    } catch (error) {
      const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
      if (!isTaken || options.onTlsPortTaken === undefined) throw error;
      options.onTlsPortTaken();
      return 0;
    }
  };
  try {
    const port = await open(options.port, 'plain');
    const tlsPort = options.tlsPort === undefined ? 0 : await openTls(options.tlsPort);
    for (const streamPort of options.streamPorts ?? []) await open(streamPort, 'stream');
    return {
      port,
      tlsPort,
      stop: () => {
        state.stopping = true;
        return stopListening({ ports, sockets, http1, http2, graceMs: times.idleGraceMs });
      },
      destroy: () => {
        state.destroyed = true;
        sockets.destroyAll();
      },
    };
  } catch (error) {
    for (const opened of ports) opened.close();
    http1.close();
    throw error;
  }
}
