import { isSecretReference } from '@portcullis/plugins';
import type { Placed } from '../configuration/checked-changes.ts';
import type { ConfigurationError } from '../configuration/configuration-errors.ts';
import type { CredentialRecord } from '../configuration/records.ts';
import { whyMissing } from './secret-places.ts';
import type { KnownSecret } from './secret-watch.ts';

/** A credential as it is found, if it is. */
export interface FilledCredential {
  readonly credential: CredentialRecord | undefined;
  /** Why it is left out though it is there. */
  readonly mistake?: ConfigurationError;
}

/** Consumers' credentials whose secret is a reference, with the secrets in their places. All others pass as they are. */
export class CredentialSecrets {
  readonly #records = new Map<string, Placed<CredentialRecord>>();
  readonly #knownOf: (reference: string) => KnownSecret;

  /** @param knownOf what is known of a secret; by default nothing */
  constructor(knownOf: (reference: string) => KnownSecret = () => ({ trouble: 'unknown_vault' })) {
    this.#knownOf = knownOf;
  }

  /** The record as it was put, of a credential that refers to a secret. */
  recordOf(id: string): Placed<CredentialRecord> | undefined {
    return this.#records.get(id);
  }

  /** @param record `undefined` for a credential that is no more */
  put(id: string, record: Placed<CredentialRecord> | undefined): FilledCredential {
    const secret = record?.value['secret'];
    if (record === undefined || typeof secret !== 'string' || !isSecretReference(secret)) {
      this.#records.delete(id);
      return { credential: record?.value };
    }
    this.#records.set(id, record);
    const known = this.#knownOf(secret);
    if ('secret' in known) return { credential: { ...record.value, secret: known.secret } };
    const message = `${whyMissing(known.trouble)}; nobody is known by this credential`;
    return { credential: undefined, mistake: { pointer: `${record.pointer}/secret`, message } };
  }
}
