import {
  type ConnectionBound,
  connectionBounds,
  type Http2Refusal,
  http2Refusals,
  type RefusalSink,
} from '../transport/refusal-sink.ts';
import { type TlsRefusal, tlsRefusalOf, tlsRefusals } from './tls-refusals.ts';

/** Time between two lines of one reason: a port that the world can reach is scanned all day. */
export const refusalLineEveryMs = 60_000;

/** Where the lines go. */
export interface RefusalLog {
  debug(details: Readonly<Record<string, unknown>>, message: string): void;
  warn(details: Readonly<Record<string, unknown>>, message: string): void;
}

/** One reason's count, and when it was last spoken of. */
interface Tally {
  count: number;
  /** Since the last line. */
  untold: number;
  toldMs: number;
}

/**
 * Counts connections that came to nothing, and says so: each reason the first time at once, then at most every
 * {@link refusalLineEveryMs} with how many it were since, and who was the last. Handshakes have a line each at the level `debug`.
 */
export class RefusedConnections implements RefusalSink {
  /** Streams of HTTP/2 that ended without their whole answer. */
  resets = 0;
  readonly #tls: ReadonlyMap<TlsRefusal, Tally> = talliesOf(tlsRefusals);
  readonly #http2: ReadonlyMap<Http2Refusal, Tally> = talliesOf(http2Refusals);
  readonly #bounds: ReadonlyMap<ConnectionBound, Tally> = talliesOf(connectionBounds);
  readonly #log: RefusalLog;
  readonly #monotonicMs: () => number;

  constructor(log: RefusalLog, monotonicMs: () => number) {
    this.#log = log;
    this.#monotonicMs = monotonicMs;
  }

  tls(code: string, peerAddress: string, serverName: string | undefined): void {
    const reason = tlsRefusalOf(code);
    const details = { reason, code, peer_address: peerAddress, server_name: serverName };
    this.#log.debug(details, 'a TLS handshake came to nothing');
    this.#count(this.#tls.get(reason), details, 'TLS handshakes came to nothing');
  }

  http2(reason: Http2Refusal): void {
    this.#count(this.#http2.get(reason), { reason }, 'connections of HTTP/2 were ended');
  }

  full(bound: ConnectionBound, peerAddress: string): void {
    const details = { reason: bound, peer_address: peerAddress };
    this.#count(this.#bounds.get(bound), details, 'connections were refused: there are as many as there may be');
  }

  reset(): void {
    this.resets += 1;
  }

  /** Every reason with its count since the process began. */
  counts(of: 'tls' | 'http2' | 'bounds'): readonly (readonly [string, number])[] {
    const tallies: ReadonlyMap<string, Tally> = { tls: this.#tls, http2: this.#http2, bounds: this.#bounds }[of];
    return [...tallies].map(([reason, { count }]) => [reason, count]);
  }

  #count(tally: Tally | undefined, details: object, message: string): void {
    if (tally === undefined) return;
    tally.count += 1;
    tally.untold += 1;
    const nowMs = this.#monotonicMs();
    if (nowMs - tally.toldMs < refusalLineEveryMs) return;
    this.#log.warn({ ...details, connections: tally.untold }, message);
    tally.untold = 0;
    tally.toldMs = nowMs;
  }
}

function talliesOf<Reason extends string>(reasons: readonly Reason[]): ReadonlyMap<Reason, Tally> {
  return new Map(reasons.map((reason) => [reason, { count: 0, untold: 0, toldMs: Number.NEGATIVE_INFINITY }]));
}
