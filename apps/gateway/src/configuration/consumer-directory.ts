import { hash } from 'node:crypto';
import type {
  BasicCredential,
  ConsumerDirectory,
  ConsumerIdentity,
  CredentialMatch,
  HmacCredential,
  JwtCredential,
} from '@portcullis/plugin-runtime';
import type { ConsumerRecord } from './records.ts';
import type { SharedMap } from './shared-map.ts';

/** What the directory of one configuration looks up in. */
export interface DirectoryTables {
  /** By the key's SHA-256, one character a byte. */
  readonly apiKeys: SharedMap<CredentialMatch>;
  readonly basic: SharedMap<BasicCredential>;
  readonly hmac: SharedMap<HmacCredential>;
  readonly jwt: SharedMap<JwtCredential>;
  /** By ID, by username and by custom ID, in this order: an ID wins when they read the same. */
  readonly consumers: readonly SharedMap<NamedConsumer>[];
}

/** A consumer with what the directory says of it. */
export interface NamedConsumer {
  readonly record: ConsumerRecord;
  readonly identity: ConsumerIdentity;
}

/** The consumers and credentials of one configuration. API keys are known by their digest only, so no secrets are compared. */
export class IndexedDirectory implements ConsumerDirectory {
  readonly #tables: DirectoryTables;

  constructor(tables: DirectoryTables) {
    this.#tables = tables;
  }

  findApiKey(key: string): CredentialMatch | undefined {
    const { apiKeys } = this.#tables;
    return apiKeys.size === 0 ? undefined : apiKeys.get(hash('sha256', key, 'binary'));
  }

  findBasic(username: string): BasicCredential | undefined {
    return this.#tables.basic.get(username);
  }

  findHmac(keyId: string): HmacCredential | undefined {
    return this.#tables.hmac.get(keyId);
  }

  findJwt(key: string): JwtCredential | undefined {
    return this.#tables.jwt.get(key);
  }

  findConsumer(reference: string): ConsumerIdentity | 'disabled' | undefined {
    for (const names of this.#tables.consumers) {
      const found = names.get(reference);
      if (found !== undefined) return found.record.enabled ? found.identity : 'disabled';
    }
    return undefined;
  }
}
