/** Bounds of one egress: of all calls of a process together, whoever makes them. */
export const egressLimits = {
  /** Calls under way at once. */
  callsMax: 1024,
  /** Calls under way to one origin, and connections to it: one that is slow keeps so many places and no more. */
  callsPerOriginMax: 64,
  /** Calls that wait for a place of one origin. One more fails at once. */
  waitingPerOriginMax: 256,
  /** Calls that wait for a place in all. */
  waitingMax: 4096,
  /** With so many connections open none is kept after its call. */
  keptConnectionsMax: 512,
  /** How long an idle connection is kept, in milliseconds; less where the server says so. */
  keepAliveMs: 4000,
  /**
   * Calls under way at once whose answers stream, and connections for them. They last as long as somebody writes or reads, so they have
   * places of their own, and one more fails at once: to wait for a minute is worth less than to ask somebody else.
   */
  streamsMax: 8192,
  /** Of those, to one origin. */
  streamsPerOriginMax: 2048,
  /** Origins with connections for them. One more takes the place of one that has no call under way. */
  streamOriginsMax: 512,
  /** With so many of their connections open none is kept after its call. */
  keptStreamConnectionsMax: 1024,
  /** How long an idle one is kept where the server says that it keeps it longer than `keepAliveMs`. */
  streamKeepAliveMsMax: 60_000,
  /** For connecting, TLS included, in milliseconds: a call that has longer fails with `unreachable`. */
  connectTimeoutMs: 10_000,
  /** For one of several addresses, before the next is tried beside it, in milliseconds. */
  nextAddressMs: 500,
  /** For finding out what a name stands for, in milliseconds. */
  lookupTimeoutMs: 10_000,
  /** Look-ups under way at once; one that nobody waits for any more counts until it settles. */
  lookupsMax: 256,
  /** Addresses of one name that are judged and tried. */
  addressesMax: 16,
  /** Of an answer's head. */
  headerBytesMax: 65_536,
  /** What a call may ask for at most. */
  timeoutMsMax: 3_600_000,
  responseBytesMax: 268_435_456,
  redirectsMax: 3,
  /** Of the body of a redirect that is followed: read, so that its connection can be kept. */
  redirectBytesMax: 16_384,
} as const;
