import { createHmac, timingSafeEqual } from 'node:crypto';

/** Names of algorithms, as consumers' credentials and requests have them. SHA-1 is not among them. */
export const hmacAlgorithms = ['hmac-sha256', 'hmac-sha384', 'hmac-sha512'] as const;

/** See {@link hmacAlgorithms}. */
export type HmacAlgorithm = (typeof hmacAlgorithms)[number];

/** @returns `undefined` for the name of none of {@link hmacAlgorithms} */
export function hmacAlgorithm(name: string): HmacAlgorithm | undefined {
  return hmacAlgorithms.find((known) => known === name);
}

/** Whether a secret made this signature of one of the texts. How long that takes says nothing of how much of it is right. */
export function isSignedWith(
  secret: string | Uint8Array,
  algorithm: HmacAlgorithm,
  texts: readonly string[],
  signature: Uint8Array,
): boolean {
  const digest = algorithm.slice('hmac-'.length);
  return texts.some((text) => {
    const made = createHmac(digest, secret).update(text).digest();
    return made.length === signature.length && timingSafeEqual(made, signature);
  });
}
