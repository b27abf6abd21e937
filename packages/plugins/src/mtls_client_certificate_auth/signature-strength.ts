import { RSASSAPSSParams, type AlgorithmIdentifier } from 'pkijs';

/** Whether certificates may be signed in this way: with SHA-2, or with an Edwards curve. MD5 and SHA-1 can be forged. */
export function isStrongSignature({ algorithmId, algorithmParams }: AlgorithmIdentifier): boolean {
  if (algorithmId !== RSA_PSS) return SIGNATURES.has(algorithmId);
  try {
    return SHA_2.has(new RSASSAPSSParams({ schema: algorithmParams }).hashAlgorithm.algorithmId);
  } catch {
    return false;
  }
}

const RSA_PSS = '1.2.840.113549.1.1.10';

/** RSA, ECDSA, each with SHA-256, SHA-384, SHA-512; Ed25519, Ed448. Source: RFC 4055, RFC 5758, RFC 8410. */
const SIGNATURES: ReadonlySet<string> = new Set([
  '1.2.840.113549.1.1.11',
  '1.2.840.113549.1.1.12',
  '1.2.840.113549.1.1.13',
  '1.2.840.10045.4.3.2',
  '1.2.840.10045.4.3.3',
  '1.2.840.10045.4.3.4',
  '1.3.101.112',
  '1.3.101.113',
]);

const SHA_2: ReadonlySet<string> = new Set([
  '2.16.840.1.101.3.4.2.1',
  '2.16.840.1.101.3.4.2.2',
  '2.16.840.1.101.3.4.2.3',
]);
