import { documentDigest } from '../http/read-document.ts';
import type { Principal } from '../identity/principal.ts';

/** What tells one request from another, apart from its key. */
export interface FingerprintInput {
  readonly principal: Principal;
  readonly method: string;
  /** As received, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Of the parsed body, in which the order of fields does not count; empty without a body. See `documentDigest`. */
  readonly bodyDigest: string;
}

/** SHA-256, lower-case hex, of who asked what. The login or token is not part of it, the user is. */
export function fingerprintOf({ principal, method, path, query, bodyDigest }: FingerprintInput): string {
  const who =
    principal.kind === 'anonymous' ? [principal.kind] : [principal.kind, principal.id, principal.tenantId ?? null];
  const parameters = [...query].toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return documentDigest({ who, method, path, parameters, bodyDigest });
}
