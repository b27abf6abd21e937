import type {
  BasicCredential,
  ConsumerDirectory,
  ConsumerIdentity,
  CredentialMatch,
  HmacCredential,
  JwtCredential,
} from '@portcullis/plugin-runtime';
import { IndexedDirectory, type NamedConsumer } from './consumer-directory.ts';
import { readCredential, type Credential } from './delivered-credentials.ts';
import { NameTable } from './name-table.ts';
import type { ConsumerRecord, CredentialRecord } from './records.ts';
import type { TimeSlices } from './time-slices.ts';

/** How a consumer may be called. An ID wins over a username, and that over a custom ID, when they read the same. */
const namings = ['id', 'username', 'custom_id'] as const;

/**
 * Keeps the directory up to date: {@link put} and {@link putCredential} take what changed, and {@link build} makes a directory that
 * shares the rest with the one before; what it finds is the same object while neither the credential nor its consumer changes.
 * Credentials whose consumer is disabled or not there (of another gateway) are never found; types that this gateway does not know
 * are left out. A disabled consumer keeps its names, so that nobody else is found by them.
 */
export class ConsumerIndex {
  readonly #consumers = new Map<string, NamedConsumer>();
  readonly #credentials = new Map<string, Credential>();
  readonly #credentialsOf = new Map<string, Set<string>>();
  readonly #changedConsumers = new Set<string>();
  readonly #changedCredentials = new Set<string>();
  readonly #names = namings.map(() => new NameTable<NamedConsumer>(({ record }) => record.id));
  readonly #apiKeys = new NameTable<CredentialMatch>(credentialOf);
  readonly #basic = new NameTable<BasicCredential>(({ match }) => credentialOf(match));
  readonly #hmac = new NameTable<HmacCredential>(({ match }) => credentialOf(match));
  readonly #jwt = new NameTable<JwtCredential>(({ match }) => credentialOf(match));
  #directory: ConsumerDirectory = this.#finish();

  /** @param record `undefined` for a consumer that is no more */
  put(id: string, record: ConsumerRecord | undefined): void {
    const before = this.#consumers.get(id);
    if (before !== undefined) this.#forEachName(before, (names, name) => names.release(name, id));
    if (record === undefined) this.#consumers.delete(id);
    else {
      const consumer = { record, identity: identityOf(record) };
      this.#consumers.set(id, consumer);
      this.#forEachName(consumer, (names, name) => names.claim(name, consumer));
    }
    this.#changedConsumers.add(id);
  }

  /** @param record `undefined` for a credential that is no more */
  putCredential(id: string, record: CredentialRecord | undefined): void {
    const before = this.#credentials.get(id);
    if (before !== undefined) {
      this.#tableOf(before.type).release(before.name, id);
      this.#disown(before);
    }
    const credential = record && readCredential(record);
    if (credential === undefined) this.#credentials.delete(id);
    else {
      this.#credentials.set(id, credential);
      const others = this.#credentialsOf.get(credential.consumerId) ?? new Set();
      this.#credentialsOf.set(credential.consumerId, others.add(id));
    }
    this.#changedCredentials.add(id);
  }

  /** The directory as it is with all changes, made in slices of time. */
  async build(slices: TimeSlices): Promise<ConsumerDirectory> {
    if (this.#changedConsumers.size === 0 && this.#changedCredentials.size === 0) return this.#directory;
    for (const consumerId of this.#changedConsumers) {
      for (const id of this.#credentialsOf.get(consumerId) ?? []) this.#changedCredentials.add(id);
      if (slices.isOver) await slices.next();
    }
    for (const id of this.#changedCredentials) {
      const credential = this.#credentials.get(id);
      if (credential !== undefined) this.#settle(credential);
      if (slices.isOver) await slices.next();
    }
    this.#changedConsumers.clear();
    this.#changedCredentials.clear();
    this.#directory = this.#finish();
    return this.#directory;
  }

  #finish(): ConsumerDirectory {
    return new IndexedDirectory({
      apiKeys: this.#apiKeys.finish(),
      basic: this.#basic.finish(),
      hmac: this.#hmac.finish(),
      jwt: this.#jwt.finish(),
      consumers: this.#names.map((names) => names.finish()),
    });
  }

  #forEachName({ record }: NamedConsumer, visit: (names: NameTable<NamedConsumer>, name: string) => void): void {
    for (const [index, naming] of namings.entries()) {
      const name = record[naming];
      const names = this.#names[index];
      if (typeof name === 'string' && names !== undefined) visit(names, name);
    }
  }

  #disown({ id, consumerId }: Credential): void {
    const own = this.#credentialsOf.get(consumerId);
    own?.delete(id);
    if (own?.size === 0) this.#credentialsOf.delete(consumerId);
  }

  #tableOf(type: Credential['type']): Pick<NameTable<never>, 'release'> {
    return { api_key: this.#apiKeys, basic: this.#basic, hmac: this.#hmac, jwt: this.#jwt }[type];
  }

  /** Makes a credential be found, or not, as its consumer is there and enabled, or not. */
  #settle(credential: Credential): void {
    const { name, id } = credential;
    const consumer = this.#consumers.get(credential.consumerId);
    if (consumer?.record.enabled !== true) {
      this.#tableOf(credential.type).release(name, id);
      return;
    }
    const match = matchOf(consumer.identity, credential);
    if (credential.type === 'api_key') this.#apiKeys.claim(name, match);
    else if (credential.type === 'basic') this.#basic.claim(name, { match, passwordHash: credential.passwordHash });
    else if (credential.type === 'hmac') {
      this.#hmac.claim(name, { match, secret: credential.secret, algorithms: credential.algorithms });
    } else this.#jwt.claim(name, jwtOf(match, credential));
  }
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

function matchOf(consumer: ConsumerIdentity, { id, expiresAtMs }: Credential): CredentialMatch {
  const match = { consumer: Object.freeze({ ...consumer, credentialId: id }) };
  return expiresAtMs === undefined ? match : { ...match, expiresAtMs };
}

function jwtOf(
  match: CredentialMatch,
  { algorithm, secret, publicKey }: Extract<Credential, { type: 'jwt' }>,
): JwtCredential {
  return {
    match,
    algorithm,
    ...(secret === undefined ? {} : { secret }),
    ...(publicKey === undefined ? {} : { publicKey }),
  };
}

/** Every match that is made here has the credential's ID. */
function credentialOf({ consumer }: CredentialMatch): string {
  return consumer.credentialId ?? '';
}
