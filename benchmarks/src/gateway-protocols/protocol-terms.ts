/** What is measured: one unit of each is a request, a handshake with its request, a call, a message there and back, or an event. */
export const protocolCases = ['tls', 'handshake', 'h2', 'grpc', 'websocket', 'sse'] as const;

/** See {@link protocolCases}. */
export type ProtocolCase = (typeof protocolCases)[number];

/** Paths on every peer. */
export const paths = {
  plain: '/bench',
  grpc: '/bench.Echo/Unary',
  websocket: '/socket',
  events: '/events',
} as const;

/** Streams of the one HTTP/2 connection. */
export const streamsPerConnection = 100;

/** Bytes of a plain answer, of a message and of an event's data: all small, so that what a unit costs shows. */
export const payloadBytes = 128;

/** Between two events of one stream, in milliseconds. */
export const eventEveryMs = 5;

/** What a load process is told. */
export interface ProtocolOrder {
  readonly kind: ProtocolCase;
  readonly port: number;
  readonly tlsPort: number;
  readonly connections: number;
  readonly units: number;
  /** Server names that handshakes ask for by turns; one name for all other cases. */
  readonly serverNames?: readonly string[];
}

/** What it found. */
export interface ProtocolReport {
  readonly units: number;
  readonly errors: number;
  readonly seconds: number;
}

/** A unary gRPC message of {@link payloadBytes}: flags, length, bytes. */
export function grpcMessage(): Buffer {
  const head = Buffer.from([0, 0, 0, 0, payloadBytes]);
  return Buffer.concat([head, Buffer.alloc(payloadBytes, 'x')]);
}

/** An event of a stream. */
export function eventText(): string {
  return `data: ${'x'.repeat(payloadBytes)}\n\n`;
}
