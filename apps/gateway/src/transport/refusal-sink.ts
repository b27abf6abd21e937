/** Why a connection of HTTP/2 was ended by the gateway: too many streams reset, too many frames of other kinds, or frames that break the rules. */
export const http2Refusals = ['reset_flood', 'frame_flood', 'protocol_error'] as const;

/** One of {@link http2Refusals}. */
export type Http2Refusal = (typeof http2Refusals)[number];

/** The bounds of connections that are open at a time: of all together, and of one client address. */
export const connectionBounds = ['total', 'address'] as const;

/** One of {@link connectionBounds}. */
export type ConnectionBound = (typeof connectionBounds)[number];

/** Told of connections that came to nothing; must not throw. */
export interface RefusalSink {
  /** There are as many connections as there may be. */
  full(bound: ConnectionBound, peerAddress: string): void;
  /**
   * @param code what the gateway, OpenSSL, the verification or the system calls it
   * @param serverName that the client asked for, if it came to that
   */
  tls(code: string, peerAddress: string, serverName: string | undefined): void;
  http2(reason: Http2Refusal): void;
  /** A stream ended without its whole answer. */
  reset(): void;
}

/** For whoever does not count. */
export const noRefusals: RefusalSink = {
  full: () => undefined,
  tls: () => undefined,
  http2: () => undefined,
  reset: () => undefined,
};

/** nghttp2's numbers of what its own bounds ended. Source: nghttp2.h, `nghttp2_error`. */
const floods: ReadonlySet<number | undefined> = new Set([-904, -905]);

/** What an error of a session says of its client; `undefined` where its connection broke, or it went by itself. */
export function http2RefusalOf({ code, errno }: NodeJS.ErrnoException): Http2Refusal | undefined {
  if (code === 'ERR_HTTP2_TOO_MANY_INVALID_FRAMES') return 'frame_flood';
  if (code !== 'ERR_HTTP2_ERROR') return undefined;
  return floods.has(errno) ? 'frame_flood' : 'protocol_error';
}
