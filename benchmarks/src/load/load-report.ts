/** What to send, and how much of it. */
export interface LoadOrder {
  readonly port: number;
  readonly path: string;
  /** Sent with each request, beside `host`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  /** How many requests in all; a load generator that counts seconds comes near to it. */
  readonly requests: number;
  /** Sends each request as a `POST` with this body, in place of a `GET`. Only our own generator does. */
  readonly body?: string;
  /** Spreads the requests over so many routes, in place of `path`. See `spreadTarget`. */
  readonly spread?: number;
}

/** What a load generator saw. */
export interface LoadReport {
  /** Answers with status 200. */
  readonly answered: number;
  /** Other statuses, malformed answers and broken connections. */
  readonly errors: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}
