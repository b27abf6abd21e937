import { hash, timingSafeEqual } from 'node:crypto';
import type { RequestView } from '@portcullis/plugin-runtime';
import { parseDictionary } from 'structured-headers';
import { SIGNATURE_HEADER_LENGTH_MAX, canonicalBase64, type SignedRequest } from './signed-request.ts';

/** Longest body that is read to be compared with its digest, in bytes. */
export const BODY_BYTES_MAX = 8 * 1024 * 1024;

/** `unproven`: without a digest that the signature covers and that fits. */
export type BodyProof = 'proven' | 'unproven' | 'too_large';

/**
 * Compares a request's body with the digests that its signature covers. All that are of a known algorithm have to fit, and there has to
 * be one. Nothing to prove is an empty body without any.
 */
export async function proveBody(request: RequestView, { covered }: SignedRequest): Promise<BodyProof> {
  const signed = DIGEST_FIELDS.filter(({ name }) => covered.has(name));
  const digests = signed.flatMap(({ name, read }) => read(request.headers.get(name) ?? ''));
  const body = await request.readBody(BODY_BYTES_MAX);
  if (body === undefined) return 'too_large';
  if (digests.length === 0) return body.length === 0 && signed.length === 0 ? 'proven' : 'unproven';
  return digests.every((digest) => fits(body, digest)) ? 'proven' : 'unproven';
}

interface Digest {
  readonly algorithm: 'sha256' | 'sha512';
  readonly value: Uint8Array;
}

function fits(body: Uint8Array, { algorithm, value }: Digest): boolean {
  const made = hash(algorithm, body, 'buffer');
  return made.length === value.length && timingSafeEqual(made, value);
}

/** `SHA-256=base64`, several with commas between. Source: RFC 3230. */
function digestsOf(value: string): readonly Digest[] {
  if (value.length > SIGNATURE_HEADER_LENGTH_MAX) return [];
  return value.split(',').flatMap((part) => {
    const [, name = '', encoded = ''] = /^ *([A-Za-z0-9-]+)=([A-Za-z0-9+/=]+) *$/.exec(part) ?? [];
    return digestOf(name.toLowerCase(), canonicalBase64(encoded));
  });
}

/** `sha-256=:base64:`. Source: RFC 9530. */
function contentDigestsOf(value: string): readonly Digest[] {
  if (value.length > SIGNATURE_HEADER_LENGTH_MAX) return [];
  try {
    return [...parseDictionary(value)].flatMap(([name, [bytes]]) =>
      digestOf(name, bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : undefined),
    );
  } catch {
    return [];
  }
}

function digestOf(name: string, value: Uint8Array | undefined): readonly Digest[] {
  const algorithm = ALGORITHMS.get(name);
  return algorithm === undefined ? [] : [{ algorithm, value: value ?? NO_BYTES }];
}

const NO_BYTES = new Uint8Array();
const ALGORITHMS: ReadonlyMap<string, Digest['algorithm']> = new Map([
  ['sha-256', 'sha256'],
  ['sha-512', 'sha512'],
]);
const DIGEST_FIELDS = [
  { name: 'digest', read: digestsOf },
  { name: 'content-digest', read: contentDigestsOf },
] as const;
