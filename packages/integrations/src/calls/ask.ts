/** One request of a driver. */
export interface Question {
  /** What it asks for, as failures name it: `saved_searches`. Fixed words. */
  readonly request: string;
  readonly url: string;
  /** Names in lower case. `accept` and `accept-encoding` are added. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A success: 2xx, and JSON. */
export interface JsonAnswer {
  readonly status: number;
  readonly value: unknown;
}

/** Asks, and fails with an `IntegrationError` for all but a success. */
export type Ask = (question: Question) => Promise<JsonAnswer>;
