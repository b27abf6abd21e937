import { exportJWK, generateKeyPair } from 'jose';
import type { SigningKeyRow } from '../database/tables.ts';
import { type SecretBox, SYSTEM_TENANT } from '../secrets/secret-box.ts';
import type { SecretContext } from '../secrets/tenant-secrets.ts';
import { type RandomBytes, randomText } from './opaque-token.ts';

/** The one algorithm of access tokens. A token that names another is refused before its key is looked for. */
export const signingAlgorithm = 'EdDSA';

/** What a key is made with. */
export interface NewSigningKeyParts {
  readonly secrets: Pick<SecretBox, 'seal'>;
  readonly nowMs: () => number;
  readonly random: RandomBytes;
}

/** Makes a key pair, the private half sealed, for the table `signing_keys`. */
export async function newSigningKey(parts: NewSigningKeyParts): Promise<SigningKeyRow> {
  const { publicKey, privateKey } = await generateKeyPair(signingAlgorithm, { crv: 'Ed25519', extractable: true });
  const kid = randomText(16, parts.random);
  return {
    kid,
    public_jwk: JSON.stringify(await exportJWK(publicKey)),
    private_jwk: await parts.secrets.seal(SYSTEM_TENANT, sealContext(kid), JSON.stringify(await exportJWK(privateKey))),
    created_at: parts.nowMs(),
    retired_at: null,
  };
}

/** What the private half of a key is sealed for. */
export function sealContext(kid: string): SecretContext {
  return { family: 'signing-keys', id: kid, pointer: '/private_jwk' };
}
