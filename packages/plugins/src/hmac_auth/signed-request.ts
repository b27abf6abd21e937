import type { HmacAlgorithm } from './hmac.ts';

/** A signature that a request carries, and what it says of itself. Nothing of it is verified but the time. */
export interface SignedRequest {
  /** Names the credential. */
  readonly keyId: string;
  readonly algorithm: HmacAlgorithm;
  readonly signature: Uint8Array;
  /** What may have been signed: several where the client's view of the request cannot be known from here. */
  readonly texts: readonly string[];
  /** Names of the headers and components that the signature covers. */
  readonly covered: ReadonlySet<string>;
  readonly nonce?: string | undefined;
}

/** Why a signature does not count, before anybody knows whether it is right. */
export type SignatureFault =
  | 'malformed_credentials'
  | 'algorithm'
  | 'not_covered'
  | 'missing_header'
  | 'missing_nonce'
  | 'missing_time'
  | 'clock_skew'
  | 'expired';

/** Most headers or components that a signature covers. */
export const COVERED_MAX = 50;

/** Longest header with a signature that is looked at, in characters. */
export const SIGNATURE_HEADER_LENGTH_MAX = 8192;

/** Longest name of a credential, and longest nonce, in characters. */
export const KEY_ID_LENGTH_MAX = 256;
export const NONCE_LENGTH_MAX = 256;

/** Whether all names are covered. */
export function covers({ covered }: Pick<SignedRequest, 'covered'>, names: readonly string[]): boolean {
  return names.every((name) => covered.has(name));
}

/** Base64 in its one canonical spelling: two spellings of one signature would be two requests. */
export function canonicalBase64(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length > 0 && bytes.toString('base64') === text ? bytes : undefined;
}
