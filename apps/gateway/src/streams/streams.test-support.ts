import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { Plugin } from '@portcullis/plugin-runtime';
import { system } from '../adapters/system.ts';
import { manager, textOf, type Tables } from '../configuration/configuration-manager.test-support.ts';
import { MinuteCounters } from '../observations/minute-counters.ts';
import { Observer, type FinishedRequest } from '../observations/observer.ts';
import { RecordRing } from '../observations/record-ring.ts';
import { AddressGuard } from '../transport/address-guard.ts';
import { cleartext, endsOf } from '../transport/connection-facts.ts';
import { createDial } from './dial.ts';
import { StreamMetrics } from './stream-metrics.ts';
import { Streams } from './streams.ts';

/** Records by family, each with its ID. */
export type Records = Partial<Record<keyof Tables, readonly ({ readonly id: string } & Record<string, unknown>)[]>>;

/** Connections carried in this process: a real listener, real upstreams, no control plane. */
export interface StreamBench extends AsyncDisposable {
  readonly port: number;
  readonly streams: Streams;
  readonly metrics: StreamMetrics;
  readonly counters: MinuteCounters;
  /** Connections that are over, as the access log gets them. */
  readonly finished: readonly FinishedRequest[];
  /** Connections that the admission counts at present. */
  readonly admitted: () => number;
  publish(records: Records): Promise<void>;
}

/** What a bench has beside its records. */
export interface BenchOptions {
  readonly plugins?: readonly Plugin[];
  readonly connectionsMax?: number;
  readonly guard?: AddressGuard;
  /** What the admission says. */
  readonly admits?: () => boolean;
}

/** A route for `tcp` with its service, unless a field says otherwise. */
export function toPort(port: number, route: object = {}, service: object = {}): Records {
  return {
    services: [{ id: 's1', name: 'db', url: `tcp://127.0.0.1:${port}`, ...service }],
    routes: [{ id: 'r1', name: 'db', service_id: 's1', protocols: ['tcp'], ...route }],
  };
}

/** Starts it with a first configuration. */
export async function startStreams(records: Records, options: BenchOptions = {}): Promise<StreamBench> {
  const { admits = () => true, guard = new AddressGuard({ host: '192.0.2.1', port: 1 }) } = options;
  const { live, own, take, acks, stop } = manager(options.plugins && { plugins: options.plugins });
  const finished: FinishedRequest[] = [];
  const metrics = new StreamMetrics();
  const counters = new MinuteCounters();
  const log = { push: (request: FinishedRequest) => void finished.push(request) };
  let admitted = 0;
  const admission = {
    enter: () => {
      if (!admits()) return false;
      admitted += 1;
      return true;
    },
    leave: () => void (admitted -= 1),
  };
  const streams = new Streams(
    {
      live,
      observer: new Observer(counters, new RecordRing(), log),
      metrics,
      admission,
      dial: createDial(guard, system),
      log: { debug: () => undefined, warn: () => undefined, error: () => undefined },
      system,
    },
    options.connectionsMax,
  );
  let revision = 0;
  const publish = async (next: Records): Promise<void> => {
    revision += 1;
    const families = ['services', 'routes', 'upstreams', 'targets', 'plugins'] as const;
    const tables = Object.fromEntries(
      families.map((family) => [family, new Map((next[family] ?? []).map((record) => [record.id, record]))]),
    );
    await take(textOf(revision, tables as unknown as Tables).text);
    const ack = acks.at(-1);
    if (ack?.status !== 'applied') throw new Error(`refused: ${JSON.stringify(ack?.errors)}`);
  };
  await publish(records);
  const server = await listening(
    createServer({ allowHalfOpen: true }, (socket) => streams.takePlain(socket, cleartext(endsOf(socket)))),
  );
  return {
    port: portOf(server),
    streams,
    metrics,
    counters,
    finished,
    admitted: () => admitted,
    publish,
    [Symbol.asyncDispose]: async () => {
      server.close();
      await streams.drain(0);
      await own.stop();
      stop();
    },
  };
}

/** An upstream that does what a test says with each connection. */
export interface RawServer extends AsyncDisposable {
  readonly port: number;
  /** Connections so far. */
  readonly sockets: readonly Socket[];
}

/** Listens on a free port of this machine. */
export async function startRaw(onSocket: (socket: Socket) => void): Promise<RawServer> {
  const sockets: Socket[] = [];
  const server = await listening(
    createServer({ allowHalfOpen: true }, (socket) => {
      socket.on('error', () => undefined); // Tests break connections.
      sockets.push(socket);
      onSocket(socket);
    }),
  );
  return {
    port: portOf(server),
    sockets,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A client's end of a connection. */
export interface RawClient {
  readonly socket: Socket;
  readonly received: () => string;
  /** Settles when the other side has ended: `end`, or the code of the error. */
  readonly ended: Promise<string>;
}

/** Connects. */
export function openClient(port: number): RawClient {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let received = '';
  socket.on('data', (chunk) => (received += chunk.toString('latin1')));
  const ended = new Promise<string>((resolve) => {
    socket.once('end', () => resolve('end'));
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
  return { socket, received: () => received, ended };
}

/** Says everything, ends, and gives the whole answer. */
export async function ask(port: number, text: string): Promise<string> {
  const { socket, received, ended } = openClient(port);
  socket.end(text);
  const how = await ended;
  if (how !== 'end') throw new Error(`the connection broke: ${how}`);
  return received();
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

async function listening(server: Server): Promise<Server> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
