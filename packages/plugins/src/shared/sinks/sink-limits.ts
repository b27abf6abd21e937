/** Bounds of a sink. One for each running instance that sends records. */
export interface SinkLimits {
  /** Records that wait or are being sent, at most. Above it the oldest that waits is dropped. */
  readonly recordsMax: number;
  /** The same in bytes of their encoded form. */
  readonly bytesMax: number;
  /** Records of one batch, at most. */
  readonly batchRecordsMax: number;
  /** Bytes of one batch, at most; a single record may be longer. */
  readonly batchBytesMax: number;
  /** How long a record waits for others before it is sent, in milliseconds. */
  readonly delayMs: number;
  /** Batches that are on their way at once, at most. With 1 the order is kept. */
  readonly sendsMax: number;
  /** Tries of a batch that the sink does not take although it takes others; the first one included. */
  readonly triesMax: number;
  /** How long a batch is tried again while the sink takes nothing, in milliseconds: an outage costs what there is no room for, and no more. */
  readonly outageMsMax: number;
  /** Wait before the second try, in milliseconds; doubled before each further one. */
  readonly backOffMs: number;
  /** Longest wait before a try, in milliseconds, also where the sink asks for more. */
  readonly backOffMsMax: number;
  /** How long a sink that ends goes on sending what it has, in milliseconds. */
  readonly flushMsMax: number;
}

/** What sinks keep to unless they say otherwise. */
export const SINK_LIMITS: SinkLimits = {
  recordsMax: 10_000,
  bytesMax: 8 * 1024 * 1024,
  batchRecordsMax: 1000,
  batchBytesMax: 1024 * 1024,
  delayMs: 200,
  sendsMax: 1,
  triesMax: 8,
  outageMsMax: 300_000,
  backOffMs: 250,
  backOffMsMax: 15_000,
  // A gateway that ends gives its plugins 2 s.
  flushMsMax: 1800,
};

/** Longest body of a call, in bytes. Servers, and proxies before them, refuse more than 1 MB or 1 MiB where nothing else is said. */
export const BODY_BYTES_MAX = 1_000_000;

/** Bytes that all sinks of a process hold together. Above it the largest drops its oldest records. */
export const PROCESS_SINK_BYTES_MAX: number = 256 * 1024 * 1024;

/**
 * What sinks over HTTP keep to: a slow one is not a narrow one, so that several calls are under way at once, and records come in any
 * order. With answers that take half a second it is about 20,000 records a second.
 */
export const HTTP_LIMITS: Partial<SinkLimits> = {
  recordsMax: 20_000,
  bytesMax: 16 * 1024 * 1024,
  // Between records stands a character, and one at each end.
  batchBytesMax: BODY_BYTES_MAX - SINK_LIMITS.batchRecordsMax - 1,
  sendsMax: 10,
};
