import type { ServerOptions } from 'node:http2';
import { serverLimits } from './server-limits.ts';

/** Bounds of a client's connection of HTTP/2. Source: RFC 9113, section 10.5, and the attacks since. */
export const http2Limits = {
  /** Requests at a time; the client is told. */
  streamsMax: 128,
  /** Bytes that a client may send ahead of who reads them, for each stream and for all of a connection. */
  streamWindowBytes: 64 * 1024,
  connectionWindowBytes: 1024 * 1024,
  /** Requests that are still taken of a client that was told that its connection ends. */
  requestsAfterEndMax: 1000,
  /** What nghttp2 keeps for a connection. */
  sessionMb: 10,
  /** Streams that may end without their answers at once, and each second after that: "rapid reset", and "made you reset". */
  resetsAtOnceMax: 1000,
  resetsPerSecondMax: 33,
  /** Frames that break the rules, and streams beyond {@link http2Limits.streamsMax}, before a connection ends. */
  invalidFramesMax: 100,
  refusedStreamsMax: 100,
  /** Our `PING`s that wait for their answers. */
  unansweredMax: 10,
  settingsMax: 32,
} as const;

/** Pseudo-fields of a request. A cookie may come in pieces, one field each, and is put together before fields are counted. */
const fieldsOnWireMax = serverLimits.headersMax + 4 + 128;

/** The same for every connection. */
export const http2Options: ServerOptions = {
  maxSessionMemory: http2Limits.sessionMb,
  maxHeaderListPairs: fieldsOnWireMax,
  maxOutstandingPings: http2Limits.unansweredMax,
  maxSettings: http2Limits.settingsMax,
  maxSessionInvalidFrames: http2Limits.invalidFramesMax,
  maxSessionRejectedStreams: http2Limits.refusedStreamsMax,
  // Behind our own count, which says why the connection ends.
  streamResetBurst: 2 * http2Limits.resetsAtOnceMax,
  streamResetRate: http2Limits.resetsPerSecondMax,
  strictSingleValueFields: false,
  settings: {
    maxConcurrentStreams: http2Limits.streamsMax,
    initialWindowSize: http2Limits.streamWindowBytes,
    maxHeaderListSize: serverLimits.headerBytesMax,
    enablePush: false,
    enableConnectProtocol: false,
  },
};
