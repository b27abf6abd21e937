import { type CryptoKey, importJWK, type JWK } from 'jose';
import type { Database } from '../database/database.ts';
import type { SigningKeyRow } from '../database/tables.ts';
import type { RevisionPort } from '../revisions/revision-port.ts';
import { type SecretBox, SYSTEM_TENANT } from '../secrets/secret-box.ts';
import type { RandomBytes } from './opaque-token.ts';
import { newSigningKey, sealContext, signingAlgorithm } from './new-signing-key.ts';

/** The keys that sign and verify access tokens, shared by all replicas through the database. */
export interface SigningKeys {
  /** The key that signs now. Makes the first one when there is none. */
  signer(): Promise<{ readonly kid: string; readonly key: CryptoKey }>;
  /** The public key of a `kid`, superseded ones included while tokens of theirs are good; else nothing. */
  verifier(kid: string): Promise<CryptoKey | undefined>;
  /** Public keys for `/.well-known/jwks.json`: those that verify. */
  publicKeys(): Promise<readonly JWK[]>;
}

/** What signing keys need. */
export interface SigningKeysParts {
  readonly database: Database;
  readonly revisions: Pick<RevisionPort, 'lock'>;
  readonly secrets: Pick<SecretBox, 'seal' | 'open'>;
  readonly nowMs: () => number;
  readonly random: RandomBytes;
}

/** When keys are read again, sign, and are over. In milliseconds. */
export const signingKeyTimes = {
  /** Keys are read again after this, so that a revoked one is refused everywhere within 5 s. */
  rereadMs: 4_000,
  /** And for a `kid` that is not known here, but not more often than this: anyone can make one up. */
  rereadForUnknownMs: 1_000,
  /**
   * A new key only verifies for this long before it signs. By then every replica has read it, so that none meets a token by
   * a key that it takes for unknown; clocks may differ by what is beyond `rereadMs`.
   */
  verifyOnlyMs: 10_000,
} as const;

const kidForm = /^[A-Za-z0-9_-]{1,64}$/;

interface LoadedKeys {
  /** Oldest first. */
  readonly rows: readonly SigningKeyRow[];
  readonly public: ReadonlyMap<string, CryptoKey>;
  readonly atMs: number;
}

/** Keys in the table `signing_keys`. Safe to call at once, by any number of replicas. */
export function createSigningKeys(parts: SigningKeysParts): SigningKeys {
  const { database, nowMs } = parts;
  let known: LoadedKeys | undefined;
  let loading: Promise<LoadedKeys> | undefined;
  let opened: { readonly kid: string; readonly key: Promise<CryptoKey> } | undefined;
  let generation = 0;
  // A rotation is announced as a change outside all tenants. What is being read at that moment may be from before it.
  database.subscribe(({ tenantId }) => {
    if (tenantId !== '') return;
    generation += 1;
    known = loading = undefined;
  });

  /** Reads the keys once for all who ask meanwhile. */
  const reload = (): Promise<LoadedKeys> => {
    if (loading) return loading;
    const readIn = generation;
    const remember = (keys: LoadedKeys): LoadedKeys => {
      if (readIn === generation) known = keys;
      return keys;
    };
    const mine = load(database, nowMs())
      .then(remember)
      .finally(() => {
        if (loading === mine) loading = undefined;
      });
    loading = mine;
    return mine;
  };
  /** The keys as they were read at most `ageMs` ago. A clock that was set back makes them too old as well. */
  const readWithin = async (ageMs: number): Promise<LoadedKeys> => {
    const age = known ? nowMs() - known.atMs : Number.NaN;
    return known && age >= 0 && age < ageMs ? known : reload();
  };
  const current = (): Promise<LoadedKeys> => readWithin(signingKeyTimes.rereadMs);

  return {
    async signer() {
      let row = signingRow((await current()).rows, nowMs());
      if (!row) {
        await insertFirstKey(parts);
        row = signingRow((await reload()).rows, nowMs());
      }
      if (!row) throw new Error('the signing key that was just made cannot be read');
      if (opened?.kid !== row.kid) {
        const next = { kid: row.kid, key: openPrivateKey(parts, row) };
        opened = next;
        next.key.catch(() => {
          if (opened === next) opened = undefined;
        });
      }
      return { kid: row.kid, key: await opened.key };
    },
    async verifier(kid) {
      if (!kidForm.test(kid)) return undefined;
      const known = (await current()).public.get(kid);
      return known ?? (await readWithin(signingKeyTimes.rereadForUnknownMs)).public.get(kid);
    },
    async publicKeys() {
      const { rows } = await current();
      return rows.map((row) => ({ ...publicJwk(row), kid: row.kid, alg: signingAlgorithm, use: 'sig' }));
    },
  };
}

/** Keys that verify. `retired_at` is when a superseded key stops doing so. */
async function load(database: Database, now: number): Promise<LoadedKeys> {
  const rows = await database.read
    .selectFrom('signing_keys')
    .selectAll()
    .where((eb) => eb.or([eb('retired_at', 'is', null), eb('retired_at', '>', now)]))
    .orderBy('created_at')
    .orderBy('kid')
    .execute();
  const entries = await Promise.all(rows.map(async (row) => [row.kid, await publicKeyOf(row)] as const));
  return { rows, public: new Map(entries), atMs: now };
}

/** Of replicas that start at once on an empty table one makes the key, so that none meets a token by another's. */
async function insertFirstKey(parts: SigningKeysParts): Promise<void> {
  const made = await newSigningKey(parts);
  await parts.database.transaction(async (transaction) => {
    await parts.revisions.lock(transaction, '');
    const known = await transaction.selectFrom('signing_keys').select('kid').limit(1).execute();
    if (known.length === 0) await transaction.insertInto('signing_keys').values(made).execute();
  });
}

/** The newest key that every replica knows; where none is so old, the oldest. */
function signingRow(rows: readonly SigningKeyRow[], now: number): SigningKeyRow | undefined {
  return rows.findLast((row) => row.created_at + signingKeyTimes.verifyOnlyMs <= now) ?? rows[0];
}

async function openPrivateKey(parts: SigningKeysParts, row: SigningKeyRow): Promise<CryptoKey> {
  const jwk = JSON.parse(await parts.secrets.open(SYSTEM_TENANT, sealContext(row.kid), row.private_jwk)) as JWK;
  return (await importJWK(jwk, signingAlgorithm)) as CryptoKey;
}

function publicJwk(row: SigningKeyRow): JWK {
  return JSON.parse(row.public_jwk) as JWK;
}

async function publicKeyOf(row: SigningKeyRow): Promise<CryptoKey> {
  return (await importJWK(publicJwk(row), signingAlgorithm)) as CryptoKey;
}
