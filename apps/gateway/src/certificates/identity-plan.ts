import { hash } from 'node:crypto';
import type { ReadAuthority, ReadCertificate } from './read-certificate.ts';
import type { ClientCertificateMode } from './server-identities.ts';

/** What a server name presents and asks for. Plans that say the same have equal IDs. */
export interface IdentityPlan {
  /** Digest of all the rest. Connections are only resumed among names that have it in common. */
  readonly id: string;
  readonly certificate: ReadCertificate;
  readonly clientCertificateMode: ClientCertificateMode;
  /** See `ServerIdentity.asks`. */
  readonly asks: string;
  /** Whom to trust for certificates of clients, in PEM; nobody when empty. */
  readonly authorities: readonly string[];
}

/** A server name of a record. */
export interface PlannedName {
  readonly sniId: string;
  /** In lower case; exact, `*.` and the rest of one, or `*`. */
  readonly name: string;
  /** `undefined` where the record cannot be served: clients that ask for the name are refused, whatever a wider name would give. */
  readonly plan: IdentityPlan | undefined;
}

/** Makes a plan. The order of authorities means nothing. */
export function planIdentity(
  certificate: ReadCertificate,
  clientCertificateMode: ClientCertificateMode,
  authorities: readonly ReadAuthority[],
): IdentityPlan {
  const digests = authorities.map(({ digest }) => digest).toSorted();
  // Who asks for nothing verifies nobody: authorities would only keep names apart that are alike.
  const isAsking = clientCertificateMode !== 'none';
  const asks = isAsking ? hash('sha256', JSON.stringify([clientCertificateMode, ...digests])) : '';
  const id = hash('sha256', JSON.stringify([certificate.digest, asks]));
  const trusted = isAsking ? authorities.map(({ cert }) => cert) : [];
  return { id, certificate, clientCertificateMode, asks, authorities: trusted };
}
