import { hash, randomBytes } from 'node:crypto';
import type { Clock, HeaderEdit } from '@portcullis/plugin-runtime';
import { LRUCache } from 'lru-cache';

/** How long the directory's yes counts, in milliseconds: so long after a change there, an old password still passes. */
export const VERIFIED_MS = 30_000;

/** How long somebody who signed in is familiar, in milliseconds: to be asked about again, but not to be held up as a stranger. */
export const FAMILIAR_MS = 3_600_000;

/** Most users that are remembered, and most characters of the headers made for them. */
export const VERIFIED_MAX = 10_000;
export const VERIFIED_CHARACTERS_MAX = 16_000_000;

/** What is known of somebody who signed in. */
export interface VerifiedUser {
  /** See `presentedName`. */
  readonly name: string;
  /** For `upstream_headers` and `hide_credentials`. */
  readonly headers: readonly HeaderEdit[];
}

interface Entry extends VerifiedUser {
  readonly sinceMs: number;
}

/** Names what a client presented without holding it. Another value each time the instance is made. */
export function presentedDigests(): (presented: string) => string {
  const salt = randomBytes(SALT_BYTES).toString('base64');
  return (presented) => hash('sha256', salt + presented, 'base64');
}

/** Who signed in of late, by the digest of what was presented. */
export class VerifiedBinds {
  readonly #entries = new LRUCache<string, Entry>({
    max: VERIFIED_MAX,
    maxSize: VERIFIED_CHARACTERS_MAX,
    sizeCalculation: ({ headers }) =>
      headers.reduce((sum, { name, value = '' }) => sum + name.length + value.length, 1),
  });
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  find(digest: string): VerifiedUser | undefined {
    return this.#since(digest, VERIFIED_MS);
  }

  isFamiliar(digest: string): boolean {
    return this.#since(digest, FAMILIAR_MS) !== undefined;
  }

  remember(digest: string, { name, headers }: VerifiedUser): void {
    this.#entries.set(digest, { name, headers, sinceMs: this.#clock.monotonicMs() });
  }

  forget(digest: string): void {
    this.#entries.delete(digest);
  }

  #since(digest: string, keptMs: number): VerifiedUser | undefined {
    const entry = this.#entries.get(digest);
    return entry !== undefined && this.#clock.monotonicMs() < entry.sinceMs + keptMs ? entry : undefined;
  }
}

const SALT_BYTES = 24;
