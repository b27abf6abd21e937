/** How long a password that was verified is known without being used, in milliseconds. */
export const VERIFIED_MS = 300_000;

/** Most passwords that an instance knows. Only right ones get in, so nobody without a credential can push others out. */
export const VERIFIED_MAX = 10_000;

interface Verified {
  readonly passwordHash: string;
  untilMs: number;
}

/**
 * Passwords that fitted their hash a short time ago, so that a client pays for the slow hash once. What is asked is whether this
 * password fits this very hash: a changed password has another one, and whether the credential is still there the directory says
 * before. Passwords are known by a digest only.
 */
export class VerifiedPasswords {
  /** By digest, the one that was used longest ago first. */
  readonly #known = new Map<string, Verified>();

  /** Whether a password was found to fit this hash. Being asked keeps it known. */
  has(digest: string, passwordHash: string, nowMs: number): boolean {
    const known = this.#known.get(digest);
    if (known === undefined) return false;
    // To the end, as used last. With room for all, the order does not matter.
    if (this.#known.size > VERIFIED_MAX / 2) this.#known.delete(digest);
    if (known.passwordHash !== passwordHash || known.untilMs <= nowMs) {
      this.#known.delete(digest);
      return false;
    }
    known.untilMs = nowMs + VERIFIED_MS;
    this.#known.set(digest, known);
    return true;
  }

  /** A password was found to fit a hash. */
  add(digest: string, passwordHash: string, nowMs: number): void {
    this.#known.delete(digest);
    if (this.#known.size >= VERIFIED_MAX) this.#dropOne(nowMs);
    this.#known.set(digest, { passwordHash, untilMs: nowMs + VERIFIED_MS });
  }

  get size(): number {
    return this.#known.size;
  }

  /** Makes room: what nobody uses any more goes, and at least the one that was used longest ago. */
  #dropOne(nowMs: number): void {
    for (const [digest, { untilMs }] of this.#known) {
      this.#known.delete(digest);
      if (untilMs > nowMs) return;
    }
  }
}
