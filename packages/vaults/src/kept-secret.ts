import type { Driver } from './drivers/driver.ts';
import type { SecretContent } from './secret-content.ts';
import { asVaultError, VaultError } from './vault-error.ts';

/** How long the last value goes on while a vault does not answer, counted from the end of its time to live; in milliseconds. */
export const STALE_MS_MAX: number = 10 * 60_000;

/** How long a failure counts before the vault is asked again, in milliseconds. */
export const FAILURE_MS = 1000;

/** Reads under way at a time, of all secrets of a process. */
export const READS_MAX = 100;

/** Part of the time to live after which a read asks the vault again, so that later ones need not wait. */
const REFRESH_SHARE = 0.8;

/** What a kept secret works with. */
export interface KeptSecretPorts {
  /** Prefix of the vault. */
  readonly vault: string;
  readonly driver: Driver;
  readonly ttlMs: number;
  readonly monotonicMs: () => number;
  /** Counts the reads under way of the whole process. */
  readonly reads: { underWay: number };
  /** Called for the first failure after a value, or after none. */
  readonly onFailure: (error: VaultError) => void;
}

/** What came of asking the vault. */
type Outcome = { readonly content: SecretContent } | { readonly error: VaultError };

/**
 * One secret of one vault, kept for its time to live. One read of the vault at a time, however many ask. In the last fifth of that time
 * a read has the next value fetched and does not wait for it. A vault that does not answer, or that the host does not let be asked, leaves the last value valid for
 * {@link STALE_MS_MAX}; one that says that the secret is gone, or refuses it, ends it at once.
 */
export class KeptSecret {
  readonly vault: string;
  readonly #secret: string;
  readonly #ports: KeptSecretPorts;
  #content: SecretContent | undefined;
  /** When the read that brought the content began. */
  #sinceMs = 0;
  #failure: { readonly error: VaultError; readonly untilMs: number } | undefined;
  #read: Promise<Outcome> | undefined;

  constructor(secret: string, ports: KeptSecretPorts) {
    this.vault = ports.vault;
    this.#secret = secret;
    this.#ports = ports;
  }

  /** The value of a key: at once when it is kept. @throws VaultError, or rejects with one */
  value(key: string | undefined, signal: AbortSignal | undefined): string | Promise<string> {
    const nowMs = this.#ports.monotonicMs();
    const content = this.#content;
    if (content !== undefined) {
      const { ttlMs } = this.#ports;
      const ageMs = nowMs - this.#sinceMs;
      const isFresh = ageMs < ttlMs;
      const isDown = this.#failure !== undefined && this.#mayGoOn(nowMs);
      if (ageMs >= ttlMs * REFRESH_SHARE && (isFresh || isDown)) this.#refresh(nowMs);
      if (isFresh || isDown) return content.value(key);
    }
    if (this.#failure !== undefined && nowMs < this.#failure.untilMs) throw this.#failure.error;
    return this.#next(key, signal);
  }

  async #next(key: string | undefined, signal: AbortSignal | undefined): Promise<string> {
    const outcome = await unlessAborted(this.#ask(), signal);
    if ('content' in outcome) return outcome.content.value(key);
    if (this.#content !== undefined && this.#mayGoOn(this.#ports.monotonicMs())) return this.#content.value(key);
    throw outcome.error;
  }

  /** Whether the last value goes on though its time to live is over. What may not be kept at all does not. */
  #mayGoOn(nowMs: number): boolean {
    const { ttlMs } = this.#ports;
    return ttlMs > 0 && nowMs - this.#sinceMs < ttlMs + STALE_MS_MAX;
  }

  #refresh(nowMs: number): void {
    if (this.#failure === undefined || nowMs >= this.#failure.untilMs) void this.#ask();
  }

  /** One read at a time. Never rejects. */
  #ask(): Promise<Outcome> {
    this.#read ??= this.#readOnce().finally(() => {
      this.#read = undefined;
    });
    return this.#read;
  }

  async #readOnce(): Promise<Outcome> {
    const { reads, driver, monotonicMs } = this.#ports;
    const startedMs = monotonicMs();
    if (reads.underWay >= READS_MAX) {
      return this.#failed(new VaultError('unavailable', `${READS_MAX} reads of vaults are under way`));
    }
    reads.underWay += 1;
    try {
      const content = await driver.read(this.#secret);
      this.#content = content;
      this.#sinceMs = startedMs;
      this.#failure = undefined;
      return { content };
    } catch (error) {
      return this.#failed(asVaultError(error));
    } finally {
      reads.underWay -= 1;
    }
  }

  #failed(error: VaultError): Outcome {
    const isNews = this.#failure?.error.code !== error.code;
    this.#failure = { error, untilMs: this.#ports.monotonicMs() + FAILURE_MS };
    // What the vault has not said of its secret does not end it.
    if (error.code !== 'unavailable' && !error.isOfHost) this.#content = undefined;
    if (isNews) this.#ports.onFailure(error);
    return { error };
  }
}

/** Somebody who does not wait any longer leaves the others their read. */
function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(new VaultError('unavailable', 'the call was given up before the vault answered'));
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    void promise.then((value) => {
      signal.removeEventListener('abort', giveUp);
      resolve(value);
    });
  });
}
