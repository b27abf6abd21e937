import { hash } from 'node:crypto';
import type { ConsumerDirectory, ConsumerIdentity, CredentialMatch } from '@portcullis/plugin-runtime';
import { deliveredApiKey } from '@portcullis/resources';
import * as v from 'valibot';
import { LayeredMap } from './layered-map.ts';
import type { ConsumerRecord, CredentialRecord } from './records.ts';
import type { TimeSlices } from './time-slices.ts';

interface KeyMatch {
  readonly credentialId: string;
  readonly match: CredentialMatch;
}

/** How a consumer may be called. An ID wins over a username, and that over a custom ID, when they read the same. */
const namings = ['id', 'username', 'custom_id'] as const;

/** The consumers of a configuration. Keys are known by their SHA-256 only, so a look-up takes no comparison of secrets. */
class HashedDirectory implements ConsumerDirectory {
  readonly #byKeyHash: LayeredMap<KeyMatch>;
  readonly #byNaming: readonly LayeredMap<ConsumerIdentity>[];

  constructor(byKeyHash: LayeredMap<KeyMatch>, byNaming: readonly LayeredMap<ConsumerIdentity>[]) {
    this.#byKeyHash = byKeyHash;
    this.#byNaming = byNaming;
  }

  findApiKey(key: string): CredentialMatch | undefined {
    return this.#byKeyHash.isEmpty ? undefined : this.#byKeyHash.get(hash('sha256', key))?.match;
  }

  findBasic(): undefined {
    return undefined;
  }

  findHmac(): undefined {
    return undefined;
  }

  findJwt(): undefined {
    return undefined;
  }

  findConsumer(reference: string): ConsumerIdentity | undefined {
    for (const names of this.#byNaming) {
      const found = names.get(reference);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

interface Consumer {
  readonly record: ConsumerRecord;
  readonly identity: ConsumerIdentity;
}

/**
 * Keeps the directory up to date: {@link put} and {@link putCredential} collect what changed, and {@link build} makes a directory
 * that shares the rest with the one before. Credentials whose consumer is not there (disabled, or of another gateway) are never
 * found; types that this gateway does not know are left out.
 */
export class ConsumerIndex {
  readonly #consumers = new Map<string, Consumer>();
  readonly #credentials = new Map<string, CredentialRecord>();
  readonly #credentialsOf = new Map<string, Set<string>>();
  readonly #changedConsumers = new Set<string>();
  readonly #changedCredentials = new Set<string>();
  readonly #keyHashes = new Map<string, string>();
  #byKeyHash = new LayeredMap<KeyMatch>();
  #byNaming: readonly LayeredMap<ConsumerIdentity>[] = namings.map(() => new LayeredMap<ConsumerIdentity>());
  #newKeys = new Map<string, KeyMatch | undefined>();
  #newNames: readonly Map<string, ConsumerIdentity | undefined>[] = namings.map(() => new Map());
  #directory: ConsumerDirectory = new HashedDirectory(this.#byKeyHash, this.#byNaming);

  /** @param record `undefined` for a consumer that is no more */
  put(id: string, record: ConsumerRecord | undefined): void {
    const before = this.#consumers.get(id);
    if (before !== undefined) this.#name(before, undefined);
    if (record === undefined) this.#consumers.delete(id);
    else {
      const consumer = { record, identity: identityOf(record) };
      this.#consumers.set(id, consumer);
      this.#name(consumer, consumer.identity);
    }
    this.#changedConsumers.add(id);
  }

  /** @param record `undefined` for a credential that is no more */
  putCredential(id: string, record: CredentialRecord | undefined): void {
    const before = this.#credentials.get(id);
    if (before !== undefined) this.#credentialsOf.get(before.consumer_id)?.delete(id);
    if (record === undefined) this.#credentials.delete(id);
    else {
      this.#credentials.set(id, record);
      const others = this.#credentialsOf.get(record.consumer_id) ?? new Set();
      this.#credentialsOf.set(record.consumer_id, others.add(id));
    }
    this.#changedCredentials.add(id);
  }

  /** The directory as it is with all changes, made in slices of time. */
  async build(slices: TimeSlices): Promise<ConsumerDirectory> {
    if (this.#changedConsumers.size === 0 && this.#changedCredentials.size === 0) return this.#directory;
    for (const id of this.#changedConsumers) {
      for (const credentialId of this.#credentialsOf.get(id) ?? []) this.#changedCredentials.add(credentialId);
      if (slices.isOver) await slices.next();
    }
    // All that went goes first: a key may have moved from one credential to another.
    for (const id of this.#changedCredentials) {
      this.#dropKey(id);
      if (slices.isOver) await slices.next();
    }
    for (const id of this.#changedCredentials) {
      this.#addKey(id);
      if (slices.isOver) await slices.next();
    }
    this.#byKeyHash = this.#byKeyHash.with(this.#newKeys);
    this.#byNaming = this.#byNaming.map((names, index) => names.with(this.#newNames[index] ?? new Map()));
    this.#changedConsumers.clear();
    this.#changedCredentials.clear();
    this.#newKeys = new Map();
    this.#newNames = namings.map(() => new Map());
    this.#directory = new HashedDirectory(this.#byKeyHash, this.#byNaming);
    return this.#directory;
  }

  #name({ record, identity }: Consumer, to: ConsumerIdentity | undefined): void {
    for (const [index, naming] of namings.entries()) {
      const reference = record[naming];
      const names = this.#newNames[index];
      if (typeof reference !== 'string' || names === undefined) continue;
      const present = names.has(reference) ? names.get(reference) : this.#byNaming[index]?.get(reference);
      // A name that another consumer has by now is not the leaving one's to take away.
      if (to !== undefined || present === undefined || present === identity) names.set(reference, to);
    }
  }

  #dropKey(credentialId: string): void {
    const keyHash = this.#keyHashes.get(credentialId);
    if (keyHash === undefined) return;
    this.#keyHashes.delete(credentialId);
    if (this.#byKeyHash.get(keyHash)?.credentialId === credentialId) this.#newKeys.set(keyHash, undefined);
  }

  #addKey(credentialId: string): void {
    const record = this.#credentials.get(credentialId);
    const consumer = record && this.#consumers.get(record.consumer_id);
    if (record?.type !== 'api_key' || consumer === undefined) return;
    const key = v.parse(deliveredApiKey, record);
    const match = matchOf(consumer.identity, credentialId, key.expires_at);
    this.#newKeys.set(key.key_hash, { credentialId, match });
    this.#keyHashes.set(credentialId, key.key_hash);
  }
}

/** What is wrong with a credential, before it goes into the directory; `undefined` for what it takes or does not know. */
export function credentialMistake(record: CredentialRecord): string | undefined {
  if (record.type !== 'api_key' || v.is(deliveredApiKey, record)) return undefined;
  return 'is not an API key as gateways get it';
}

function identityOf(record: ConsumerRecord): ConsumerIdentity {
  // What is frozen is handed on from hook to hook as it is.
  return Object.freeze({
    id: record.id,
    groups: Object.freeze([...record.groups]),
    ...(typeof record.username === 'string' ? { username: record.username } : {}),
    ...(typeof record.custom_id === 'string' ? { customId: record.custom_id } : {}),
  });
}

function matchOf(consumer: ConsumerIdentity, credentialId: string, expiresAt: string | undefined): CredentialMatch {
  const match = { consumer: Object.freeze({ ...consumer, credentialId }) };
  if (expiresAt === undefined) return match;
  const expiresAtMs = Date.parse(expiresAt);
  // A time that cannot be read counts as past: a comparison with NaN would let the key in for ever.
  return { ...match, expiresAtMs: Number.isNaN(expiresAtMs) ? Number.NEGATIVE_INFINITY : expiresAtMs };
}
