/** How records leave: what a package writes of its own. `Entry` is a record in the form in which it is sent. */
export interface RecordSender<Entry> {
  /**
   * Sends records, all or none as far as it can tell. Resolves when the sink has taken them.
   * May be called again before an earlier call ended: as often as the limit `sendsMax` says, and by records that requests wait for.
   * @param batch at least one, oldest first
   * @param signal fires when nobody waits any more: let go of what the call holds
   * @throws SendError, by a rejection, for what the sink said; whatever else it rejects with is tried again
   */
  send(batch: readonly Entry[], signal: AbortSignal): Promise<void>;
  /** Lets go of connections and files, after the last `send` ended or was given up. Called once. */
  close?(): Promise<void> | void;
}

/** What a sink said beside that it did not take records. */
export interface SendErrorOptions extends ErrorOptions {
  readonly isTooLarge?: boolean;
  readonly retryAfterMs?: number;
}

/** Why records were not taken. The message is for the operator's log: it names no address, no key and no record. */
export class SendError extends Error {
  override readonly name = 'SendError';
  /** Whether the same records may be taken later. */
  readonly isRetryable: boolean;
  /** Whether fewer records at once may be taken. */
  readonly isTooLarge: boolean;
  /** How long the sink asked to be left alone, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, isRetryable: boolean, options: SendErrorOptions = {}) {
    super(message, options);
    this.isRetryable = isRetryable;
    this.isTooLarge = options.isTooLarge ?? false;
    this.retryAfterMs = options.retryAfterMs;
  }
}
