import { readerWindowMs } from './slow-reader.ts';

/** Bounds of the server side. Source: security rules, Slowloris; decisions, 25. */
export const serverLimits = {
  checkIntervalMs: 2000,
  headerBytesMax: 32 * 1024,
  headersMax: 100,
  /** Of all ports together, streams excepted, which have a bound of their own. */
  connectionsMax: 16_384,
  requestsPerConnectionMax: 10_000,
  keepAliveMs: 65_000,
} as const;

/** Times of the server side, in milliseconds; shortened by tests. */
export interface ServerTimes {
  /** How long headers may take, and whatever comes before them: a header of the PROXY protocol, the handshake of TLS. */
  readonly headersTimeoutMs: number;
  /** How long a client may take next to nothing of its answer. */
  readonly readerWindowMs: number;
  /** How long a stopping server waits for requests on idle connections. */
  readonly idleGraceMs: number;
}

/** The times where nobody says others. */
export const serverTimes: ServerTimes = {
  headersTimeoutMs: 10_000,
  readerWindowMs,
  idleGraceMs: 1000,
};
