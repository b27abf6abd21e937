import { hash } from 'node:crypto';
import type { ConsumerDirectory, ConsumerIdentity, CredentialMatch } from '@portcullis/plugin-runtime';
import { deliveredApiKey } from '@portcullis/resources';
import * as v from 'valibot';
import type { ErrorList } from './configuration-errors.ts';
import type { Placed } from './read-document.ts';
import type { ConsumerRecord, CredentialRecord } from './records.ts';

/** The consumers of a configuration. Keys are known by their SHA-256 only, so a look-up takes no comparison of secrets. */
class HashedDirectory implements ConsumerDirectory {
  readonly #byKeyHash = new Map<string, CredentialMatch>();
  readonly #byReference = new Map<string, ConsumerIdentity>();

  findApiKey(key: string): CredentialMatch | undefined {
    return this.#byKeyHash.size === 0 ? undefined : this.#byKeyHash.get(hash('sha256', key));
  }

  findConsumer(reference: string): ConsumerIdentity | undefined {
    return this.#byReference.get(reference);
  }

  /** An ID wins over a username, and that over a custom ID, when they read the same. */
  addReference(reference: string, consumer: ConsumerIdentity): void {
    if (!this.#byReference.has(reference)) this.#byReference.set(reference, consumer);
  }

  addApiKey(keyHash: string, match: CredentialMatch): void {
    this.#byKeyHash.set(keyHash, match);
  }
}

/**
 * Builds the directory. Credentials whose consumer is not there (disabled, or of another gateway) are never found;
 * types that this gateway does not know are left out.
 */
export function buildConsumerDirectory(
  consumers: readonly Placed<ConsumerRecord>[],
  credentials: readonly Placed<CredentialRecord>[],
  errors: ErrorList,
): ConsumerDirectory {
  const directory = new HashedDirectory();
  const identities = new Map(consumers.map(({ value }) => [value.id, identityOf(value)]));
  for (const { value } of consumers) addReferences(directory, value, identities.get(value.id));
  for (const { value, pointer } of credentials) {
    const consumer = identities.get(value.consumer_id);
    if (consumer === undefined || value.type !== 'api_key') continue;
    const key = v.safeParse(deliveredApiKey, value);
    if (key.success) directory.addApiKey(key.output.key_hash, matchOf(consumer, value.id, key.output.expires_at));
    else errors.add(pointer, 'is not an API key as gateways get it');
  }
  return directory;
}

function addReferences(
  directory: HashedDirectory,
  record: ConsumerRecord,
  identity: ConsumerIdentity | undefined,
): void {
  if (identity === undefined) return;
  for (const reference of [record.id, record.username, record.custom_id]) {
    if (typeof reference === 'string') directory.addReference(reference, identity);
  }
}

function identityOf(record: ConsumerRecord): ConsumerIdentity {
  return {
    id: record.id,
    groups: record.groups,
    ...(typeof record.username === 'string' ? { username: record.username } : {}),
    ...(typeof record.custom_id === 'string' ? { customId: record.custom_id } : {}),
  };
}

function matchOf(consumer: ConsumerIdentity, credentialId: string, expiresAt: string | undefined): CredentialMatch {
  const match = { consumer: { ...consumer, credentialId } };
  if (expiresAt === undefined) return match;
  const expiresAtMs = Date.parse(expiresAt);
  // A time that cannot be read counts as past: a comparison with NaN would let the key in for ever.
  return { ...match, expiresAtMs: Number.isNaN(expiresAtMs) ? Number.NEGATIVE_INFINITY : expiresAtMs };
}
