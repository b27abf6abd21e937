import type { Socket } from 'node:net';
import type { DeadlineWatch } from '@portcullis/egress';
import { cleartext, endsOf, setConnection, type ConnectionEnds } from '../transport/connection-facts.ts';
import type { Http1Server } from '../transport/http1-server.ts';
import type { Http2Server } from '../transport/http2-server.ts';
import type { MalformedAnswer } from '../transport/malformed.ts';
import { refuseBytes } from '../transport/malformed.ts';
import type { OpenSockets } from '../transport/open-sockets.ts';
import type { RefusalSink } from '../transport/refusal-sink.ts';
import type { StreamHandler } from '../transport/stream-handler.ts';
import type { AddressCounts } from './address-counts.ts';
import { type BeginFailure, FirstBytes, type Judge } from './first-bytes.ts';
import { judgePreface, prefaceBytesMax } from './http2-preface.ts';
import { readProxyHeader, proxyHeaderBytesMax, type ProxyHeader } from './proxy-protocol.ts';
import type { TlsEntrance } from './tls-entrance.ts';

/** What an entrance needs. */
export interface EntranceParts {
  readonly sockets: OpenSockets;
  /** Bounds what one client address may have; `undefined` where nothing does. */
  readonly addresses: AddressCounts | undefined;
  readonly http1: Http1Server;
  readonly http2: Http2Server;
  readonly tls: TlsEntrance | undefined;
  readonly streams: StreamHandler | undefined;
  /** Whether a peer may say with the PROXY protocol whom it speaks for; `undefined` where nobody speaks it. */
  readonly mayName: ((peerAddress: string) => boolean) | undefined;
  readonly malformedAnswer: MalformedAnswer;
  /** Told of connections beyond the bounds. */
  readonly refusals: RefusalSink;
  /** Watches over beginnings. */
  readonly watch: DeadlineWatch;
  readonly monotonicMs: () => number;
  /** How long a beginning may take. */
  readonly timeoutMs: number;
}

/** Kinds of port. */
export type PortKind = 'plain' | 'tls' | 'stream';

/** Finds out what a connection is, once, and hands it to who speaks it. Nothing of it goes through here afterwards. */
export class Entrance {
  readonly #parts: EntranceParts;

  constructor(parts: EntranceParts) {
    this.#parts = parts;
  }

  /** Takes a connection that nothing was read of. */
  take(socket: Socket, kind: PortKind): void {
    if (!this.#parts.sockets.add(socket)) {
      this.#parts.refusals.full('total', endsOf(socket).peerAddress);
      socket.destroy();
      return;
    }
    socket.on('error', ignore);
    const deadlineMs = this.#parts.monotonicMs() + this.#parts.timeoutMs;
    if (this.#parts.mayName === undefined) this.#sort(socket, kind, undefined, deadlineMs);
    else this.#readProxyHeader(socket, kind, deadlineMs);
  }

  #readProxyHeader(socket: Socket, kind: PortKind, deadlineMs: number): void {
    this.#read(socket, judgeProxyHeader, proxyHeaderBytesMax, deadlineMs, (header) => {
      // Whoever speaks to this port without its header must not learn what listens here.
      if (typeof header === 'string') socket.destroy();
      else this.#sort(socket, kind, this.#endsOf(socket, header), deadlineMs);
    });
  }

  /** Whom the connection is from: whom its header names, where the proxy may do so. */
  #endsOf(socket: Socket, header: ProxyHeader): ConnectionEnds {
    const own = endsOf(socket);
    return header.ends !== undefined && this.#parts.mayName?.(own.peerAddress) === true ? header.ends : own;
  }

  #sort(socket: Socket, kind: PortKind, ends: ConnectionEnds | undefined, deadlineMs: number): void {
    const { addresses, refusals } = this.#parts;
    if (addresses !== undefined) {
      const { peerAddress } = ends ?? endsOf(socket);
      if (!addresses.add(socket, peerAddress)) {
        refusals.full('address', peerAddress);
        socket.destroy();
        return;
      }
    }
    if (kind === 'plain') this.#takeHttp(socket, ends, deadlineMs);
    else if (kind === 'tls') this.#parts.tls?.take(socket, ends ?? endsOf(socket), deadlineMs);
    else this.#takeStream(socket, ends ?? endsOf(socket));
  }

  #takeHttp(socket: Socket, ends: ConnectionEnds | undefined, deadlineMs: number): void {
    if (ends !== undefined) setConnection(socket, cleartext(ends));
    const { http1, http2, malformedAnswer } = this.#parts;
    const onFailure = (failure: BeginFailure): void => {
      const peerAddress = (ends ?? endsOf(socket)).peerAddress;
      if (failure === 'gone') socket.destroy();
      else refuseBytes(socket, { status: 408, peerAddress, underway: false }, malformedAnswer);
    };
    const onVerdict = (isHttp2: boolean): void => {
      socket.off('error', ignore);
      if (isHttp2) http2.take(socket, cleartext(ends ?? endsOf(socket)));
      else http1.take(socket);
    };
    this.#read(socket, judgePreface, prefaceBytesMax, deadlineMs, onVerdict, onFailure);
  }

  #takeStream(socket: Socket, ends: ConnectionEnds): void {
    const { streams, sockets } = this.#parts;
    socket.off('error', ignore);
    sockets.release(socket);
    if (streams === undefined) socket.destroy();
    else streams.takePlain(socket, cleartext(ends));
  }

  #read<Verdict>(
    socket: Socket,
    judge: Judge<Verdict>,
    bytesMax: number,
    deadlineMs: number,
    onVerdict: (verdict: Verdict) => void,
    onFailure: (failure: BeginFailure) => void = () => void socket.destroy(),
  ): void {
    const { watch } = this.#parts;
    new FirstBytes(socket, judge, bytesMax, watch, deadlineMs, { onVerdict, onFailure }).start();
  }
}

function judgeProxyHeader(bytes: Buffer): ReturnType<Judge<ProxyHeader | 'malformed'>> {
  const header = readProxyHeader(bytes);
  if (header === undefined) return undefined;
  return { verdict: header, taken: header === 'malformed' ? 0 : header.length };
}

function ignore(): void {
  // `close` follows.
}
