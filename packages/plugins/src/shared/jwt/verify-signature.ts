import type { KeyObject } from 'node:crypto';
import type { Awaitable } from '@portcullis/plugin-runtime';
import { compactVerify } from 'jose';
import type { CompactToken } from './compact-token.ts';
import { isSignedInTurn } from './signed-in-turn.ts';

/** A key with the algorithms that it may be used for. */
export interface VerificationKey {
  readonly key: KeyObject;
  readonly algorithms: readonly string[];
}

/**
 * Signatures of one instance that are checked in threads at once. A runtime refuses requests beyond a number that wait (32 by
 * default), and a gateway that has just started gets a token of every client in one moment: further ones are checked on the spot,
 * slower for the others, but not refused.
 */
export const CHECKS_WAITING_MAX = 16;

/** Checks what tokens are signed with. */
export class SignatureChecks {
  #waiting = 0;

  /**
   * The first of these keys that a token is signed with; `undefined` when none is. A key is tried only with an algorithm of its own,
   * whatever the token says: an HMAC is never checked with a public key. Source: RFC 8725, sections 2.1 and 3.1.
   */
  signingKey<Key extends VerificationKey>(token: CompactToken, candidates: readonly Key[]): Awaitable<Key | undefined> {
    const { text, algorithm } = token;
    const fitting = candidates.filter(({ algorithms }) => algorithms.includes(algorithm));
    return this.#waiting < CHECKS_WAITING_MAX
      ? this.#inThreads(text, algorithm, fitting)
      : fitting.find(({ key }) => isSignedInTurn(text, key, algorithm));
  }

  async #inThreads<Key extends VerificationKey>(
    text: string,
    algorithm: string,
    candidates: readonly Key[],
  ): Promise<Key | undefined> {
    this.#waiting += 1;
    try {
      for (const candidate of candidates) if (await isSignedWith(text, candidate.key, algorithm)) return candidate;
      return undefined;
    } finally {
      this.#waiting -= 1;
    }
  }
}

/** Whatever goes wrong in checking a stranger's token is the token's fault: the keys were checked when they were read. */
async function isSignedWith(text: string, key: KeyObject, algorithm: string): Promise<boolean> {
  try {
    await compactVerify(text, key, { algorithms: [algorithm] });
    return true;
  } catch {
    return false;
  }
}
