import type { CheckedChange, Placed } from '../configuration/checked-changes.ts';
import { pointerOf, type ConfigurationError } from '../configuration/configuration-errors.ts';
import { addTo, removeFrom } from '../configuration/service-index.ts';
import { NameTable } from '../configuration/name-table.ts';
import type { CaCertificateRecord, CertificateRecord, SniRecord } from '../configuration/records.ts';
import type { TimeSlices } from '../configuration/time-slices.ts';
import { CertificateExpiries, type SoonestExpiries } from './certificate-expiries.ts';
import { IdentityContexts, type OnUnusable } from './identity-contexts.ts';
import { planIdentity, type IdentityPlan, type PlannedName } from './identity-plan.ts';
import {
  readAuthority,
  type CertificateReading,
  type ReadAuthority,
  type ReadCertificate,
} from './read-certificate.ts';
import { noServerIdentities, type ServerIdentities } from './server-identities.ts';
import { ServerNames } from './server-names.ts';
import { keyReferences, readVaultedCertificate, type KnownSecretOf } from './vaulted-keys.ts';

/** Certificates and authorities by record ID, for whoever calls upstreams. One that was left out is not there. */
export interface CertificateSource {
  certificateOf(id: string): CertificateRecord | undefined;
  authorityOf(id: string): CaCertificateRecord | undefined;
}

/** A server name, and the record that says what it presents where that one can be read. */
interface KnownName {
  readonly name: string;
  readonly record: Placed<SniRecord> | undefined;
}

/**
 * The certificates, server names and authorities of a configuration, kept up to date record by record: a change plans those names
 * anew that depend on it, and what earlier generations have stays as it is.
 */
export class CertificateIndex implements CertificateSource {
  readonly #certificates = new Map<string, ReadCertificate>();
  /** Records whose keys are elsewhere. */
  readonly #vaulted = new Map<string, Placed<CertificateRecord>>();
  readonly #authorities = new Map<string, ReadAuthority>();
  readonly #known = new Map<string, KnownName>();
  /** IDs of server names by what they refer to. */
  readonly #namesOf = new Map<string, Set<string>>();
  readonly #stale = new Set<string>();
  readonly #planned = new Map<string, PlannedName>();
  readonly #table = new NameTable<PlannedName>(({ sniId }) => sniId);
  readonly #contexts: IdentityContexts;
  readonly #knownOf: KnownSecretOf;
  readonly #expiries = new CertificateExpiries();
  readonly #mistakes = new Map<string, readonly ConfigurationError[]>();
  #wildcards = 0;
  #asking = 0;
  #identities: ServerIdentities = noServerIdentities;

  /**
   * @param onUnusable told of certificates that OpenSSL does not take when a client asks for them
   * @param knownOf what is known of a key that a record names; by default nothing
   */
  constructor(onUnusable: OnUnusable = () => undefined, knownOf: KnownSecretOf = () => ({ trouble: 'unknown_vault' })) {
    this.#contexts = new IdentityContexts(onUnusable);
    this.#knownOf = knownOf;
  }

  certificateOf(id: string): ReadCertificate | undefined {
    return this.#certificates.get(id);
  }

  authorityOf(id: string): ReadAuthority | undefined {
    return this.#authorities.get(id);
  }

  /** What cannot be read, and server names that refer to it. Those are refused in handshakes; all others are served. */
  mistakes(): Iterable<readonly ConfigurationError[]> {
    return this.#mistakes.values();
  }

  /** When certificates end, as they are now. */
  expiries(): SoonestExpiries {
    return this.#expiries.soonest();
  }

  /** Takes a change in; {@link build} acts on it. @returns whether the change was of one of these families */
  put(change: CheckedChange): boolean {
    if (change.family === 'certificates') this.#putCertificate(change.id, change.checked);
    else if (change.family === 'ca_certificates') {
      const key = authorityKey(change.id);
      place(this.#authorities, change.id, this.#read(key, change.checked, readAuthority));
      this.#touch(key);
    } else if (change.family === 'snis') {
      // A record that cannot be read still has a name: nothing wider may answer for it.
      const name = change.checked?.value.name ?? change.received?.record['name'];
      this.#putName(change.id, typeof name === 'string' ? { name, record: change.checked } : undefined);
    } else return false;
    return true;
  }

  /** A certificate's key in a vault is another one, or can be read now, or no more. */
  reread(id: string): void {
    this.#putCertificate(id, this.#vaulted.get(id));
  }

  /** Plans all server names anew that depend on what changed, in slices of time. */
  async build(slices: TimeSlices): Promise<void> {
    if (this.#stale.size === 0) return;
    for (const id of this.#stale) {
      this.#plan(id);
      if (slices.isOver) await slices.next();
    }
    this.#stale.clear();
    const facts = { hasWildcards: this.#wildcards > 0, asksForCertificates: this.#asking > 0 };
    const names = this.#table.finish();
    this.#identities = names.size === 0 ? noServerIdentities : new ServerNames(names, facts, this.#contexts);
  }

  /** The server names as they were built last; the same object while nothing of them changed. */
  identities(): ServerIdentities {
    return this.#identities;
  }

  #putCertificate(id: string, record: Placed<CertificateRecord> | undefined): void {
    const key = certificateKey(id);
    const isVaulted = record !== undefined && keyReferences(record.value).length > 0;
    place(this.#vaulted, id, isVaulted ? record : undefined);
    const read = this.#read(key, record, (value) => readVaultedCertificate(value, this.#knownOf));
    // A vault that is away, and one half of a pair that is renewed before the other, take no name down that was up.
    const next = read ?? (isVaulted ? this.#certificates.get(id) : undefined);
    place(this.#certificates, id, next);
    this.#expiries.put(id, next?.notAfterMs);
    this.#touch(key);
  }

  /** @returns `undefined` for a record that is gone, left out, or has mistakes, which are kept */
  #read<Given, Read>(
    key: string,
    record: Placed<Given> | undefined,
    read: (value: Given) => CertificateReading<Read>,
  ): Read | undefined {
    this.#mistakes.delete(key);
    if (record === undefined) return undefined;
    const reading = read(record.value);
    if (reading.ok) return reading.value;
    const mistakes = reading.mistakes.map(({ path, message }) => ({
      pointer: `${record.pointer}${pointerOf(path)}`,
      message,
    }));
    this.#mistakes.set(key, mistakes);
    return undefined;
  }

  #putName(id: string, next: KnownName | undefined): void {
    const before = this.#known.get(id)?.record?.value;
    if (before !== undefined) for (const key of targetsOf(before)) removeFrom(this.#namesOf, key, id);
    place(this.#known, id, next);
    if (next?.record !== undefined) for (const key of targetsOf(next.record.value)) addTo(this.#namesOf, key, id);
    this.#stale.add(id);
  }

  #touch(key: string): void {
    for (const id of this.#namesOf.get(key) ?? []) this.#stale.add(id);
  }

  #plan(id: string): void {
    const before = this.#planned.get(id);
    const known = this.#known.get(id);
    this.#mistakes.delete(nameKey(id));
    if (before !== undefined) this.#count(before, -1);
    if (before !== undefined && before.name !== known?.name) this.#table.release(before.name, id);
    if (known === undefined) {
      this.#planned.delete(id);
      return;
    }
    const planned = { sniId: id, name: known.name, plan: known.record && this.#planOf(id, known.record) };
    this.#planned.set(id, planned);
    this.#table.claim(known.name, planned);
    this.#count(planned, 1);
  }

  #planOf(id: string, { value, pointer }: Placed<SniRecord>): IdentityPlan | undefined {
    const { certificate_id: certificateId, client_ca_certificate_ids: authorityIds } = value;
    const mistakes: ConfigurationError[] = [];
    const certificate = this.#certificates.get(certificateId);
    if (certificate === undefined) {
      mistakes.push({ pointer: `${pointer}/certificate_id`, message: 'names no certificate that can be served' });
    }
    const authorities = authorityIds.flatMap((authorityId, index) => {
      const authority = this.#authorities.get(authorityId);
      // The others stay trusted. Nobody takes the place of one that is not there, least of all the platform's authorities.
      const message = 'names no CA certificate that can be read; clients that it vouches for are not trusted';
      if (authority === undefined) mistakes.push({ pointer: `${pointer}/client_ca_certificate_ids/${index}`, message });
      return authority ?? [];
    });
    if (mistakes.length > 0) this.#mistakes.set(nameKey(id), mistakes);
    return certificate && planIdentity(certificate, value.client_certificate_mode, authorities);
  }

  #count({ name, plan }: PlannedName, by: 1 | -1): void {
    if (name.startsWith('*.')) this.#wildcards += by;
    if (plan?.clientCertificateMode !== 'none') this.#asking += by;
  }
}

function place<Value>(records: Map<string, Value>, id: string, record: Value | undefined): void {
  if (record === undefined) records.delete(id);
  else records.set(id, record);
}

const certificateKey = (id: string): string => `certificates/${id}`;
const authorityKey = (id: string): string => `ca_certificates/${id}`;
const nameKey = (id: string): string => `snis/${id}`;

function targetsOf({ certificate_id: certificateId, client_ca_certificate_ids: authorityIds }: SniRecord): string[] {
  return [certificateKey(certificateId), ...authorityIds.map(authorityKey)];
}
