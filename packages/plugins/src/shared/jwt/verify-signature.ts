import type { KeyObject } from 'node:crypto';
import { compactVerify } from 'jose';
import type { CompactToken } from './compact-token.ts';

/** A key with the algorithms that it may be used for. */
export interface VerificationKey {
  readonly key: KeyObject;
  readonly algorithms: readonly string[];
}

/**
 * The first of these keys that a token is signed with; `undefined` when none is. A key is tried only with an algorithm of its own,
 * whatever the token says: an HMAC is never checked with a public key. Source: RFC 8725, sections 2.1 and 3.1.
 */
export async function signingKey<Key extends VerificationKey>(
  { text, algorithm }: CompactToken,
  candidates: readonly Key[],
): Promise<Key | undefined> {
  for (const candidate of candidates) {
    if (candidate.algorithms.includes(algorithm) && (await isSignedWith(text, candidate.key, algorithm))) {
      return candidate;
    }
  }
  return undefined;
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
