import { outboundFailure, type Awaitable, type PluginServices } from '@portcullis/plugin-runtime';
import { isClaims } from '../claims/claim-value.ts';
import { KeyRing } from './key-ring.ts';
import { readKeySet } from './public-keys.ts';

/** After this time keys are fetched anew, in the background, when a request needs them. */
export const KEYS_FRESH_MS = 5 * 60_000;

/**
 * After this time without an answer from the issuer its keys no longer count. Tokens live about as long: later there is hardly one
 * left to accept, and a key that was revoked meanwhile must end some time.
 */
export const KEYS_USABLE_MS = 60 * 60_000;

/** Least time between two fetches, whatever tokens name and whatever the issuer answers. */
export const FETCH_PAUSE_MS = 10_000;

/** Most time of a fetch: well below the default time-out of a hook, 5 s. */
export const FETCH_TIMEOUT_MS = 3000;

/** Bytes of a key set. Sets with certificate chains have some kilobytes a key. */
export const KEY_SET_BYTES_MAX = 512 * 1024;

/** Requests with an unknown key that wait for a fetch: fewer than an instance may have waiting, so that others go on. */
export const WAITING_MAX = 8;

/** The issuer's keys could not be fetched, and those that were are too old. */
export class KeysUnavailableError extends Error {
  override readonly name = 'KeysUnavailableError';
  readonly code = 'keys_unavailable';
}

/** What fetching anew for a token with an unknown key came to. */
export type Renewal =
  /** These are the issuer's keys now. */
  | { readonly ring: KeyRing }
  /** The issuer was asked a moment ago: its keys are as known. */
  | 'current'
  /** The issuer does not answer, or too many wait: nobody knows. */
  | 'unknown';

/**
 * The keys of an issuer behind an address. One fetch at a time; never more often than {@link FETCH_PAUSE_MS} allows, so that tokens
 * with invented keys make no load for the issuer. While the issuer is down, the keys that are known serve on.
 */
export class RemoteKeys {
  readonly #url: string;
  /** The part of the address that tells an operator which issuer it is, and holds no secret. */
  readonly #host: string;
  readonly #services: Pick<PluginServices, 'clock' | 'log' | 'outbound'>;
  readonly #stop = new AbortController();
  #ring: KeyRing | undefined;
  #fetchedAtMs = Number.NEGATIVE_INFINITY;
  #triedAtMs = Number.NEGATIVE_INFINITY;
  /** Why the last fetch failed, if it did. */
  #failure: string | undefined;
  #flight: Promise<void> | undefined;
  #waiting = 0;

  constructor(url: string, services: Pick<PluginServices, 'clock' | 'log' | 'outbound'>) {
    this.#url = url;
    this.#host = new URL(url).host;
    this.#services = services;
  }

  /** The keys, if they are known and not too old. Old ones are fetched anew behind the caller's back. */
  current(): KeyRing | undefined {
    const ageMs = this.#services.clock.monotonicMs() - this.#fetchedAtMs;
    if (ageMs >= KEYS_FRESH_MS && this.#ring !== undefined) void this.#fetch();
    return ageMs < KEYS_USABLE_MS ? this.#ring : undefined;
  }

  /**
   * The keys when there are none yet.
   * @throws KeysUnavailableError when the issuer does not give them
   */
  async loaded(): Promise<KeyRing> {
    await this.#fetch();
    const ring = this.current();
    if (ring === undefined) {
      const reason = this.#failure ?? 'it was stopped';
      throw new KeysUnavailableError(`the keys of the issuer at ${this.#host} could not be fetched: ${reason}`);
    }
    return ring;
  }

  /**
   * Asks the issuer again, because a token names a key that is not among the known ones.
   * @param seen where the key was looked for
   */
  renewed(seen: KeyRing): Awaitable<Renewal> {
    const flight = this.#fetch();
    if (flight === undefined) return this.#renewal(seen);
    return this.#waiting < WAITING_MAX ? this.#afterwards(flight, seen) : 'unknown';
  }

  /** Gives up a fetch that is under way. */
  close(): void {
    this.#stop.abort();
  }

  async #afterwards(flight: Promise<void>, seen: KeyRing): Promise<Renewal> {
    this.#waiting += 1;
    await flight;
    this.#waiting -= 1;
    return this.#renewal(seen);
  }

  #renewal(seen: KeyRing): Renewal {
    if (this.#ring !== undefined && this.#ring !== seen) return { ring: this.#ring };
    return this.#failure === undefined ? 'current' : 'unknown';
  }

  /** Begins a fetch or joins the one under way; `undefined` when it is too early for another. Never rejects. */
  #fetch(): Promise<void> | undefined {
    if (this.#flight !== undefined) return this.#flight;
    const nowMs = this.#services.clock.monotonicMs();
    if (nowMs - this.#triedAtMs < FETCH_PAUSE_MS) return undefined;
    this.#triedAtMs = nowMs;
    this.#flight = this.#load().then((failure) => {
      this.#flight = undefined;
      this.#failure = failure;
      if (failure !== undefined && !this.#stop.signal.aborted) {
        const details = { host: this.#host, reason: failure };
        this.#services.log.warn('the keys of the issuer could not be fetched', details);
      }
    });
    return this.#flight;
  }

  /** @returns why it failed */
  async #load(): Promise<string | undefined> {
    try {
      // No redirect is followed: whose keys count is what the config says.
      const { status, body } = await this.#services.outbound.request({
        url: this.#url,
        headers: ['accept', 'application/jwk-set+json, application/json'],
        requiresTls: true,
        timeoutMs: FETCH_TIMEOUT_MS,
        responseBytesMax: KEY_SET_BYTES_MAX,
        signal: this.#stop.signal,
      });
      if (status !== 200) return `status ${status}`;
      const set: unknown = JSON.parse(new TextDecoder().decode(body));
      const { keys, mistake } = isClaims(set) && Array.isArray(set['keys']) ? readKeySet(set['keys']) : NO_SET;
      if (keys === undefined) return mistake;
      this.#ring = new KeyRing(keys, this.#ring);
      this.#fetchedAtMs = this.#services.clock.monotonicMs();
      return undefined;
    } catch (error) {
      return outboundFailure(error) ?? 'the answer is no JSON';
    }
  }
}

const NO_SET = { keys: undefined, mistake: 'the answer is no JWK set' } as const;
