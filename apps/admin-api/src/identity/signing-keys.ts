import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import type { Database } from '../database/database.ts';
import type { SigningKeyRow } from '../database/tables.ts';
import { type SecretBox, SYSTEM_TENANT } from '../secrets/secret-box.ts';
import type { SecretContext } from '../secrets/tenant-secrets.ts';
import { type RandomBytes, randomText } from './opaque-token.ts';

/** The one algorithm of access tokens. A token that names another is refused before its key is looked for. */
export const signingAlgorithm = 'EdDSA';

/** The keys that sign and verify access tokens, shared by all replicas through the database. */
export interface SigningKeys {
  /** The key that signs now. Makes the first one when there is none. */
  signer(): Promise<{ readonly kid: string; readonly key: CryptoKey }>;
  /** The public key of a `kid`, retired ones included; nothing when no replica made it. */
  verifier(kid: string): Promise<CryptoKey | undefined>;
  /** Public keys for `/.well-known/jwks.json`. */
  publicKeys(): Promise<readonly JWK[]>;
}

/** What signing keys need. */
export interface SigningKeysParts {
  readonly database: Database;
  readonly secrets: Pick<SecretBox, 'seal' | 'open'>;
  readonly nowMs: () => number;
  readonly random: RandomBytes;
}

/** How often keys are read again for a `kid` that is not known here. */
const reloadEveryMs = 1_000;
const kidForm = /^[A-Za-z0-9_-]{1,64}$/;

interface LoadedKeys {
  readonly rows: readonly SigningKeyRow[];
  readonly public: ReadonlyMap<string, CryptoKey>;
  readonly atMs: number;
}

/**
 * Keys in the table `signing_keys`. Two replicas that start at once on an empty table may each make one: both then count,
 * and the older one signs. Safe to call at once.
 */
export function createSigningKeys(parts: SigningKeysParts): SigningKeys {
  let loaded: Promise<LoadedKeys> | undefined;
  let signing: Promise<{ readonly kid: string; readonly key: CryptoKey }> | undefined;

  const load = async (): Promise<LoadedKeys> => {
    const rows = await parts.database.read
      .selectFrom('signing_keys')
      .selectAll()
      .orderBy('created_at')
      .orderBy('kid')
      .execute();
    const entries = await Promise.all(rows.map(async (row) => [row.kid, await publicKeyOf(row)] as const));
    return { rows, public: new Map(entries), atMs: parts.nowMs() };
  };
  const reload = (): Promise<LoadedKeys> => {
    loaded = load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
  const current = (): Promise<LoadedKeys> => loaded ?? reload();

  return {
    async signer() {
      signing ??= openSigner(parts, current, reload).catch((error: unknown) => {
        signing = undefined;
        throw error;
      });
      return signing;
    },
    async verifier(kid) {
      if (!kidForm.test(kid)) return undefined;
      const keys = await current();
      const key = keys.public.get(kid);
      if (key || parts.nowMs() - keys.atMs < reloadEveryMs) return key;
      return (await reload()).public.get(kid);
    },
    async publicKeys() {
      const { rows } = await reload();
      return rows.map((row) => ({ ...publicJwk(row), kid: row.kid, alg: signingAlgorithm, use: 'sig' }));
    },
  };
}

async function openSigner(
  parts: SigningKeysParts,
  current: () => Promise<LoadedKeys>,
  reload: () => Promise<LoadedKeys>,
): Promise<{ kid: string; key: CryptoKey }> {
  let row = (await current()).rows.find(isActive);
  if (!row) {
    await insertKey(parts);
    row = (await reload()).rows.find(isActive);
  }
  if (!row) throw new Error('the signing key that was just made cannot be read');
  const jwk = JSON.parse(await parts.secrets.open(SYSTEM_TENANT, sealContext(row.kid), row.private_jwk)) as JWK;
  return { kid: row.kid, key: (await importJWK(jwk, signingAlgorithm)) as CryptoKey };
}

function isActive(row: SigningKeyRow): boolean {
  return row.retired_at === null;
}

async function insertKey(parts: SigningKeysParts): Promise<void> {
  const { publicKey, privateKey } = await generateKeyPair(signingAlgorithm, { crv: 'Ed25519', extractable: true });
  const kid = randomText(16, parts.random);
  const row: SigningKeyRow = {
    kid,
    public_jwk: JSON.stringify(await exportJWK(publicKey)),
    private_jwk: await parts.secrets.seal(SYSTEM_TENANT, sealContext(kid), JSON.stringify(await exportJWK(privateKey))),
    created_at: parts.nowMs(),
    retired_at: null,
  };
  await parts.database.transaction((transaction) => transaction.insertInto('signing_keys').values(row).execute());
}

function sealContext(kid: string): SecretContext {
  return { family: 'signing-keys', id: kid, pointer: '/private_jwk' };
}

function publicJwk(row: SigningKeyRow): JWK {
  return JSON.parse(row.public_jwk) as JWK;
}

async function publicKeyOf(row: SigningKeyRow): Promise<CryptoKey> {
  return (await importJWK(publicJwk(row), signingAlgorithm)) as CryptoKey;
}
