import { isSecretReference } from '@portcullis/plugins';
import type { Vault, Vaults } from '@portcullis/vaults';
import type { CheckedChange } from '../configuration/checked-changes.ts';
import type { RecordKey } from '../configuration/received-configuration.ts';
import { keyReferences } from '../certificates/vaulted-keys.ts';
import { ReferenceIndex } from './reference-index.ts';
import { configReferences } from './resolved-secrets.ts';
import { SecretWatch, type KnownSecret, type SecretWatchPorts } from './secret-watch.ts';

/** What a {@link ConfigurationSecrets} works with. */
export interface ConfigurationSecretsPorts extends Omit<SecretWatchPorts, 'source'> {
  readonly vaults: Pick<Vaults, 'put' | 'read'>;
}

/**
 * The secrets that a process's configurations refer to, one configuration after another. {@link begin} for each builder, since a builder
 * that failed left its index half changed; what was read stays.
 */
export class ConfigurationSecrets {
  readonly #ports: ConfigurationSecretsPorts;
  readonly #watch: SecretWatch;
  #index = new ReferenceIndex();

  constructor(ports: ConfigurationSecretsPorts) {
    this.#ports = ports;
    this.#watch = new SecretWatch({ ...ports, source: ports.vaults });
  }

  readonly knownOf = (reference: string): KnownSecret => this.#watch.knownOf(reference);

  /** Forgets which records refer to what: all of them come again. */
  begin(): void {
    this.#index = new ReferenceIndex();
  }

  /** Takes a changed record in. */
  put(change: CheckedChange): void {
    if (familiesWithReferences.has(change.family)) {
      this.#index.put(`${change.family}/${change.id}`, referencesOf(change));
    }
  }

  /**
   * Reads what is referred to from a tenant's vaults, which are in place from then on. Waits no longer than `FIRST_READS_MS`.
   * @returns the records whose secrets are others than when this was called last
   */
  async learn(tenantId: string, vaults: readonly Vault[]): Promise<ReadonlySet<RecordKey>> {
    this.#ports.vaults.put(tenantId, vaults);
    await this.#watch.learn(this.#index.all);
    return this.#index.usersOf(this.#watch.takeChanged());
  }

  /** What was built is served: its secrets are watched, others forgotten. */
  serve(tenantId: string, vaults: readonly Vault[]): void {
    this.#ports.vaults.put(tenantId, vaults);
    this.#watch.use(this.#index.all);
  }

  stop(): void {
    this.#watch.stop();
  }
}

const familiesWithReferences: ReadonlySet<string> = new Set([
  'plugins',
  'routes',
  'consumer_credentials',
  'certificates',
]);

function referencesOf(change: CheckedChange): readonly string[] {
  if (change.checked === undefined) return [];
  if (change.family === 'plugins') return configReferences(change.checked.value).map(({ reference }) => reference);
  if (change.family === 'routes') {
    return change.checked.value.plugins
      .filter((entry) => entry['enabled'] !== false)
      .flatMap((entry) => configReferences(entry).map(({ reference }) => reference));
  }
  if (change.family === 'certificates') return keyReferences(change.checked.value);
  if (change.family !== 'consumer_credentials') return [];
  const secret = change.checked.value['secret'];
  return typeof secret === 'string' && isSecretReference(secret) ? [secret] : [];
}
