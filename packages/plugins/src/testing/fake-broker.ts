import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

/** What a broker is asked. Source: Kafka protocol guide, "Request and Response Headers". */
export interface BrokerRequest {
  /** 0 Produce, 3 Metadata, 18 ApiVersions. */
  readonly api: number;
  readonly version: number;
  readonly correlationId: number;
}

/** A server that says what a test wants where a broker would answer. */
export interface FakeBroker extends AsyncDisposable {
  readonly port: number;
  readonly accepted: () => number;
  readonly open: () => number;
  /** Most connections that were open at once. */
  readonly mostOpen: () => number;
  readonly requests: () => readonly BrokerRequest[];
}

/**
 * @param serve says what goes back for a request, as it goes over the wire
 * @param host `0.0.0.0` for all addresses of this machine
 */
export async function startFakeBroker(
  serve: (request: BrokerRequest, socket: Socket, port: number) => Uint8Array | undefined,
  host = '127.0.0.1',
): Promise<FakeBroker> {
  const sockets = new Set<Socket>();
  const requests: BrokerRequest[] = [];
  let accepted = 0;
  let mostOpen = 0;
  const server = createServer((socket) => {
    accepted += 1;
    sockets.add(socket);
    mostOpen = Math.max(mostOpen, sockets.size);
    let rest = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= 12 && rest.length >= 4 + rest.readInt32BE(0)) {
        const request = { api: rest.readInt16BE(4), version: rest.readInt16BE(6), correlationId: rest.readInt32BE(8) };
        rest = rest.subarray(4 + rest.readInt32BE(0));
        requests.push(request);
        const answer = serve(request, socket, (server.address() as AddressInfo).port);
        if (answer !== undefined) socket.write(answer);
      }
    });
  });
  server.listen(0, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    accepted: () => accepted,
    open: () => sockets.size,
    mostOpen: () => mostOpen,
    requests: () => requests,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const int8 = (value: number): Buffer => Buffer.from([value & 0xff]);

export function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}

export function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

export const text = (value: string): Buffer => Buffer.concat([int16(Buffer.byteLength(value)), Buffer.from(value)]);

export const list = (entries: readonly Buffer[]): Buffer => Buffer.concat([int32(entries.length), ...entries]);

/** An answer with its length and the ID of its request. */
export function frame({ correlationId }: BrokerRequest, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat([int32(correlationId), ...parts]);
  return Buffer.concat([int32(body.length), body]);
}

/** ApiVersions 3: the versions whose answers are easy to write. */
export function versionsAnswer(request: BrokerRequest): Buffer {
  const api = (key: number, version: number): Buffer =>
    Buffer.concat([int16(key), int16(version), int16(version), int8(0)]);
  return frame(request, int16(0), int8(4), api(0, 3), api(3, 1), api(18, 3), int32(0), int8(0));
}

/** What a cluster says of itself. */
export interface FakeCluster {
  readonly ports: readonly number[];
  /** Default: 127.0.0.1 for all. */
  readonly hosts?: readonly string[];
  readonly topic: string;
  /** Place in `ports` of who leads each partition. Default: one partition, led by the first. */
  readonly leaders?: readonly number[];
}

/** Metadata 1. */
export function metadataAnswer(request: BrokerRequest, cluster: FakeCluster): Buffer {
  const { ports, hosts = [], topic, leaders = [0] } = cluster;
  const brokers = ports.map((port, id) =>
    Buffer.concat([int32(id), text(hosts[id] ?? '127.0.0.1'), int32(port), int16(-1)]),
  );
  const partitions = leaders.map((leader, index) => {
    const ids = list([int32(leader)]);
    return Buffer.concat([int16(0), int32(index), int32(leader), ids, ids]);
  });
  const topics = topic === '' ? [] : [Buffer.concat([int16(0), text(topic), int8(0), list(partitions)])];
  return frame(request, list(brokers), int32(0), list(topics));
}

/** Produce 3. */
export function producedAnswer(request: BrokerRequest, topic: string, errorCode: number): Buffer {
  const partition = Buffer.concat([int32(0), int16(errorCode), Buffer.alloc(8), Buffer.alloc(8)]);
  return frame(request, list([Buffer.concat([text(topic), list([partition])])]), int32(0));
}
