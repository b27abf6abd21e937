/** An address that a name stands for. */
export interface ResolvedAddress {
  /** Literal; IPv6 without brackets. */
  readonly address: string;
  readonly ttlSeconds: number;
}

/** Finds out what names stand for. */
export interface NameResolver {
  /** What is known without asking anybody: the hosts file. `undefined` for other names. */
  known(name: string): readonly ResolvedAddress[] | undefined;
  /**
   * Asks. Settles within bounded time.
   * @throws when there is no address, or no answer
   */
  resolve(name: string): Promise<readonly ResolvedAddress[]>;
  /** Gives up what is asked at present: those questions fail, and keep no process alive. Nothing is asked any more. */
  stop(): void;
}
